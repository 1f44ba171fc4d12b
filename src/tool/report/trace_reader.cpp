#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include <boxcar/error.hpp>

#include "report/trace.hpp"

namespace boxcar::tool {
namespace {

using nlohmann::json;

constexpr int known_format = 1;
constexpr const char* remedy =
    "; give files that a program has written because of BOXCAR_TRACE=FILE";

// A number for each text.
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
    std::optional<std::string> bad;  // why the last line was none
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
    if (line_ < 2) refuse("is empty, or ends before anything is told");
    if (bad) {
      remark("the last line is cut off and was left out: " + *bad);
    } else if (!is_closed) {
      remark(
          "it does not come to its end: a PE was killed while it wrote its part, or the disk is "
          "full");
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
    throw argument_error(path_ + ", line " + std::to_string(std::max(line_, 1)) + ": " + why +
                         remedy);
  }
  void remark(const std::string& what) { all_.remarks.push_back(path_ + ": " + what); }

  // Why a line is no event, or nothing.
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
      return "lacks what an event of Boxcar has";
    }
  }

  void begin(const json& event) {
    if (event.at("name") != "boxcar_trace") refuse("is no beginning of a trace of Boxcar");
    const json& args = event.at("args");
    if (args.at("format") != known_format) {
      refuse("is of format " + args.at("format").dump() + ", which Boxcar " +
             args.at("boxcar").get<std::string>() + " writes and this one does not know; use the " +
             "`boxcar report` of that one");
    }
    constexpr double nanoseconds = 1000;
    const auto calendar = args.at("calendar").get<std::int64_t>();
    if (!first_calendar_) first_calendar_ = calendar;
    shift_ = static_cast<double>(calendar - *first_calendar_) / nanoseconds;
  }

  void add(const json& event) {
    const auto phase = event.at("ph").get<std::string>();
    const auto thread = std::pair(event.at("pid").get<std::int64_t>(), event.at("tid").get<int>());
    if (phase == "M") {
      if (event.at("name") == "boxcar_pe") add_part(event.at("args"), thread);
      return;
    }
    const auto at = threads_.find(thread);
    if (at == threads_.end()) refuse("is of a PE that the file has not told of before");
    growing_job& job = *at->second.job;
    part_of_pe& part = job.job.parts[at->second.part];
    const auto category = event.at("cat").get<std::string>();
    const auto span = [&](const std::string& name) {
      return traced_span{event.at("ts").get<double>() + shift_, event.at("dur").get<double>(),
                         job.call(name)};
    };
    if (category == "wait") {
      part.waits.push_back(span(event.at("args").at("in").get<std::string>()));
    } else if (category == "handlers") {
      part.handlers.push_back(span("handlers"));
    } else if (category == "buffer") {
      add_buffer(event, job, part);
    } else if (phase == "b") {
      const json& args = event.at("args");
      traced_object& o = job.job.objects[job.object(args.at("of").get<std::string>())];
      ++o.sessions;
      o.about = args.at("about").get<std::string>();
    }
  }

  void add_part(const json& args, const std::pair<std::int64_t, int>& thread) {
    growing_job& j = jobs_[args.at("job").get<std::string>()];
    part_of_pe part{.pe = args.at("pe"),
                    .node = args.at("node"),
                    .host = args.at("host"),
                    .begin = args.at("begin").get<double>() + shift_,
                    .end = args.at("end").get<double>() + shift_,
                    .dropped = args.at("dropped"),
                    .waits = {},
                    .handlers = {},
                    .sent = {}};
    j.job.name = args.at("job");
    j.job.substrate = args.at("substrate");
    j.job.pes = args.at("pes");
    j.job.nodes = args.at("nodes");
    if (part.pe < 0 || part.pe >= j.job.pes) refuse("tells of a PE that the job does not have");
    for (const part_of_pe& other : j.job.parts) {
      if (other.pe == part.pe) {
        refuse("tells of PE " + std::to_string(part.pe) + " once more: give each file once");
      }
    }
    threads_[thread] = {&j, j.job.parts.size()};
    j.job.parts.push_back(std::move(part));
  }

  void add_buffer(const json& event, growing_job& job, part_of_pe& part) {
    const json& args = event.at("args");
    if (event.at("name") != "sent") {
      ++part.received_buffers;
      part.received_bytes += args.at("bytes").get<std::uint64_t>();
      return;
    }
    const int to = args.at("to");
    if (to < 0 || to >= job.job.pes) refuse("sends to a PE that the job does not have");
    part.sent.push_back({.to = to,
                         .object = job.object(args.at("of").get<std::string>()),
                         .bytes = args.at("bytes"),
                         .filled = args.at("filled"),
                         .capacity = args.at("capacity"),
                         .is_local = args.at("local"),
                         .is_last = args.at("last")});
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
    std::string missing;
    std::size_t next = 0;
    int more = 0;
    constexpr int listed = 8;
    for (int pe = 0; pe < job.pes; ++pe) {
      if (next < job.parts.size() && job.parts[next].pe == pe) {
        ++next;
      } else if (more++ < listed) {
        missing += (missing.empty() ? "" : ", ") + std::to_string(pe);
      }
    }
    if (more > listed) missing += " and " + std::to_string(more - listed) + " more";
    all_.remarks.push_back("there is nothing of PE " + missing +
                           ": they were killed, or wrote to files that were not given");
  }

  std::string path_;
  int line_ = 0;
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
