// The construction of collectives from the arguments of a program, and the handle `collective`.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "collective/making.hpp"
#include "collective/neighbors.hpp"
#include "collective/problems.hpp"
#include "collective/request.hpp"
#include "substrate/agreement.hpp"

namespace boxcar {
namespace detail {
namespace {

std::string bytes(std::size_t n) {
  return std::to_string(n) + " bytes";
}

void object_if_any(agreement& all, const std::string& problem) {
  if (!problem.empty()) all.object(problem);
}

std::vector<std::size_t> all_gathered(substrate& s, std::size_t mine) {
  std::vector<std::size_t> all(static_cast<std::size_t>(s.size()));
  s.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)).data(),
               {});
  return all;
}

}  // namespace

collective collective_maker::make(collective_operation kind, int root,
                                  std::span<const std::byte> in, std::span<std::byte> out,
                                  const type_identity& of, combination_of_elements how,
                                  const collective_options& options,
                                  std::span<const std::byte> first, bool compares_first) const {
  const called_scope scope("making a collective");
  substrate& s = *world_->substrate();
  s.require_own_thread("making a collective");
  const bool is_root = s.rank() == root;
  collective_request call{.kind = kind, .root = root, .in = in, .out = out, .how = std::move(how)};
  call.first.assign(first.begin(), first.end());
  call.compares_first = compares_first;
  agreement all;
  all.on("kind", name_of(kind));
  object_if_any(all, problem_of_root(call, s.size()));
  object_if_any(all, problem_of_options(kind, options, s));
  object_if_any(all, problem_of_lengths(call, s.size(), is_root));
  agree_on(all, call, of, options);
  all.on("windows", includes_.size());
  if (kind == collective_operation::broadcast) {
    all.on("bytes", out.size());
  } else if (!has_blocks(kind)) {
    all.on("bytes", in.size());
  }
  if (!has_blocks(kind)) {
    call.drop_what_does_not_count(is_root);
    if (kind == collective_operation::all_to_all) call.exchange_equal_blocks(s.rank(), s.size());
    return finish(std::move(call), std::move(all), options);
  }
  all.require(s, name_of(kind), owner_of_collectives);
  call.drop_what_does_not_count(is_root);
  agreement of_blocks;
  call.sizes = all_gathered(s, gets_a_block(kind) ? out.size() : in.size());
  object_if_any(of_blocks, problem_of_blocks(call, sum_of(call.sizes), is_root));
  return finish(std::move(call), std::move(of_blocks), options);
}

collective collective_maker::finish(collective_request call, agreement objections,
                                    const collective_options& options) const {
  object_if_any(objections, problem_of_overlap(call, world_->rank()));
  return collective(make_collective(*world_, std::move(call), std::move(objections), options,
                                    {.includes = includes_, .parts = parts_}));
}

collective collective_maker::make_all_to_all(std::span<const std::byte> in,
                                             std::span<std::byte> out,
                                             const std::vector<std::size_t>& sizes,
                                             const type_identity& of, std::size_t element_bytes,
                                             const collective_options& options) const {
  constexpr auto kind = collective_operation::all_to_all;
  const called_scope scope("making a collective");
  substrate& s = *world_->substrate();
  s.require_own_thread("making a collective");
  collective_request call{
      .kind = kind, .in = in, .out = out, .how = {.element_bytes = element_bytes}};
  agreement all;
  object_if_any(all, problem_of_options(kind, options, s));
  if (options.over == topology::grid) {
    all.object(
        "with `sizes` it cannot go over a grid, whose PEs pass on blocks of one size; give "
        "topology::pairwise, or automatic");
  }
  if (sizes.size() != static_cast<std::size_t>(s.size())) {
    all.object(std::to_string(sizes.size()) + " sizes are given; give one for each of " +
               std::to_string(s.size()) + " PEs");
  }
  std::size_t left = in.size() / element_bytes;
  for (const std::size_t n : sizes) {
    if (n > left) all.object("the sizes say more than the " + bytes(in.size()) + " that are given");
    left -= std::min(n, left);
    call.sizes.push_back(n * element_bytes);
  }
  if (sum_of(call.sizes) != in.size()) {
    all.object(bytes(in.size()) + " are given, but the sizes say " + bytes(sum_of(call.sizes)) +
               "; give as many");
  }
  all.on("kind", "all_to_all with sizes");
  agree_on(all, call, of, options);
  all.on("windows", includes_.size());
  all.require(s, name_of(kind), owner_of_collectives);

  // The lengths and places of the data that other PEs have for this PE.
  const collective_maker plain(*world_);
  const auto exchanged = [&plain](const std::vector<std::size_t>& mine) {
    std::vector<std::size_t> theirs(mine.size());
    collective exchange = plain.make(
        kind, 0, std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(theirs)),
        identity_of<std::size_t>, {.element_bytes = sizeof(std::size_t)}, {});
    exchange.start();
    exchange.wait();
    return theirs;
  };
  std::vector<std::size_t> places(call.sizes.size());
  std::exclusive_scan(call.sizes.begin(), call.sizes.end(), places.begin(), std::size_t{0});
  call.arriving = exchanged(call.sizes);
  call.places = exchanged(places);
  agreement of_blocks;
  if (sum_of(call.arriving) != out.size()) {
    of_blocks.object("there is room for " + bytes(out.size()) + ", but the others give " +
                     bytes(sum_of(call.arriving)) + "; give room for as many");
  }
  return finish(std::move(call), std::move(of_blocks), options);
}

collective collective_maker::make_neighbor_all_to_all(
    std::span<const std::byte> in, const std::vector<neighbor>& to, std::span<std::byte> out,
    const std::vector<neighbor>& from, const type_identity& of, std::size_t element_bytes,
    const collective_options& options) const {
  constexpr auto kind = collective_operation::neighbor_all_to_all;
  const called_scope scope("making a collective");
  substrate& s = *world_->substrate();
  s.require_own_thread("making a collective");
  collective_request call{
      .kind = kind, .in = in, .out = out, .how = {.element_bytes = element_bytes}};
  agreement all;
  object_if_any(all, problem_of_options(kind, options, s));
  const auto take = [&](const std::vector<neighbor>& given, std::size_t memory, const char* what,
                        std::vector<int>& pes, std::vector<std::size_t>& sizes) {
    std::size_t left = memory / element_bytes;
    for (const neighbor& n : given) {
      if (n.pe < 0 || n.pe >= s.size()) {
        all.object("PE " + std::to_string(n.pe) +
                   " is named as a neighbour; the world has the PEs "
                   "0 to " +
                   std::to_string(s.size() - 1));
      }
      if (n.elements > left) {
        all.object("the neighbours in `" + std::string(what) + "` have more than " + bytes(memory) +
                   " together, which is what there is");
      }
      left -= std::min(n.elements, left);
      pes.push_back(n.pe);
      sizes.push_back(n.elements * element_bytes);
    }
    if (left != 0) {
      all.object("the neighbours in `" + std::string(what) + "` have " +
                 bytes(left * element_bytes) + " less than the " + bytes(memory) +
                 " that there are");
    }
  };
  take(to, in.size(), "to", call.to, call.sizes);
  take(from, out.size(), "from", call.from, call.arriving);
  all.on("kind", name_of(kind));
  agree_on(all, call, of, options);
  all.on("windows", includes_.size());
  all.require(s, name_of(kind), owner_of_collectives);

  agreement of_neighbors;
  object_if_any(of_neighbors, problem_of_neighbors(s, call));
  return finish(std::move(call), std::move(of_neighbors), options);
}

}  // namespace detail

collective::collective(std::unique_ptr<detail::collective_state> state)
    : state_(std::move(state)) {}
collective::collective(collective&&) noexcept = default;
collective& collective::operator=(collective&&) noexcept = default;
collective::~collective() = default;

detail::collective_state& collective::state(const char* operation) const {
  if (state_ != nullptr) return *state_;
  throw contract_error(std::string(operation) +
                       ": the collective has been moved from; use the one it was moved to");
}

void collective::start() {
  state("start").start();
}
bool collective::test() {
  return state("test").test();
}
void collective::wait() {
  const detail::called_scope scope("wait for a collective");
  state("wait").wait();
}
std::string collective::explain() const {
  return state("explain").explain();
}
std::string collective::text() const {
  return state("text").text();
}
std::string collective::graphviz() const {
  return state("graphviz").graphviz();
}

}  // namespace boxcar
