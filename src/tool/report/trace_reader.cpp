// The reader of trace files: checks their content, and combines the files to the trace of a job.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include <boxcar/detail/max_pes.hpp>
#include <boxcar/error.hpp>

#include "basis/printable.hpp"
#include "report/trace.hpp"

namespace boxcar::tool {
namespace {

using nlohmann::json;

constexpr int known_format = 1;
constexpr const char* remedy =
    "; give files that a program has written because of BOXCAR_TRACE=FILE";

constexpr std::int64_t max_number = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t max_int = std::numeric_limits<int>::max();
// The number of bytes in a trace has 32 bits.
constexpr std::int64_t max_bytes = std::numeric_limits<std::uint32_t>::max();
// Microseconds, about 30 years. Differences and sums of times up to this bound are finite.
constexpr double max_time = 1e15;

// The assignment of a number to each text.
class numbering {
 public:
  std::pair<std::uint32_t, bool> of(const std::string& text) {
    const auto [at, is_new] =
        numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size()));
    return {at->second, is_new};
  }

 private:
  std::map<std::string, std::uint32_t> numbers_;
};

struct growing_job {
  traced_job job;
  numbering calls;
  numbering objects;
  std::set<int> pes;  // of the parts

  std::uint32_t call(const std::string& name) {
    const auto [number, is_new] = calls.of(name);
    if (is_new) job.calls.push_back(name);
    return number;
  }
  std::uint32_t object(const std::string& name) {
    const auto [number, is_new] = objects.of(name);
    if (is_new) job.objects.push_back({name, "", 0});
    return number;
  }
};

class reader {
 public:
  void read(const std::string& path) {
    path_ = path;
    line_ = 0;
    threads_.clear();
    std::ifstream file(path);
    if (!file) {
      throw system_error("cannot read " + path + ": " + std::strerror(errno) + remedy);
    }
    std::string text;
    std::optional<std::string> bad;  // the error in the last line
    bool is_closed = false;
    while (std::getline(file, text)) {
      ++line_;
      if (line_ == 1 && text != "[") refuse("does not begin as a trace of Boxcar does");
      if (bad) {
        --line_;
        refuse(*bad + "; the file was changed, or cut in the middle");
      }
      if (text == "[" || text.empty()) continue;
      is_closed = text == "]";
      if (is_closed) continue;
      if (text.back() == ',') text.pop_back();
      bad = problem_of(text);
      if (bad && line_ == 2) refuse(*bad);
    }
    if (file.bad()) throw system_error("cannot read all of " + path + ": " + std::strerror(errno));
    if (line_ < 2) refuse("is empty, or ends before its first event");
    if (bad) {
      remark("the last line is cut off and was left out: " + *bad);
    } else if (!is_closed) {
      remark("it is incomplete: a PE was killed while it wrote its part, or the disk is full");
    }
  }

  trace take() {
    for (auto& [name, j] : jobs_) {
      std::ranges::sort(j.job.parts, {}, &part_of_pe::pe);
      add_remarks(j.job);
      all_.jobs.push_back(std::move(j.job));
    }
    const auto begin_of = [](const traced_job& j) {
      double first = j.parts.front().begin;
      for (const part_of_pe& p : j.parts) first = std::min(first, p.begin);
      return first;
    };
    std::ranges::stable_sort(all_.jobs, {}, begin_of);
    return std::move(all_);
  }

 private:
  struct place {
    growing_job* job;
    std::size_t part;
  };

  [[noreturn]] void refuse(const std::string& why) const {
    throw argument_error(path_ + ", line " + std::to_string(std::max<std::int64_t>(line_, 1)) +
                         ": " + detail::printable(why) + remedy);
  }

  // Returns the value of a key, a whole number between `least` and `most`.
  [[nodiscard]] std::int64_t whole(const json& of, const char* key, std::int64_t least,
                                   std::int64_t most) const {
    const json& value = of.at(key);
    const bool is_whole = value.is_number_integer() &&
                          (!value.is_number_unsigned() ||
                           value.get<std::uint64_t>() <= static_cast<std::uint64_t>(max_number));
    if (is_whole && value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most) {
      return value.get<std::int64_t>();
    }
    refuse("has \"" + std::string(key) + "\": " + value.dump() +
           ", which is no whole number from " + std::to_string(least) + " to " +
           std::to_string(most));
  }
  [[nodiscard]] int number(const json& of, const char* key, std::int64_t least,
                           std::int64_t most) const {
    return static_cast<int>(whole(of, key, least, most));
  }
  [[nodiscard]] std::uint64_t bytes(const json& of, const char* key) const {
    return static_cast<std::uint64_t>(whole(of, key, 0, max_bytes));
  }
  // Returns the value of a key, in microseconds.
  [[nodiscard]] double time(const json& of, const char* key, double least = -max_time) const {
    const json& value = of.at(key);
    if (value.is_number()) {
      const auto given = value.get<double>();
      if (given >= least && given <= max_time) return given;
    }
    refuse("has \"" + std::string(key) + "\": " + value.dump() + ", which is no time");
  }

  void remark(const std::string& what) { all_.remarks.push_back(path_ + ": " + what); }

  // Returns the reason why a line is no event, or nothing.
  std::optional<std::string> problem_of(const std::string& text) {
    try {
      const json event = json::parse(text);
      if (line_ == 2) {
        begin(event);
      } else {
        add(event);
      }
      return std::nullopt;
    } catch (const json::parse_error&) {
      return "is no event";
    } catch (const json::exception&) {
      return "lacks a field of an event of Boxcar";
    }
  }

  void begin(const json& event) {
    if (event.at("name") != "boxcar_trace") refuse("is no beginning of a trace of Boxcar");
    const json& args = event.at("args");
    const json& format = args.at("format");
    if (!format.is_number() || format != known_format) {
      refuse("is of format " + format.dump() + ", which Boxcar " +
             args.at("boxcar").get<std::string>() + " writes and this one does not know; use the " +
             "`boxcar report` of that one");
    }
    constexpr double nanoseconds = 1000;
    const std::int64_t calendar = whole(args, "calendar", 0, max_number);
    if (!first_calendar_) first_calendar_ = calendar;
    shift_ = static_cast<double>(calendar - *first_calendar_) / nanoseconds;
  }

  void add(const json& event) {
    const auto phase = event.at("ph").get<std::string>();
    const auto thread =
        std::pair(whole(event, "pid", 0, max_number), number(event, "tid", 0, max_int));
    if (phase == "M") {
      if (event.at("name") == "boxcar_pe") add_part(event.at("args"), thread);
      return;
    }
    const auto at = threads_.find(thread);
    if (at == threads_.end()) refuse("belongs to a PE that the file has not introduced before");
    growing_job& job = *at->second.job;
    part_of_pe& part = job.job.parts[at->second.part];
    const auto category = event.at("cat").get<std::string>();
    const auto span = [&](const std::string& name) {
      return traced_span{time(event, "ts") + shift_, time(event, "dur", 0), job.call(name)};
    };
    if (category == "wait") {
      part.waits.push_back(span(event.at("args").at("in").get<std::string>()));
    } else if (category == "handlers") {
      part.handlers.push_back(span("handlers"));
    } else if (category == "buffer") {
      add_buffer(event, job, part);
    } else if (phase == "b") {
      const json& args = event.at("args");
      auto about = args.at("about").get<std::string>();
      traced_object& o = job.job.objects[job.object(args.at("of").get<std::string>())];
      ++o.sessions;
      o.about = std::move(about);
    }
  }

  void add_part(const json& args, const std::pair<std::int64_t, int>& thread) {
    const auto name = args.at("job").get<std::string>();
    const auto substrate = args.at("substrate").get<std::string>();
    const int pes =
        number(args, "pes", 1, boxcar::detail::max_simulated_pes);  // no world is larger
    const int nodes = number(args, "nodes", 1, pes);
    part_of_pe part{.pe = number(args, "pe", 0, pes - 1),
                    .node = number(args, "node", 0, nodes - 1),
                    .host = args.at("host").get<std::string>(),
                    .begin = time(args, "begin") + shift_,
                    .end = time(args, "end") + shift_,
                    .dropped = static_cast<std::uint64_t>(whole(args, "dropped", 0, max_bytes)),
                    .waits = {},
                    .handlers = {},
                    .sent = {}};
    if (part.end < part.begin) refuse("describes a PE that ended before it began");
    growing_job& j = jobs_[name];
    if (j.job.parts.empty()) {
      j.job.name = name;
      j.job.substrate = substrate;
      j.job.pes = pes;
      j.job.nodes = nodes;
    }
    expect_same("pes", pes, j.job.pes);
    expect_same("nodes", nodes, j.job.nodes);
    if (!j.pes.insert(part.pe).second) {
      refuse("describes PE " + std::to_string(part.pe) + " a second time: give each file once");
    }
    threads_[thread] = {&j, j.job.parts.size()};
    j.job.parts.push_back(std::move(part));
  }
  void expect_same(const char* key, int given, int before) const {
    if (given == before) return;
    refuse("has \"" + std::string(key) + "\": " + std::to_string(given) +
           ", while another PE of the same job has " + std::to_string(before));
  }

  void add_buffer(const json& event, growing_job& job, part_of_pe& part) {
    const json& args = event.at("args");
    if (event.at("name") != "sent") {
      part.received_bytes += bytes(args, "bytes");
      ++part.received_buffers;
      return;
    }
    const auto of = args.at("of").get<std::string>();
    sent_buffer buffer{.to = number(args, "to", 0, job.job.pes - 1),
                       .object = 0,
                       .bytes = bytes(args, "bytes"),
                       .filled = bytes(args, "filled"),
                       .capacity = bytes(args, "capacity"),
                       .is_local = args.at("local").get<bool>(),
                       .is_last = args.at("last").get<bool>()};
    buffer.object = job.object(of);
    part.sent.push_back(buffer);
  }

  void add_remarks(const traced_job& job) {
    std::uint64_t dropped = 0;
    for (const part_of_pe& p : job.parts) dropped += p.dropped;
    if (dropped != 0) {
      all_.remarks.push_back("PEs kept no note of " + std::to_string(dropped) +
                             " later events: the figures are of what came before; raise "
                             "BOXCAR_TRACE_EVENTS");
    }
    if (static_cast<int>(job.parts.size()) == job.pes) return;
    // The time of the loop depends on the parts in the file, not on the number of PEs that the file
    // claims.
    constexpr int max_listed = 8;
    const auto num_missing = static_cast<std::size_t>(job.pes) - job.parts.size();
    const auto num_listed = std::min<std::size_t>(num_missing, max_listed);
    std::string missing;
    std::size_t next = 0;
    std::size_t listed = 0;
    for (int pe = 0; listed < num_listed; ++pe) {
      if (next < job.parts.size() && job.parts[next].pe == pe) {
        ++next;
      } else {
        missing += (listed++ == 0 ? "" : ", ") + std::to_string(pe);
      }
    }
    if (num_missing > num_listed) {
      missing += " and " + std::to_string(num_missing - num_listed) + " more";
    }
    all_.remarks.push_back("there is nothing of PE " + missing +
                           ": they were killed, or wrote to files that were not given");
  }

  std::string path_;
  std::int64_t line_ = 0;
  std::optional<std::int64_t> first_calendar_;
  double shift_ = 0;  // of the times of this file
  std::map<std::string, growing_job> jobs_;
  std::map<std::pair<std::int64_t, int>, place> threads_;  // of this file
  trace all_;
};

}  // namespace

trace read_traces(const std::vector<std::string>& paths) {
  reader r;
  for (const std::string& path : paths) r.read(path);
  return r.take();
}

}  // namespace boxcar::tool
