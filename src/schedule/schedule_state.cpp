#include "schedule/schedule_state.hpp"

#include <algorithm>
#include <utility>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "schedule/memory_reach.hpp"
#include "schedule/rendezvous_table.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {
namespace {

// The kind of a message between two vertices, in the match bits above the receiver's number.
enum class message_type : std::uint64_t { data, grant };

std::uint64_t bits_of(message_type what, int number) {
  return static_cast<std::uint64_t>(what) << 32 | static_cast<std::uint32_t>(number);
}

// The rounding keeps numbers in shadows aligned.
std::size_t shadow_bytes(std::size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t scratch_boundary = 64;

// Returns the scratch memory at the end of an adapter's memory, near the beginning of a page. Large
// buffers of programs begin there, too: elsewhere stores to scratch memory alias loads from the
// buffers (an all-reduce of 64 KiB between 2 threads had 0.8 of the rate, on AMD EPYC).
std::span<std::byte> scratch_in(std::span<std::byte> memory, std::size_t bytes) {
  if (bytes == 0) return {};
  std::byte* const first = memory.last(bytes + page_bytes + scratch_boundary).data();
  const std::size_t in_page = reinterpret_cast<std::uintptr_t>(first) % page_bytes;
  return {first + (page_bytes - in_page) + scratch_boundary, bytes};
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
  std::size_t num_rendezvous = 0;
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
    if (ways_[i] == way::local_rendezvous) ++num_rendezvous;
  }
  l.memory += rendezvous_table::bytes_for(num_rendezvous);
  if (scratch_bytes != 0) l.memory += scratch_bytes + page_bytes + scratch_boundary;
  return l;
}

schedule_state::way schedule_state::way_of(const world& w, const graph_vertex& v, int partner,
                                           const eager_limits& eager) {
  if (!v.is_message()) return way::none;
  const bool is_local = w.is_local(partner);
  if (eager.allow(v.bytes(), is_local)) return way::eager;
  return is_local ? way::local_rendezvous : way::granted;
}

bool schedule_state::counts_by_itself(std::size_t vertex) const {
  const graph_vertex& v = graph_.vertices[vertex];
  const bool is_sent = v.kind == vertex_kind::send && ways_[vertex] != way::local_rendezvous;
  return v.after.size() > 1 || is_sent || ways_[vertex] == way::eager;
}

schedule_state::schedule_state(const world& w, matched_schedule what,
                               const include_functions& includes)
    : graph_(std::move(what.graph)),
      partners_(std::move(what.partners)),
      message_numbers_(std::move(what.numbers)),
      adapter_(adapter_state::add(w, limits_for(w, what.eager, what.scratch_bytes))),
      adapter_state_(adapter_state::of(adapter_, "compile")),
      shadows_(adapter_.memory()) {
  if (what.lay) graph_ = what.lay(scratch_in(shadows_, what.scratch_bytes));
  for (const auto& include : includes) include(adapter_);
  prepare();
}

schedule_state::~schedule_state() {
  std::vector<rendezvous_record*> ends = std::move(due_);
  for (const adapter_state::repeated& s : steps_) {
    if (s.what.kind == command_kind::arrive) ends.push_back(&adapter_state_.rendezvous(s.what));
  }
  adapter_state_.abandon(ends);
}

// --- From vertices to operations -----------------------------------------------------------------

void schedule_state::add_step(const event_counter& counter, std::uint64_t threshold,
                              const operation::any& what) {
  add_step(counter, threshold, adapter_state_.read(what, "compile"));
}

void schedule_state::add_step(const event_counter& counter, std::uint64_t threshold,
                              const command& what) {
  const std::uint32_t awaited =
      threshold == 0 ? no_record : adapter_state_.read(counter, "compile").index;
  steps_.push_back({awaited, threshold, what});
}

void schedule_state::prepare() {
  require_reach(graph_, adapter_);
  counters_.resize(graph_.vertices.size());
  ends_ = adapter_.make_counter();
  end_name_ = adapter_state_.read(ends_, "compile");
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
    if (ways_[i] != way::local_rendezvous) prepare(static_cast<int>(i), counters_[i]);
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
  adapter_.perform(operation::append{
      adapter_.make_entry({.source = to.pe,
                           .bits = bits_of(message_type::grant, number_of(vertex)),
                           .counter = mine.waits})});
  if (ways_[static_cast<std::size_t>(vertex)] == way::eager) {
    adapter_.perform(operation::increment{mine.waits});
  }
  add_step(
      mine.waits, v.after.size() + 1,
      operation::put{{.memory = to_send(v.from), .counter = mine.complete, .counts_sends = true},
                     {to.pe, bits_of(message_type::data, to.vertex)}});
}

void schedule_state::prepare_receive(int vertex, const vertex_counters& mine) {
  const graph_vertex& v = graph_.vertices[static_cast<std::size_t>(vertex)];
  const vertex_place from = partners_[static_cast<std::size_t>(vertex)];
  const operation::put grant{{}, {from.pe, bits_of(message_type::grant, from.vertex)}};
  match_rules data{
      .memory = v.into, .source = from.pe, .bits = bits_of(message_type::data, number_of(vertex))};
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
  std::vector<rendezvous_table::arrival> all;
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    const graph_vertex& v = graph_.vertices[i];
    if (ways_[i] != way::local_rendezvous || v.kind != vertex_kind::receive) continue;
    all.push_back({.sender = place_of(partners_[i].pe),
                   .number = number_of(static_cast<int>(i)),
                   .bytes = v.bytes(),
                   .into = end_at(v.into, counters_[i])});
  }
  const std::size_t bytes = rendezvous_table::bytes_for(all.size());
  // Senders look at the beginning of the memory.
  rendezvous_table::create(shadows_.first(bytes), place_of(adapter_state_.world.rank()),
                           std::move(all));
  shadows_ = shadows_.subspan(bytes);
}

void schedule_state::find_rendezvous() {
  for (std::size_t i = 0; i < graph_.vertices.size(); ++i) {
    if (ways_[i] != way::local_rendezvous) continue;
    const graph_vertex& v = graph_.vertices[i];
    const vertex_place other = partners_[i];
    const int me = adapter_state_.world.rank();
    const bool sends = v.kind == vertex_kind::send;
    const int receiver = sends ? other.pe : me;
    rendezvous_record& m = rendezvous_table(adapter_state_.memory_of(receiver))
                               .find(place_of(sends ? me : other.pe),
                                     sends ? other.vertex : number_of(static_cast<int>(i)));
    if (sends) m.from = end_at(v.from, counters_[i]);
    if (v.after.empty()) {
      due_.push_back(&m);
    } else {
      add_step(counters_[i].waits, v.after.size(),
               adapter_state_.on_rendezvous(command_kind::arrive, m));
    }
  }
  counters_ = {};
}

int schedule_state::place_of(int pe) const {
  return adapter_state_.world.layout().local_rank(pe);
}

rendezvous_end schedule_state::end_at(std::span<const std::byte> memory,
                                      const vertex_counters& mine) const {
  const bool uses_completion_count = mine.complete == ends_;
  return {.at = adapter_state_.place_of(memory).value(),
          .counter = uses_completion_count ? record_name()
                                           : adapter_state_.read(mine.complete, "compile")};
}

std::string schedule_state::explain() const {
  const substrate& world = adapter_state_.world;
  const bool has_functions = std::ranges::any_of(
      graph_.vertices, [](const graph_vertex& v) { return static_cast<bool>(v.function); });
  std::string others = has_functions ? "functions" : "";
  if (world.layout().nodes() > 1) {
    others = "what goes to other nodes" + (others.empty() ? "" : " and " + others);
  }
  std::string text =
      "carried out by the PE's adapter, by whoever completes what an operation waits for";
  if (!others.empty()) text += "; " + others + ' ' + pe_executor_text(world);
  return text + (why_.empty() ? std::string() : "; not left to the network: " + why_);
}

// --- Runs ----------------------------------------------------------------------------------------

void schedule_state::start() {
  require_free(adapter_state_.world, "start");
  if (adapter_state_.is_broken()) throw_broken("start", runs_);
  if (!adapter_state_.has_completed(end_name_, runs_ * ends_in_a_run_)) {
    throw contract_error("start: run " + std::to_string(runs_) +
                         " of the schedule has not ended on this PE; call wait first");
  }
  runs.began();
  adapter_state_.rearm(steps_, ++runs_, due_);
}

bool schedule_state::test() {
  const called_scope scope("test of a schedule", called_scope::kind::turn);
  require_free(adapter_state_.world, "test");
  if (adapter_state_.is_broken()) throw_broken("test", runs_);
  const bool is_over = adapter_state_.test_completions(end_name_, runs_ * ends_in_a_run_);
  if (is_over) runs.ended();
  return is_over;
}

void schedule_state::wait() {
  require_free(adapter_state_.world, "wait");
  if (adapter_state_.is_broken()) throw_broken("wait", runs_);
  adapter_state_.wait_for_completions(end_name_, runs_ * ends_in_a_run_);
  runs.ended();
}

}  // namespace boxcar::detail
