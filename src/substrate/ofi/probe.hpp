// The probe tries what libfabric's providers do, as providers do not always do what they say. The
// probe tries every feature of every provider between two endpoints, in a process of its own.
#pragma once

#include <array>
#include <string>

namespace boxcar::detail::ofi {

struct probed_feature {
  const char* name;
  // Throws system_error with the failure.
  std::string (*attempt)(const std::string& provider);
};

constexpr const char* works = "works";

// The result for a feature is `works`, "no" if the provider does not offer the feature, or a
// description of the failure.
extern const std::array<probed_feature, 7> probed_features;
// Features of deferred work, tried without calls of libfabric while the work should happen. (The
// feature "in order": one jump of a counter reaches several thresholds.)
extern const std::array<probed_feature, 5> probed_deferring;

// Returns two tables for a human reader, with a line for each provider and a column for each
// feature; long answers follow below, by number. Takes up to some seconds for each provider.
// Precondition: the process has no other thread.
std::string probe_providers();

}  // namespace boxcar::detail::ofi
