#include "trace/trace_part.hpp"

#include <cstdlib>

#include "trace/host_name.hpp"
#include "trace/trace_text.hpp"

namespace boxcar::detail {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;

// Trace viewers show nodes as processes. Nodes of other jobs of a program, such as worlds that a PE
// makes for itself, have other numbers.
std::uint64_t process_of(const traced_pe& who, bool is_first_job) {
  constexpr std::uint64_t nodes_of_first_job = 1'000'000;
  constexpr std::uint64_t jobs = 1'000'000;
  constexpr std::uint64_t nodes_of_others = 1000;
  const auto node = static_cast<std::uint64_t>(who.node) + 1;
  if (is_first_job) return node;
  return nodes_of_first_job + who.job % jobs * nodes_of_others + node % nodes_of_others;
}

// Nanoseconds as microseconds: 1234 as "1.234".
void append_time(std::string& to, std::int64_t nanoseconds) {
  constexpr std::int64_t whole = 1000;
  if (nanoseconds < 0) to += '-';
  const std::int64_t size = std::abs(nanoseconds);
  const std::int64_t rest = size % whole;
  append(to, size / whole, rest < 10 ? ".00" : rest < 100 ? ".0" : ".", rest);
}

std::string_view text_of(bool value) {
  return value ? "true" : "false";
}

}  // namespace

trace_part::trace_part(const trace_log& log, const trace_file& file)
    : log_(log), file_(file), process_(process_of(log.who_, file.is_of(log.who_.job))) {
  append(ids_, R"("pid":)", process_, R"(,"tid":)", log.who_.rank + 1);
  for (const auto& [name, within] : log.texts_) {
    std::string& text = texts_.emplace_back(name == nullptr ? "a loop of the program" : name);
    if (within != nullptr) append(text, ", within ", within);
  }
}

void trace_part::write() const {
  file_.add([this](const trace_file::sink& write) {
    std::string piece;
    add_heading(piece);
    for (std::size_t i = 0; i < log_.used_; ++i) {
      piece += ",\n";
      add(piece, log_.records_[i]);
      if (piece.size() < piece_bytes) continue;
      write(piece);
      piece.clear();
    }
    write(piece);
  });
}

void trace_part::add_heading(std::string& to) const {
  const traced_pe& who = log_.who_;
  const std::string host = host_name();
  std::string node;
  append(node, "node ", who.node, " of ", who.nodes, ", ", who.substrate, ", on ", host);
  const auto begin = [&](std::string_view name) {
    append(to, R"({"name":")", name, R"(","ph":"M",)", ids_, R"(,"args":{)");
  };
  begin("process_name");
  append(to, R"("name":)", json_text(node), "}},\n");
  begin("process_sort_index");
  append(to, R"("sort_index":)", process_, "}},\n");
  begin("thread_name");
  append(to, R"("name":"PE )", who.rank, "\"}},\n");
  begin("thread_sort_index");
  append(to, R"("sort_index":)", who.rank, "}},\n");
  begin("boxcar_pe");
  append(to, R"("job":")", who.job, R"(","pe":)", who.rank, R"(,"pes":)", who.pes, R"(,"node":)",
         who.node, R"(,"nodes":)", who.nodes, R"(,"substrate":)", json_text(who.substrate),
         R"(,"host":)", json_text(host), R"(,"begin":)");
  append_time(to, log_.began_ - file_.beginning());
  append(to, R"(,"end":)");
  append_time(to, log_.ended_ - file_.beginning());
  append(to, R"(,"events":)", log_.used_, R"(,"dropped":)", log_.dropped_, "}}");
}

void trace_part::add_begin(std::string& to, std::string_view name, std::string_view category,
                           std::string_view phase, const trace_record& r) const {
  append(to, R"({"name":)", json_text(name), R"(,"cat":")", category, R"(","ph":")", phase, R"(",)",
         ids_, R"(,"ts":)");
  append_time(to, r.at - file_.beginning());
}

void trace_part::add_span(std::string& to, std::string_view name, std::string_view category,
                          const trace_record& r) const {
  add_begin(to, name, category, "X", r);
  append(to, R"(,"dur":)");
  append_time(to, static_cast<std::int64_t>(r.length));
}

void trace_part::add(std::string& to, const trace_record& r) const {
  switch (r.what) {
    case traced::call:
      add_span(to, texts_[r.text], "call", r);
      return append(to, "}");
    case traced::wait:
      add_span(to, "waits in " + texts_[r.text], "wait", r);
      return append(to, R"(,"args":{"in":)", json_text(texts_[r.text]), R"(,"of":)",
                    json_text(log_.objects_[r.object].name), "}}");
    case traced::handlers:
      add_span(to, "handlers", "handlers", r);
      return append(to, R"(,"args":{"of":)", json_text(log_.objects_[r.object].name), R"(,"from":)",
                    r.other, R"(,"hop":)", r.hop, R"(,"items":)", r.text, "}}");
    case traced::sent:
    case traced::received:
      return add_buffer(to, r);
    case traced::session:
    case traced::run:
      return add_beside(to, r, "b");
    case traced::session_state:
      return add_beside(to, r, "n");
    case traced::session_end:
    case traced::run_end:
      return add_beside(to, r, "e");
  }
}

void trace_part::add_buffer(std::string& to, const trace_record& r) const {
  constexpr std::uint64_t low = 0xffffffff;
  const bool was_sent = r.what == traced::sent;
  add_begin(to, was_sent ? "sent" : "received", "buffer", "i", r);
  append(to, R"(,"s":"t","args":{"of":)", json_text(log_.objects_[r.object].name),
         was_sent ? R"(,"to":)" : R"(,"from":)", r.other, R"(,"bytes":)", r.length & low);
  if (was_sent) append(to, R"(,"filled":)", r.length >> 32U, R"(,"capacity":)", r.text);
  append(to, R"(,"hop":)", r.hop, R"(,"local":)", text_of((r.marks & trace_record::local) != 0),
         R"(,"last":)", text_of((r.marks & trace_record::last) != 0), "}}");
}

void trace_part::add_beside(std::string& to, const trace_record& r, std::string_view phase) const {
  constexpr std::uint64_t objects = 1U << 12U;
  const trace_log::object& o = log_.objects_[r.object];
  const bool is_run = r.what == traced::run || r.what == traced::run_end;
  const std::string_view what = is_run ? "run" : "session";
  std::string name = o.name;
  append(name, " of PE ", log_.who_.rank);
  add_begin(to, name, what, phase, r);
  append(to, R"(,"id":")", static_cast<std::uint64_t>(log_.who_.rank) * objects + r.object,
         R"(","args":{"of":)", json_text(o.name), R"(,")", what, R"(":)", r.other);
  if (phase == "b") append(to, R"(,"kind":")", o.kind, R"(","about":)", json_text(o.about));
  if (r.what == traced::session) append(to, R"(,"item_bytes":)", r.length);
  if (phase == "n") append(to, R"(,"state":)", json_text(texts_[r.text]));
  append(to, "}}");
}

}  // namespace boxcar::detail
