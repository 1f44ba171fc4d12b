// The builder of schedules, and the handle `schedule`. A collective matching of the messages of all
// PEs precedes the compilation.
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>
#include <boxcar/schedule.hpp>

#include "one_sided/operation.hpp"
#include "schedule/backend.hpp"
#include "schedule/compiled_schedule.hpp"
#include "schedule/matching.hpp"
#include "schedule/schedule_graph.hpp"
#include "substrate/agreement.hpp"
#include "trigger/numbers.hpp"

namespace boxcar {
namespace detail {
namespace {

constexpr int root = 0;

// Broadcasts bytes of the root, of any length, to all PEs.
void spread(substrate& s, std::vector<std::byte>& bytes) {
  std::uint64_t length = bytes.size();
  s.broadcast(std::as_writable_bytes(std::span(&length, 1)), root);
  bytes.resize(length);
  if (length != 0) s.broadcast(bytes, root);
}

// Collective. Scatters the parts of the root to the PEs; each PE knows the length of its part.
// The parts are broadcast in pieces: a PE other than the root holds no more than its own part
// and a piece.
void hand_out(substrate& s, const std::vector<std::vector<vertex_place>>& parts,
              std::span<vertex_place> mine) {
  constexpr std::size_t piece = 1024;  // vertices
  std::uint64_t first = mine.size();
  const auto sum = [](std::byte* into, const std::byte* next, std::size_t) {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::memcpy(&a, into, sizeof a);
    std::memcpy(&b, next, sizeof b);
    a += b;
    std::memcpy(into, &a, sizeof a);
  };
  const auto word = [](std::uint64_t& n) { return std::as_writable_bytes(std::span(&n, 1)); };
  if (!s.scan(word(first), {sizeof first, sum}, {})) first = 0;
  std::uint64_t all = 0;
  for (const auto& part : parts) all += part.size();
  s.broadcast(word(all), root);

  std::vector<vertex_place> some;
  std::size_t part = 0;  // the current part, of which `sent` vertices have been sent
  std::size_t sent = 0;
  for (std::uint64_t begin = 0; begin < all; begin += some.size()) {
    some.resize(std::min<std::uint64_t>(piece, all - begin));
    for (std::size_t i = 0; !parts.empty() && i < some.size(); ++i) {
      for (; sent == parts[part].size(); sent = 0) ++part;
      some[i] = parts[part][sent++];
    }
    s.broadcast(std::as_writable_bytes(std::span(some)), root);
    const std::uint64_t from = std::max(begin, first);
    const std::uint64_t to = std::min(begin + some.size(), first + mine.size());
    for (std::uint64_t i = from; i < to; ++i) mine[i - first] = some[i - begin];
  }
}

// The result of `match` for a PE.
struct matched {
  std::vector<vertex_place> partners;
  eager_limits eager;
};

// Collective. Returns the partners of this PE's messages, and the limits of eager messages. Throws
// argument_error on all PEs if the graph cannot be executed. (The root holds the whole graph
// meanwhile.)
matched match(substrate& s, const schedule_graph& graph, const schedule_options& options) {
  const auto pes = static_cast<std::size_t>(s.size());
  std::vector<std::vector<std::byte>> parts(s.rank() == root ? pes : 0);
  s.gather(packed(outline_of(graph)), root,
           [&parts](int pe, std::size_t bytes) {
             auto& part = parts[static_cast<std::size_t>(pe)];
             part.resize(bytes);
             return part.data();
           },
           {});
  // Messages that are not eager are cheaper within a node: the first limit with a matching is
  // chosen.
  std::vector<std::optional<std::size_t>> limits_within_node;
  if (options.eager_bytes_within_node == 0) limits_within_node.emplace_back();
  limits_within_node.emplace_back(options.eager_bytes_within_node);
  if (options.eager_bytes_within_node < options.eager_bytes) {
    limits_within_node.emplace_back(options.eager_bytes);
  }
  const auto limits = [&](std::uint64_t choice) {
    return eager_limits{options.eager_bytes, limits_within_node[choice]};
  };
  std::uint64_t choice = 0;
  matching found;
  if (s.rank() == root) {
    std::vector<outline> all;
    for (const auto& part : parts) all.push_back(unpacked(part, s.size()));
    std::vector<int> nodes;
    for (int pe = 0; pe < s.size(); ++pe) nodes.push_back(s.node_of(pe));
    found = match_all(all, nodes, limits(choice));
    while (!found.problem.empty() && choice + 1 < limits_within_node.size()) {
      found = match_all(all, nodes, limits(++choice));
    }
  }
  const auto problem_bytes = std::as_bytes(std::span(found.problem));
  std::vector<std::byte> problem(problem_bytes.begin(), problem_bytes.end());
  spread(s, problem);
  if (!problem.empty()) {
    std::string text(problem.size(), ' ');
    std::memcpy(text.data(), problem.data(), problem.size());
    throw argument_error("compile: " + text);
  }
  s.broadcast(std::as_writable_bytes(std::span(&choice, 1)), root);
  std::vector<vertex_place> mine(graph.vertices.size());
  hand_out(s, found.partners, mine);
  return {std::move(mine), limits(choice)};
}

}  // namespace
}  // namespace detail

// --- Building ------------------------------------------------------------------------------------

schedule_builder::schedule_builder(const world& w)
    : world_(&w), graph_(std::make_unique<detail::schedule_graph>()) {}
schedule_builder::schedule_builder(schedule_builder&&) noexcept = default;
schedule_builder& schedule_builder::operator=(schedule_builder&&) noexcept = default;
schedule_builder::~schedule_builder() = default;

namespace {

schedule_builder::vertex added(detail::schedule_graph& graph, detail::graph_vertex v) {
  graph.vertices.push_back(std::move(v));
  return {static_cast<int>(graph.vertices.size()) - 1};
}

detail::graph_vertex& require_vertex(const char* operation, detail::schedule_graph& graph,
                                     const schedule_builder::vertex& v) {
  if (v.index >= 0 && static_cast<std::size_t>(v.index) < graph.vertices.size()) {
    return graph.vertices[static_cast<std::size_t>(v.index)];
  }
  throw argument_error(std::string(operation) + ": there is no vertex " + std::to_string(v.index) +
                       " among the " + std::to_string(graph.vertices.size()) +
                       " of this builder; give one that it has made");
}

void require_tag(const char* operation, int tag) {
  if (tag >= 0) return;
  throw argument_error(std::string(operation) + ": the tag is " + std::to_string(tag) +
                       "; give one that is not negative");
}

void require_same_length(const char* operation, std::size_t from, std::size_t into) {
  if (from == into) return;
  throw argument_error(std::string(operation) + ": " + std::to_string(from) +
                       " bytes are to go into " + std::to_string(into) + "; give as many");
}

}  // namespace

detail::schedule_graph& schedule_builder::graph() const {
  if (graph_ != nullptr) return *graph_;
  throw contract_error("the schedule_builder has been moved from; use the one it was moved to");
}

schedule_builder::vertex schedule_builder::add_send(std::span<const std::byte> from, int pe,
                                                    int tag) {
  world_->substrate()->require_pe("send", pe);
  require_tag("send", tag);
  return added(graph(), {.kind = detail::vertex_kind::send, .pe = pe, .tag = tag, .from = from});
}

schedule_builder::vertex schedule_builder::add_receive(std::span<std::byte> into, int pe, int tag) {
  if (pe != any_pe) world_->substrate()->require_pe("receive", pe);
  if (tag != any_tag) require_tag("receive", tag);
  return added(graph(), {.kind = detail::vertex_kind::receive, .pe = pe, .tag = tag, .into = into});
}

schedule_builder::vertex schedule_builder::add_copy(std::span<const std::byte> from,
                                                    std::span<std::byte> into) {
  require_same_length("copy", from.size(), into.size());
  return added(graph(), {.kind = detail::vertex_kind::copy, .from = from, .into = into});
}

schedule_builder::vertex schedule_builder::add_combine(std::span<const std::byte> from,
                                                       std::span<std::byte> into, number_type type,
                                                       arithmetic how) {
  require_same_length("combine", from.size(), into.size());
  if (!detail::can_combine(type, how)) {
    throw argument_error(
        "combine: operations on bits are for integers; give elements of such a type");
  }
  return added(
      graph(),
      {.kind = detail::vertex_kind::combine, .from = from, .into = into, .type = type, .how = how});
}

schedule_builder::vertex schedule_builder::add_compute(
    std::function<void()> what, std::span<std::byte> into,
    std::vector<std::span<const std::byte>> from) {
  return added(graph(), {.kind = detail::vertex_kind::compute,
                         .into = into,
                         .inputs = std::move(from),
                         .function = std::move(what)});
}

void schedule_builder::depend(vertex later, vertex earlier) {
  auto& after = require_vertex("depend", graph(), later).after;
  require_vertex("depend", graph(), earlier);
  if (std::ranges::find(after, earlier.index) == after.end()) after.push_back(earlier.index);
}

void schedule_builder::name(vertex v, std::string called) {
  require_vertex("name", graph(), v).name = std::move(called);
}

std::string schedule_builder::text() const {
  return graph().text();
}
std::string schedule_builder::graphviz() const {
  return graph().graphviz();
}

// --- Compiling and running -----------------------------------------------------------------------

schedule schedule_builder::compile(const schedule_options& options) const {
  const detail::called_scope scope("compiling a schedule");
  detail::substrate& s = *world_->substrate();
  s.require_own_thread("compile");
  detail::agreement all;
  if (const auto problem = graph().problem()) all.object(*problem);
  all.on("eager_bytes", options.eager_bytes);
  all.on("eager_bytes_within_node", options.eager_bytes_within_node);
  all.on("carrier", static_cast<int>(options.carrier));
  all.on("windows", includes_.size());
  detail::rpc_engine::of(s).agree(all, "compile", "a schedule's");
  auto [partners, eager] = detail::match(s, graph(), options);
  std::vector<int> numbers(partners.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  auto made = detail::select_backend(*world_,
                                     {.graph = graph(),
                                      .partners = std::move(partners),
                                      .numbers = std::move(numbers),
                                      .eager = eager},
                                     includes_,
                                     {.operation = "compile",
                                      .owner = "a schedule's",
                                      .option = "schedule_options::carrier",
                                      .carrier = options.carrier});
  made->runs.record_to(s.log(), "schedule", std::to_string(graph().vertices.size()) + " vertices");
  return schedule(std::move(made));
}

schedule::schedule(std::unique_ptr<detail::compiled_schedule> state) : state_(std::move(state)) {}
schedule::schedule(schedule&&) noexcept = default;
schedule& schedule::operator=(schedule&&) noexcept = default;
schedule::~schedule() = default;

detail::compiled_schedule& schedule::state(const char* operation) const {
  if (state_ != nullptr) return *state_;
  throw contract_error(std::string(operation) +
                       ": the schedule has been moved from; use the one it was moved to");
}

void schedule::start() {
  state("start").start();
}
bool schedule::test() {
  return state("test").test();
}
void schedule::wait() {
  const detail::called_scope scope("wait for a schedule");
  state("wait").wait();
}
std::string schedule::text() const {
  return state("text").text();
}
std::string schedule::graphviz() const {
  return state("graphviz").graphviz();
}

std::string schedule::explain() const {
  return state("explain").explain();
}

}  // namespace boxcar
