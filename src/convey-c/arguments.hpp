// The checked arguments of a constructor, converted to options that are equal on all PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/world.hpp>

#include "convey-c/c_headers.hpp"
#include "convey-c/call.hpp"

namespace boxcar::convey_c {

// Collects the arguments of a constructor. An impossible argument is kept as a problem until all
// PEs have called `agree`, so that no PE waits for a PE that has refused on its own.
class arguments {
 public:
  arguments(call constructor, world& w, const convey_alc8r_t* alloc, std::uint64_t options);

  void buffer_bytes(std::size_t capacity, const char* name, std::size_t least = 1);
  void simple(const convey_mpp_a2a_t* a2a);
  void twohop(std::size_t row_procs);
  void tensor(int order, std::size_t n_local, std::size_t n_buffers);
  // Leaves out the arguments that elastic conveyors do not use.
  void elastic();
  // For the generic constructors.
  void chosen_for(std::size_t max_bytes, std::size_t n_local, std::size_t min_buffer = 1);

  // Collective. Throws a refusal on all PEs if any PE has a problem.
  void agree();

  [[nodiscard]] world& where() const { return world_; }
  [[nodiscard]] const convey_alc8r_t* alloc() const { return alloc_; }
  [[nodiscard]] bool has(std::uint64_t option) const { return (options_ & option) != 0; }
  // Returns the options without the allocator. Precondition: `agree` has returned.
  [[nodiscard]] const conveyor_options& result() const { return result_; }

 private:
  void expect(bool fine, const std::string& otherwise);
  [[nodiscard]] int group(std::size_t n_local);
  [[nodiscard]] std::size_t fitting_buffer(std::size_t preferred) const;

  call constructor_;
  world& world_;
  const convey_alc8r_t* alloc_;
  std::uint64_t options_;
  conveyor_options result_;
  std::string problem_;  // the first problem
};

}  // namespace boxcar::convey_c
