#include "schedule/schedule_state.hpp"

#include <algorithm>
#include <utility>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "schedule/meeting_table.hpp"
#include "schedule/memory_reach.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {
namespace {

// The kind of a message between two vertices, in the match bits above the receiver's number.
enum class letter : std::uint64_t { data, grant };

std::uint64_t bits_of(letter what, int number) {
  return static_cast<std::uint64_t>(what) << 32 | static_cast<std::uint32_t>(number);
}

// The rounding keeps numbers in shadows aligned.
std::size_t shadow_bytes(std::size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

// Scratch memory lies on boundaries of cache lines.
std::size_t on_line(std::size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

// Descriptors do not write data to send.
std::span<std::byte> to_send(std::span<const std::byte> memory) {
  return {const_cast<std::byte*>(memory.data()), memory.size()};
}

}  // namespace

// Returns the limits, and chooses the protocol of each message.
adapter_limits schedule_state::limits_for(const world& w, const eager_limits& eager,
                                          std::size_t scratch_bytes) {
  adapter_limits l{.counters = 1, .entries = 0, .operations = 0, .memory = 0};
  std::size_t meetings = 0;
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    const graph_vertex& v = graph_.vertices[i];
    ways_.push_back(way_of(w, v, partners_[i].pe, eager));
    l.counters += counts_by_itself(i) ? 2 : 1;
    l.entries += ways_[i] == way::eager || ways_[i] == way::granted ? 1 : 0;
    // A vertex takes operations for its work, a grant or a delivery, the end, and each dependency.
    // A grant of the previous run, to another node, may still be queued when the next run starts.
    l.operations += 4 + v.after.size();
    if (v.kind != vertex_kind::receive) continue;
    if (ways_[i] == way::eager) l.memory += shadow_bytes(v.bytes());
    if (ways_[i] == way::met) ++meetings;
  }
  l.memory += meeting_table::bytes_for(meetings);
  l.memory = on_line(l.memory) + scratch_bytes;
  return l;
}

schedule_state::way schedule_state::way_of(const world& w, const graph_vertex& v, int partner,
                                           const eager_limits& eager) {
  if (!v.is_message()) return way::none;
  const bool is_local = w.is_local(partner);
  if (eager.allow(v.bytes(), is_local)) return way::eager;
  return is_local ? way::met : way::granted;
}

bool schedule_state::counts_by_itself(std::size_t vertex) const {
  const graph_vertex& v = graph_.vertices[vertex];
  const bool is_sent = v.kind == vertex_kind::send && ways_[vertex] != way::met;
  return v.after.size() > 1 || is_sent || ways_[vertex] == way::eager;
}

schedule_state::schedule_state(const world& w, matched_schedule what, const including& includes)
    : graph_(std::move(what.graph)),
      partners_(std::move(what.partners)),
      message_numbers_(std::move(what.numbers)),
      adapter_(adapter_state::add(w, limits_for(w, what.eager, what.scratch_bytes))),
      carrier_(adapter_state::of(adapter_, "compile")),
      shadows_(adapter_.memory()) {
  if (what.lay) graph_ = what.lay(shadows_.last(what.scratch_bytes));
  for (const auto& include : includes) include(adapter_);
  prepare();
}

schedule_state::~schedule_state() {
  std::vector<meeting_record*> ends = std::move(due_);
  for (const adapter_state::repeated& s : steps_) {
    if (s.what.kind == command_kind::meet) ends.push_back(&carrier_.meeting(s.what));
  }
  carrier_.abandon(ends);
}

// --- From vertices to operations -----------------------------------------------------------------

void schedule_state::add_step(const event_counter& counter, std::uint64_t threshold,
                              const operation::any& what) {
  add_step(counter, threshold, carrier_.read(what, "compile"));
}

void schedule_state::add_step(const event_counter& counter, std::uint64_t threshold,
                              const command& what) {
  const std::uint32_t awaited =
      threshold == 0 ? no_record : carrier_.read(counter, "compile").index;
  steps_.push_back({awaited, threshold, what});
}

void schedule_state::prepare() {
  require_reach(graph_, adapter_);
  counters_.resize(graph_.vertices.size());
  ends_ = adapter_.make_counter();
  end_name_ = carrier_.read(ends_, "compile");
  const auto& all = graph_.vertices;
  std::vector<bool> is_last(all.size(), true);
  for (const graph_vertex& v : all) {
    for (const int e : v.after) is_last[static_cast<std::size_t>(e)] = false;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool grants_when_complete = all[i].kind == vertex_kind::receive && ways_[i] == way::eager;
    const bool is_end = is_last[i] && !grants_when_complete;
    counters_[i].complete = is_end ? ends_ : adapter_.make_counter();
    ends_in_a_run_ += is_last[i] ? 1 : 0;
  }
  expect_senders();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto complete = [&](int earlier) {
      return counters_[static_cast<std::size_t>(earlier)].complete;
    };
    if (counts_by_itself(i)) {
      counters_[i].waits = adapter_.make_counter();
      for (const int e : all[i].after) {
        add_step(complete(e), 1, operation::increment{counters_[i].waits});
      }
    } else if (!all[i].after.empty()) {
      counters_[i].waits = complete(all[i].after.front());
    }
    if (ways_[i] != way::met) prepare(static_cast<int>(i), counters_[i]);
    if (is_last[i] && counters_[i].complete != ends_) {
      add_step(counters_[i].complete, 1, operation::increment{ends_});
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
  if (ways_[static_cast<std::size_t>(vertex)] == way::eager) {
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
  if (ways_[static_cast<std::size_t>(vertex)] == way::eager) {
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

void schedule_state::expect_senders() {
  std::vector<meeting_table::arrival> all;
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    const graph_vertex& v = graph_.vertices[i];
    if (ways_[i] != way::met || v.kind != vertex_kind::receive) continue;
    all.push_back({.sender = place_of(partners_[i].pe),
                   .number = number_of(static_cast<int>(i)),
                   .bytes = v.bytes(),
                   .into = end_at(v.into, counters_[i])});
  }
  const std::size_t bytes = meeting_table::bytes_for(all.size());
  // Senders look at the beginning of the memory.
  meeting_table::create(shadows_.first(bytes), place_of(carrier_.world.rank()), std::move(all));
  shadows_ = shadows_.subspan(bytes);
}

void schedule_state::meet_receivers() {
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    if (ways_[i] != way::met) continue;
    const graph_vertex& v = graph_.vertices[i];
    const vertex_place other = partners_[i];
    const int me = carrier_.world.rank();
    const bool sends = v.kind == vertex_kind::send;
    const int receiver = sends ? other.pe : me;
    meeting_record& m = meeting_table(carrier_.memory_of(receiver))
                            .find(place_of(sends ? me : other.pe),
                                  sends ? other.vertex : number_of(static_cast<int>(i)));
    if (sends) m.from = end_at(v.from, counters_[i]);
    if (v.after.empty()) {
      due_.push_back(&m);
    } else {
      add_step(counters_[i].waits, v.after.size(), carrier_.on_meeting(command_kind::meet, m));
    }
  }
  counters_ = {};
}

int schedule_state::place_of(int pe) const {
  return carrier_.world.layout().local_rank(pe);
}

meeting_end schedule_state::end_at(std::span<const std::byte> memory,
                                   const vertex_counters& mine) const {
  const bool is_tallied = mine.complete == ends_;
  return {.at = carrier_.place_of(memory).value(),
          .counter = is_tallied ? record_name() : carrier_.read(mine.complete, "compile")};
}

std::string schedule_state::explain() const {
  const substrate& world = carrier_.world;
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
  require_free(carrier_.world, "start");
  if (carrier_.is_broken()) throw_broken("start", runs_);
  if (!carrier_.has_tallied(end_name_, runs_ * ends_in_a_run_)) {
    throw contract_error("start: run " + std::to_string(runs_) +
                         " of the schedule has not ended on this PE; call wait first");
  }
  runs.began();
  carrier_.ask_again(steps_, ++runs_, due_);
}

bool schedule_state::test() {
  const called_scope scope("test of a schedule", called_scope::kind::turn);
  require_free(carrier_.world, "test");
  if (carrier_.is_broken()) throw_broken("test", runs_);
  const bool is_over = carrier_.test_tally(end_name_, runs_ * ends_in_a_run_);
  if (is_over) runs.ended();
  return is_over;
}

void schedule_state::wait() {
  require_free(carrier_.world, "wait");
  if (carrier_.is_broken()) throw_broken("wait", runs_);
  carrier_.wait_for_tally(end_name_, runs_ * ends_in_a_run_);
  runs.ended();
}

}  // namespace boxcar::detail
