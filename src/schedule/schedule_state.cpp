#include "schedule/schedule_state.hpp"

#include <algorithm>
#include <utility>

#include <boxcar/error.hpp>

#include "schedule/memory_reach.hpp"
#include "substrate/agreement.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {
namespace {

// Which of its two messages a pair of vertices exchanges: in the match bits, above the receiver's
// number.
enum class letter : std::uint64_t { data, grant };

std::uint64_t bits_of(letter what, int number) {
  return static_cast<std::uint64_t>(what) << 32 | static_cast<std::uint32_t>(number);
}

// So that numbers in shadows lie on their boundaries.
std::size_t shadow_bytes(std::size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

// Descriptors do not write what is sent.
std::span<std::byte> to_send(std::span<const std::byte> memory) {
  return {const_cast<std::byte*>(memory.data()), memory.size()};
}

bool is_message(const graph_vertex& v) {
  return v.kind == vertex_kind::send || v.kind == vertex_kind::receive;
}

}  // namespace

// And finds out which messages are eager.
adapter_limits schedule_state::limits_for(const world& w, const eager_limits& eager) {
  adapter_limits l{.counters = 1, .entries = 0, .operations = 0, .memory = 0};
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    const graph_vertex& v = graph_.vertices[i];
    const bool is_eager = is_message(v) && eager.allow(v.bytes(), w.is_local(partners_[i].pe));
    is_eager_.push_back(is_eager);
    l.counters += 2;
    l.entries += is_message(v) ? 1 : 0;
    // What it does, a grant, the end; and each dependency. A grant of the run before, to another
    // node, may not have been taken up when the next one starts.
    l.operations += 4 + v.after.size();
    if (v.kind == vertex_kind::receive && is_eager) l.memory += shadow_bytes(v.bytes());
  }
  return l;
}

schedule_state::schedule_state(const world& w, matched_schedule what, const including& includes)
    : graph_(std::move(what.graph)),
      partners_(std::move(what.partners)),
      message_numbers_(std::move(what.numbers)),
      adapter_(w, limits_for(w, what.eager)),
      shadows_(adapter_.memory()) {
  for (const auto& include : includes) include(adapter_);
}

// --- From vertices to operations -----------------------------------------------------------------

void schedule_state::add_step(const event_counter& counter, std::uint64_t threshold,
                              const operation::any& what) {
  adapter_state& a = adapter_state::of(adapter_, "compile");
  const command read = a.read(what, "compile");
  steps_.push_back(
      {threshold == 0 ? no_record : a.read(counter, "compile").index, threshold, read});
}

void schedule_state::prepare(substrate& world, std::string_view operation, std::string_view owner) {
  agreement ready;
  try {
    prepare();
  } catch (const error& e) {
    ready.object(e.what());
  }
  ready.require(world, operation, owner);
}

void schedule_state::prepare() {
  require_reach(graph_, adapter_);
  ends_ = adapter_.make_counter();
  const auto& all = graph_.vertices;
  std::vector<bool> is_last(all.size(), true);
  for (const graph_vertex& v : all) {
    for (const int e : v.after) is_last[static_cast<std::size_t>(e)] = false;
  }
  std::vector<vertex_counters> counters(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    counters[i].waits = adapter_.make_counter();
    const bool grants_when_complete = all[i].kind == vertex_kind::receive && is_eager_[i];
    const bool is_end = is_last[i] && !grants_when_complete;
    counters[i].complete = is_end ? ends_ : adapter_.make_counter();
    ends_in_a_run_ += is_last[i] ? 1 : 0;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    prepare(static_cast<int>(i), counters[i]);
    for (const int e : all[i].after) {
      add_step(counters[static_cast<std::size_t>(e)].complete, 1,
               operation::increment{counters[i].waits});
    }
    if (is_last[i] && counters[i].complete != ends_) {
      add_step(counters[i].complete, 1, operation::increment{ends_});
    }
  }
}

void schedule_state::prepare(int vertex, const vertex_counters& mine) {
  const graph_vertex& v = graph_.vertices[static_cast<std::size_t>(vertex)];
  const memory_descriptor from{
      .memory = to_send(v.from), .counter = mine.complete, .counts_sends = true};
  switch (v.kind) {
    case vertex_kind::send:
      return prepare_send(vertex, mine);
    case vertex_kind::receive:
      return prepare_receive(vertex, mine);
    case vertex_kind::copy:
      return add_step(mine.waits, v.after.size(), operation::copy{from, v.into});
    case vertex_kind::combine:
      return add_step(mine.waits, v.after.size(), operation::combine{from, v.into, v.type, v.how});
    case vertex_kind::compute:
      return add_step(mine.waits, v.after.size(),
                      operation::call{adapter_.make_function(v.function), mine.complete});
  }
}

void schedule_state::prepare_send(int vertex, const vertex_counters& mine) {
  const graph_vertex& v = graph_.vertices[static_cast<std::size_t>(vertex)];
  const vertex_place to = partners_[static_cast<std::size_t>(vertex)];
  adapter_.perform(
      operation::append{adapter_.make_entry({.source = to.pe,
                                             .bits = bits_of(letter::grant, number_of(vertex)),
                                             .counter = mine.waits})});
  if (is_eager_[static_cast<std::size_t>(vertex)]) {
    adapter_.perform(operation::increment{mine.waits});
  }
  add_step(
      mine.waits, v.after.size() + 1,
      operation::put{{.memory = to_send(v.from), .counter = mine.complete, .counts_sends = true},
                     {to.pe, bits_of(letter::data, to.vertex)}});
}

void schedule_state::prepare_receive(int vertex, const vertex_counters& mine) {
  const graph_vertex& v = graph_.vertices[static_cast<std::size_t>(vertex)];
  const vertex_place from = partners_[static_cast<std::size_t>(vertex)];
  const operation::put grant{{}, {from.pe, bits_of(letter::grant, from.vertex)}};
  match_rules data{
      .memory = v.into, .source = from.pe, .bits = bits_of(letter::data, number_of(vertex))};
  if (is_eager_[static_cast<std::size_t>(vertex)]) {
    data.memory = shadows_.first(v.bytes());
    data.counter = mine.waits;
    shadows_ = shadows_.subspan(shadow_bytes(v.bytes()));
    add_step(mine.waits, v.after.size() + 1,
             operation::copy{
                 {.memory = data.memory, .counter = mine.complete, .counts_sends = true}, v.into});
    add_step(mine.complete, 1, grant);
  } else {
    data.counter = mine.complete;
    add_step(mine.waits, v.after.size(), grant);
  }
  adapter_.perform(operation::append{adapter_.make_entry(data)});
}

std::string schedule_state::explain() const {
  const substrate& world = adapter_state::of(adapter_, "explain").world;
  const bool has_functions = std::ranges::any_of(
      graph_.vertices, [](const graph_vertex& v) { return static_cast<bool>(v.function); });
  std::string others = has_functions ? "functions" : "";
  if (world.layout().nodes() > 1) {
    others = "what goes to other nodes" + (others.empty() ? "" : " and " + others);
  }
  std::string text =
      "carried out by the PE's adapter, by whoever completes what an operation waits for";
  if (!others.empty()) text += "; " + others + ' ' + by_the_pe(world);
  return text + (why_.empty() ? std::string() : "; not left to the network: " + why_);
}

// --- Runs ----------------------------------------------------------------------------------------

void schedule_state::start() {
  adapter_state& a = adapter_state::of(adapter_, "start");
  require_free(a.world, "start");
  if (adapter_.value(ends_).successes < runs_ * ends_in_a_run_) {
    throw contract_error("start: run " + std::to_string(runs_) +
                         " of the schedule has not ended on this PE; call wait first");
  }
  runs.began();
  a.ask_again(steps_, ++runs_);
}

bool schedule_state::test() {
  const bool is_over = adapter_.test(ends_, runs_ * ends_in_a_run_);
  if (is_over) runs.ended();
  return is_over;
}

void schedule_state::wait() {
  adapter_.wait(ends_, runs_ * ends_in_a_run_);
  runs.ended();
}

}  // namespace boxcar::detail
