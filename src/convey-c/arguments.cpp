#include "convey-c/arguments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <climits>

#include <boxcar/error.hpp>

#include "convey-c/refusal.hpp"
#include "conveyor/path_choice.hpp"
#include "substrate/agreement.hpp"
#include "substrate/environment.hpp"

namespace boxcar::convey_c {
namespace {

constexpr std::uint64_t known_options =
    convey_opt_RECKLESS | convey_opt_DYNAMIC | convey_opt_QUIET | convey_opt_SCATTER |
    convey_opt_PROGRESS | convey_opt_ALERT | convey_opt_COMPRESS |
    std::uint64_t{convey_opt_STANDARD} | std::uint64_t{convey_opt_BLOCKING};

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

}  // namespace

arguments::arguments(call constructor, world& w, const convey_alc8r_t* alloc, std::uint64_t options)
    : constructor_(constructor), world_(w), alloc_(alloc), options_(options) {
  const std::uint64_t unknown = options & ~known_options;
  expect(unknown == 0, "the options " + hexadecimal(options) + " contain " + hexadecimal(unknown) +
                           ", which is no option: give a union of convey_option values");
  expect(alloc == nullptr || (alloc->grab != nullptr && alloc->free != nullptr),
         "the allocator lacks a function: give both grab and free, or NULL for no allocator");
  result_.steady = has(convey_opt_PROGRESS);
  result_.dynamic_memory = has(convey_opt_DYNAMIC);
  result_.alert = has(convey_opt_ALERT) && !has(convey_opt_QUIET);
  result_.compress = has(convey_opt_COMPRESS);
}

void arguments::expect(bool fine, const std::string& otherwise) {
  if (!fine && problem_.empty()) problem_ = otherwise;
}

void arguments::buffer_bytes(std::size_t capacity, const char* name, std::size_t least) {
  expect(capacity != 0, std::string(name) + " is 0: give the size of a buffer in bytes");
  result_.buffer_bytes = std::max(capacity, least);
}

void arguments::simple(const convey_mpp_a2a_t* a2a) {
  expect(a2a == nullptr, "there are no strategies to choose from: give NULL for a2a");
  result_.kind = conveyor_kind::simple;
  result_.scatter = has(convey_opt_SCATTER);
}

void arguments::twohop(std::size_t row_procs) {
  result_.kind = conveyor_kind::twohop;
  result_.local_group = group(row_procs);
}

void arguments::tensor(int order, std::size_t n_local, std::size_t n_buffers) {
  constexpr std::size_t max_buffers = 4;
  expect(order >= 1 && order <= 3, "order is " + std::to_string(order) + ": give 1, 2 or 3");
  expect(std::has_single_bit(n_buffers),
         "n_buffers is " + std::to_string(n_buffers) + ": give 1, 2 or 4");
  result_.kind = conveyor_kind::tensor;
  result_.hops = order;
  result_.buffers_per_link = static_cast<int>(std::min(n_buffers, max_buffers));
  if (order > 1) result_.local_group = group(n_local);
  result_.scatter = order == 1 && has(convey_opt_SCATTER);
}

void arguments::elastic() {
  result_.scatter = result_.compress = false;
}

void arguments::chosen_for(std::size_t max_bytes, std::size_t n_local, std::size_t min_buffer) {
  // In the options, 0 means no bound; as an argument, 0 means that nothing fits.
  result_.max_bytes = max_bytes == SIZE_MAX ? 0 : std::max<std::size_t>(max_bytes, 1);
  result_.local_group = group(n_local);
  try {
    const auto preferred = detail::convey_buffer_size_from_environment();
    if (preferred) result_.buffer_bytes = fitting_buffer(std::max(*preferred, min_buffer));
  } catch (const argument_error& e) {
    expect(false, e.what());
  }
}

// Returns the preferred size, halved until a conveyor of some number of hops fits under the bound.
std::size_t arguments::fitting_buffer(std::size_t preferred) const {
  constexpr std::size_t least = 64;
  const auto memory = [this](int hops, std::size_t buffer) {
    const auto path = detail::tagged_route::with_hops(hops, world_.size(), result_.local_group);
    return detail::cost_of(world_.substrate()->layout(), path, {}).bytes_with(buffer);
  };
  const bool bounded = result_.max_bytes != 0 && world_.size() % result_.local_group == 0;
  std::size_t buffer = preferred;
  while (bounded && buffer / 2 >= least &&
         std::min({memory(1, buffer), memory(2, buffer), memory(3, buffer)}) > result_.max_bytes) {
    buffer /= 2;
  }
  return buffer;
}

// Returns the number of PEs of a local group.
int arguments::group(std::size_t n_local) {
  if (n_local > INT_MAX) {
    expect(false, "a local group of " + std::to_string(n_local) + " PEs");
    return 1;
  }
  if (n_local != 0) return static_cast<int>(n_local);
  try {
    if (const auto given = detail::convey_nlocal_from_environment()) return *given;
  } catch (const argument_error& e) {
    expect(false, e.what());
  }
  return std::max(world_.substrate()->layout().pes_per_node(), 1);
}

void arguments::agree() {
  detail::agreement all;
  all.object(problem_);
  all.on("call", name_of(constructor_));
  all.on("options", hexadecimal(options_));
  all.on("an allocator", alloc_ != nullptr);
  const auto found = all.reach(*world_.substrate());
  if (!found) return;
  std::string why = found->problem;
  if (found->on == "call") {
    why = "calls " + found->its + ", but PE 0 calls " + found->first + ": call the same on all PEs";
  } else if (found->on == "options") {
    why = "gives the options " + found->its + ", but PE 0 gives " + found->first +
          ": give the same on all PEs";
  } else if (found->on == "an allocator") {
    why = "and PE 0 do not both give an allocator: give one on all PEs, or none";
  }
  throw refusal(convey_error_USAGE, "PE " + std::to_string(found->pe) + ": " + why, true);
}

}  // namespace boxcar::convey_c
