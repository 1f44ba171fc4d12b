#include "collective/started_collectives.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "collective/making.hpp"
#include "collective/problems.hpp"
#include "collective/suspended_coroutines.hpp"
#include "one_sided/rpc_engine.hpp"
#include "substrate/agreement.hpp"
#include "substrate/liveness/program_end.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"
#include "substrate/word_hash.hpp"

namespace boxcar {
namespace detail {
namespace {

// Returns the length of the argument with equal length on all PEs.
std::size_t common_bytes(const collective_start& what) {
  const bool is_of_out = what.kind == collective_operation::broadcast || gets_a_block(what.kind);
  return is_of_out ? what.out.size() : what.in.size();
}

// Omits the fields with different values on different PEs (`complete` adds the fields when a kind
// is made), and the function (channels get the function with each run).
collective_request request_of(const collective_start& what) {
  return {.kind = what.kind,
          .root = what.root,
          .in = what.in,
          .out = what.out,
          .how = {.element_bytes = what.how.element_bytes, .numbers = what.how.numbers}};
}

void complete(collective_request& call, const collective_start& what, const substrate& s) {
  call.first.assign(what.first.begin(), what.first.end());
  call.compares_first = false;
  if (has_blocks(what.kind)) {
    call.sizes.assign(static_cast<std::size_t>(s.size()), common_bytes(what));
  } else if (what.kind == collective_operation::all_to_all) {
    call.exchange_equal_blocks(s.rank(), s.size());
  }
}

// Returns the length of the pieces of long arrays: a multiple of an element. Collectives with a
// block for each PE have no pieces; other collectives combine and move each element independently.
std::size_t length_of_piece(const collective_start& what, std::size_t bytes, std::size_t longest) {
  const bool has_pieces = !has_blocks(what.kind) && what.kind != collective_operation::all_to_all;
  if (!has_pieces || bytes <= longest || what.how.element_bytes == 0) return bytes;
  return std::max(longest / what.how.element_bytes, std::size_t{1}) * what.how.element_bytes;
}

collective_signature signature_of(const collective_start& what, const collective_options& options) {
  return {.kind = what.kind,
          .root = what.root,
          .bytes = common_bytes(what),
          .type = what.type.hash,
          .element_bytes = what.how.element_bytes,
          .is_of_numbers = what.how.numbers.has_value(),
          .numbers = what.how.numbers.value_or(combination_of_elements::built_in{}),
          .options = options};
}

void require_none(const char* name, const std::string& problem) {
  if (!problem.empty()) throw argument_error(std::string(name) + ": " + problem);
}

void require_sense(const collective_request& call, std::size_t bytes, const substrate& s,
                   const char* name) {
  const bool is_root = s.rank() == call.root;
  require_none(name, problem_of_root(call, s.size()));
  require_none(name, problem_of_lengths(call, s.size(), is_root));
  if (has_blocks(call.kind)) {
    require_none(name,
                 problem_of_blocks(call, bytes * static_cast<std::size_t>(s.size()), is_root));
  }
}

}  // namespace

std::uint32_t collective_signature::hash() const {
  word_hash h;
  h.add(static_cast<std::uint64_t>(kind));
  h.add(static_cast<std::uint64_t>(root));
  h.add(bytes);
  h.add(type);
  h.add(element_bytes);
  h.add(is_of_numbers ? 1 : 0);
  h.add(static_cast<std::uint64_t>(numbers.type));
  h.add(static_cast<std::uint64_t>(numbers.how));
  h.add(static_cast<std::uint64_t>(options.over));
  h.add(static_cast<std::uint64_t>(options.fan_out));
  h.add(options.segment_bytes);
  h.add(options.by_node ? 1 : 0);
  h.add(options.reproducible ? 1 : 0);
  h.add(static_cast<std::uint64_t>(options.carrier));
  return static_cast<std::uint32_t>(h.value());
}

collective_run started_collectives::start(const world& w, collective_start what,
                                          const collective_options& options) {
  const char* const name = name_of_start(what.kind);
  const called_scope scope(name);
  substrate& s = *w.substrate();
  require_free(s, name);
  if (suspended_coroutines::of_this_pe().any_in(this)) {
    throw contract_error(
        std::string(name) +
        ": another coroutine waits for a run of this world, and which of them goes on first "
        "differs "
        "between PEs, which must start the same in the same order; give each coroutine a world of "
        "its own (split), or collectives that were made before");
  }
  collective_request call = request_of(what);
  const std::size_t bytes = common_bytes(what);
  require_sense(call, bytes, s, name);
  call.drop_what_does_not_count(s.rank() == call.root);
  what.in = call.in;
  what.out = call.out;
  if (!world_) world_ = world::another_handle_of(w.substrate());
  const std::size_t longest =
      std::max(longest_piece.bytes, longest_piece.bytes_of_pe * static_cast<std::size_t>(s.size()));
  const std::size_t length = length_of_piece(what, bytes, longest);
  collective_run run({});
  if (length >= bytes) {
    kind& k = kind_of(what, options);
    note({.hash = k.hash, .kind = what.kind, .root = what.root, .bytes = bytes});
    run.pieces_.push_back(start_piece(k, std::move(what), false, {}));
    return run;
  }
  require_none(name, problem_of_options(what.kind, options, s));
  note({.hash = signature_of(what, options).hash(),
        .kind = what.kind,
        .root = what.root,
        .bytes = bytes});
  // The output holds the input of each piece until the piece begins.
  const bool is_in_place = what.in.size() == what.out.size();
  if (is_in_place && what.in.data() != what.out.data()) {
    std::memmove(what.out.data(), what.in.data(), what.in.size());
    what.in = what.out;
  }
  run.pieces_.reserve(bytes / length + 1);
  for (std::size_t begin = 0; begin < bytes; begin += length) {
    collective_start piece = what;
    const std::size_t count = std::min(length, bytes - begin);
    if (!what.in.empty()) piece.in = what.in.subspan(begin, count);
    if (!what.out.empty()) piece.out = what.out.subspan(begin, count);
    kind& k = kind_of(piece, options);
    run.pieces_.push_back(start_piece(k, std::move(piece), is_in_place, run.pieces_));
  }
  return run;
}

started_collectives::kind& started_collectives::kind_of(const collective_start& what,
                                                        const collective_options& options) {
  const collective_signature signature = signature_of(what, options);
  if (kind* const known = find(signature)) return *known;
  require_none(name_of_start(what.kind),
               problem_of_options(what.kind, options, *world_->substrate()));
  return add(signature, request_of(what), what);
}

collective_run::piece started_collectives::start_piece(
    kind& k, collective_start what, bool is_in_place,
    std::span<const collective_run::piece> started) {
  const char* const name = name_of_start(what.kind);
  const auto& next = (*k.its_channels)[k.next++ % k.its_channels->size()];
  const auto is_of_next = [&](const collective_run::piece& p) { return p.channel == next; };
  const auto run =
      next->start(std::move(what), is_in_place, std::ranges::any_of(started, is_of_next));
  if (next->has_queued_runs()) {
    queue_.push_back({name, k.its_channels, next});
    start_fiber();
  }
  return {next, run};
}

started_collectives::~started_collectives() {
  if (!fiber_ || fiber_->is_over()) return;
  substrate& s = *world_->substrate();
  if (!s.is_at_home()) {
    static_cast<void>(fiber_.release());  // the fiber's stack cannot be unwound here
    return;
  }
  const bool is_left = std::uncaught_exceptions() != 0 || s.is_abandoned() || s.has_departed() ||
                       program_has_failed();
  try {
    if (!is_left) s.finish_pending_starts();
  } catch (const std::exception& e) {
    s.fail_unheard(e.what());
  } catch (...) {
    s.fail_unheard("threw something that is no std::exception");
  }
  fiber_.reset();
  s.set_pending_starts(false);
}

void started_collectives::start_fiber() {
  if (fiber_ && !fiber_->is_over()) return;
  substrate& s = *world_->substrate();
  progress& pe = progress::of_this_pe();
  try {
    fiber_ = std::make_unique<background_fiber>(pe, [this] { process_queue(); });
  } catch (const std::exception& e) {
    s.fail(s.pe_name(s.rank()) + ": " + e.what());  // other PEs will wait for the queued starts
    throw;
  }
  s.set_pending_starts(true);
  pe.resume(*fiber_);
}

void started_collectives::process_queue() {
  substrate& s = *world_->substrate();
  for (; !queue_.empty(); queue_.pop_front()) {
    // PEs process the queue within different calls of the program.
    const waiting_start& next = queue_.front();
    const called_scope scope(next.name, called_scope::kind::step);
    try {
      if (!ledger_) {
        ledger_.emplace(*world_);
        for (const ledger_entry& e : std::exchange(unrecorded_, {})) note(e);
      }
    } catch (const std::exception& e) {
      // The world has failed, and all started runs end with it.
      s.fail(e.what());
    }
    for (const auto& c : *next.of_its_kind) c->ensure_made();
    next.its_channel->start_next();
  }
  s.set_pending_starts(false);
}

void started_collectives::note(const ledger_entry& mine) {
  if (!ledger_) {
    unrecorded_.push_back(mine);
    return;
  }
  const std::string problem = ledger_->note(mine);
  if (problem.empty()) return;
  world_->substrate()->fail(problem);
  throw world_error(problem);
}

started_collectives::kind* started_collectives::find(const collective_signature& what) {
  const auto found = std::ranges::find(kinds_, what, &kind::signature);
  if (found == kinds_.end()) return nullptr;
  kinds_.splice(kinds_.begin(), kinds_, found);
  return &kinds_.front();
}

started_collectives::kind& started_collectives::add(const collective_signature& what,
                                                    collective_request call,
                                                    const collective_start& start) {
  const auto is_free = [](const auto& c) { return c->is_free(); };
  while (!evicted_.empty() && std::ranges::all_of(*evicted_.front().its_channels, is_free)) {
    evicted_.pop_front();
  }
  if (kinds_.size() == max_kinds) {
    evicted_.push_back(std::move(kinds_.back()));
    kinds_.pop_back();
  }
  const substrate& s = *world_->substrate();
  complete(call, start, s);
  agreement all;
  all.on("kind", name_of_start(call.kind));
  agree_on(all, call, start.type, what.options);
  all.on("bytes", what.bytes);
  const bool has_function = !call.how.numbers;
  // (The memory of the first run may be gone when another channel is made: only its length counts.)
  const auto make_one = [this, call = std::move(call), all = std::move(all), options = what.options,
                         has_function](const combining_function& function) {
    collective_request of_channel = call;
    if (has_function) of_channel.how.function = function;
    return make_collective(*world_, std::move(of_channel), all, options, {.is_copied = true});
  };
  kind made{.signature = what, .hash = what.hash(), .its_channels = std::make_shared<channels>()};
  const std::size_t all_bytes =
      what.bytes * (has_blocks(what.kind) ? static_cast<std::size_t>(s.size()) : 1);
  const std::size_t n = all_bytes > long_bytes ? max_long_at_once : most_at_once;
  while (made.its_channels->size() < n) {
    made.its_channels->push_back(
        std::make_shared<collective_channel>(this, world_->substrate(), make_one));
  }
  kinds_.push_front(std::move(made));
  return kinds_.front();
}

collective_run start(world& w, collective_start what, const collective_options& options) {
  return w.started().start(w, std::move(what), options);
}

}  // namespace detail

detail::started_collectives& world::started() {
  if (started_ == nullptr) started_ = std::make_shared<detail::started_collectives>();
  return *started_;
}

collective_run world::barrier_async(const collective_options& options) {
  return detail::start(*this, {.kind = detail::collective_operation::barrier}, options);
}

}  // namespace boxcar
