// What libfabric's providers do, which is not always what they say: every feature of every provider
// is tried, each in a process of its own, between two endpoints.
#pragma once

#include <array>
#include <string>

namespace boxcar::detail::ofi {

struct probed_feature {
  const char* name;
  // Throws system_error with what fails.
  std::string (*attempt)(const std::string& provider);
};

// Of each: "works", "no" if the provider does not offer it, or what happens instead.
extern const std::array<probed_feature, 7> probed_features;
// The same of deferred work, which is tried in calling nothing while it is to happen. (In order:
// several thresholds that are reached by one jump.)
extern const std::array<probed_feature, 5> probed_deferring;

// Two tables with a line for each provider and a column for each feature, for a person; long
// answers stand below, by their numbers. Takes up to some seconds for each provider. To be called
// while the process has no other thread.
std::string probe_providers();

}  // namespace boxcar::detail::ofi
