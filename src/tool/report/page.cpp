#include "report/page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string_view>

#include <boxcar/version.hpp>

#include "report/figures.hpp"
#include "text.hpp"

namespace boxcar::tool {
namespace {

using bench::bytes_text;
using bench::decimal;
using bench::escaped;
using bench::seconds_text;
using bench::with_commas;

// Further jobs of a program are not shown: a page is for a single important job.
constexpr std::size_t max_jobs = 12;
// The largest number of groups in a matrix with numbers.
constexpr std::size_t most_with_numbers = 12;
constexpr std::size_t max_objects = 20;
constexpr double in_seconds = 1e6;

// Waits have the colours of the pictures of `boxcar bench`: colour-blind readers can tell the
// colours apart.
constexpr std::string_view style = R"(
:root{color-scheme:light dark;--paper:#fff;--ink:#1c1e21;--faint:#667085;--rule:#d9dde3;--wash:#f4f6f8;
--heat:0,98,158;--on-heat:#000;--work:#8ccba9;--handle:#4b9b73;--w0:#d55e00;--w1:#e69f00;--w2:#cc79a7;
--w3:#56b4e9;--w4:#7a6ff0;--w5:#9aa0a8;--warn:#fff4e0}
@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e8eb;--faint:#98a2b3;--rule:#343a43;
--wash:#1e2329;--heat:86,180,233;--on-heat:#fff;--work:#2f7d58;--handle:#6fcf9f;--w5:#6b7280;
--warn:#3a2f17}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}h2{font-size:1.25rem;margin:2.5rem 0 .25rem;
border-top:1px solid var(--rule);padding-top:1rem}h3{font-size:1.05rem;margin:1.75rem 0 .25rem}
p{margin:.25rem 0 .75rem;max-width:46rem}.faint,caption,figcaption{color:var(--faint);font-size:.875rem}
.note{background:var(--warn);padding:.5rem .75rem;border-radius:.375rem;margin:.5rem 0;overflow-wrap:anywhere}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.5rem;margin:1rem 0}
.card{background:var(--wash);border-radius:.5rem;padding:.6rem .75rem}.card b{display:block;font-size:1.35rem;
line-height:1.3}.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}
th{font-weight:600}th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--paper)}
td.text{text-align:left;white-space:normal;min-width:14rem}
.matrix td,.matrix th{border:1px solid var(--paper);text-align:center;min-width:4.5rem}
.matrix td{color:var(--on-heat)}.matrix .middle{color:#000}.matrix .strong{color:var(--paper)}
.matrix th:first-child{text-align:right;min-width:0}
.heat{display:block;width:100%;max-width:34rem;height:auto;background:var(--wash)}
.row{display:grid;grid-template-columns:3.2rem 1fr 3.5rem;gap:.5rem;
align-items:center;font-size:.875rem;font-variant-numeric:tabular-nums}
.rows{display:grid;gap:3px;margin:.5rem 0}.row>:first-child,.row>:last-child{text-align:right}
.bar{display:flex;height:1.1rem;background:var(--wash);border-radius:3px;overflow:hidden}.bar i{display:block}
.many .bar{height:.55rem;border-radius:0}.many .row{line-height:.7rem;font-size:.7rem}
.strip{display:block;width:100%;height:1.1rem}.many .strip{height:.55rem}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.875rem;margin:.4rem 0;padding:0;list-style:none}
.legend i{display:inline-block;width:.8rem;height:.8rem;border-radius:2px;margin-right:.35rem;vertical-align:-1px}
.fills .row{grid-template-columns:5rem 1fr 4.5rem}
.full{background:rgb(var(--heat))}.last{background:rgba(var(--heat),.4)}
)";

std::string percent(double part, double whole) {
  constexpr double hundred = 100;
  return whole <= 0 ? "–" : decimal(hundred * part / whole, 0) + " %";
}

double number(std::uint64_t n) {
  return static_cast<double>(n);
}

std::string counted(std::uint64_t n, const std::string& what) {
  return with_commas(n) + " " + what + (n == 1 ? "" : "s");
}

class writer {
 public:
  std::string page(const trace& t, const std::vector<std::string>& of) {
    std::string names;
    for (const std::string& name : of) names += (names.empty() ? "" : ", ") + name;
    out_ << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>"
         << escaped(names) << " – boxcar report</title>\n<style>" << style
         << "</style></head><body>\n<h1>What the PEs did</h1>\n<p class=\"faint\">From "
         << escaped(names) << ", by boxcar report " << version
         << ". Perfetto and chrome://tracing show the same file event by event.</p>\n";
    for (const std::string& remark : t.remarks) {
      out_ << "<p class=\"note\">" << escaped(remark) << "</p>\n";
    }
    if (t.jobs.empty()) out_ << "<p>No PE has written anything to it.</p>\n";
    for (std::size_t i = 0; i < std::min(t.jobs.size(), max_jobs); ++i) {
      add(t.jobs[i], t.jobs.size() > 1 ? "Job " + std::to_string(i + 1) + ": " : "");
    }
    if (t.jobs.size() > max_jobs) {
      out_ << "<p class=\"note\">" << t.jobs.size() - max_jobs
           << " further jobs of the program are not shown.</p>\n";
    }
    out_ << "</body></html>\n";
    return out_.str();
  }

 private:
  void add(const traced_job& job, const std::string& which) {
    const job_figures f = figures_of(job);
    out_ << "<section class=\"job\" data-job=\"" << escaped(job.name) << "\">\n<h2>" << which
         << counted(static_cast<std::uint64_t>(job.pes), "PE") << " on "
         << counted(static_cast<std::uint64_t>(job.nodes), "node") << ", " << escaped(job.substrate)
         << "</h2>\n";
    add_cards(job, f);
    add_matrix(f);
    add_fills(f);
    add_costly(f);
    add_waits(f);
    add_timeline(f);
    add_objects(f);
    add_totals(f);
    out_ << "</section>\n";
  }

  void card(const std::string& figure, const std::string& what) {
    out_ << "<div class=\"card\"><b>" << figure << "</b>" << escaped(what) << "</div>\n";
  }

  void add_cards(const traced_job& job, const job_figures& f) {
    std::uint64_t bytes = 0;
    std::uint64_t buffers = 0;
    double seconds = 0;
    double waited = 0;
    for (const group_figures& g : f.groups) {
      bytes += g.sent_bytes;
      buffers += g.sent_buffers;
      seconds += g.seconds;
      waited += g.waited();
    }
    std::uint64_t filled = 0;
    std::uint64_t capacity = 0;
    for (const object_figures& o : f.objects) {
      filled += o.filled;
      capacity += o.capacity;
    }
    out_ << "<div class=\"cards\">\n";
    card(seconds_text((f.end - f.begin) / in_seconds),
         "from the first PE's begin to the last's end");
    card(bytes_text(bytes), "sent in " + counted(buffers, "buffer"));
    card(percent(number(filled), number(capacity)), "full, when buffers with items left");
    card(percent(waited, seconds), "of the PEs' time was waiting");
    if (job.nodes > 1)
      card(percent(number(f.between_nodes), number(bytes)), "of the bytes left their node");
    out_ << "</div>\n";
  }

  // --- Who sent to whom --------------------------------------------------------------------------

  static double share(std::uint64_t bytes, std::uint64_t most) {
    return most == 0 ? 0 : number(bytes) / number(most);
  }

  void add_matrix(const job_figures& f) {
    const std::uint64_t most = *std::ranges::max_element(f.bytes_between);
    out_ << "<h3>Who sent to whom</h3>\n<p class=\"faint\">Bytes in buffers from the "
         << f.groups_are
         << " of a row to that of a column; with several hops, each hop counts. The strongest "
            "colour is "
         << bytes_text(most) << ".</p>\n";
    if (most == 0) {
      out_ << "<p>No buffer was sent.</p>\n";
    } else if (f.groups.size() <= most_with_numbers) {
      add_table_of_bytes(f, most);
    } else {
      add_map_of_bytes(f, most);
    }
  }

  // Returns the class of legible ink for the colour, on light and on dark paper.
  static const char* ink_on(double share_of_most) {
    constexpr double light_ink_fades = 0.64;  // on dark paper, and from here on dark ink is seen
    constexpr double dark_ink_fades = 0.825;  // on light paper, and from here on light ink is seen
    if (share_of_most < light_ink_fades) return "";
    return share_of_most < dark_ink_fades ? " middle" : " strong";
  }

  void add_table_of_bytes(const job_figures& f, std::uint64_t most) {
    out_ << "<div class=\"wide\"><table class=\"matrix\"><tr><th>from \\ to</th>";
    for (const group_figures& g : f.groups) out_ << "<th>" << g.name << "</th>";
    out_ << "</tr>\n";
    for (std::size_t from = 0; from < f.groups.size(); ++from) {
      out_ << "<tr><th>" << f.groups[from].name << "</th>";
      for (std::size_t to = 0; to < f.groups.size(); ++to) {
        const std::uint64_t bytes = f.bytes(from, to);
        const double much = share(bytes, most);
        out_ << "<td class=\"bytes" << ink_on(much) << "\" data-from=\"" << f.groups[from].name
             << "\" data-to=\"" << f.groups[to].name << "\" data-bytes=\"" << bytes
             << "\" style=\"background:rgba(var(--heat)," << decimal(much, 2) << ")\">"
             << (bytes == 0 ? "·" : bytes_text(bytes)) << "</td>";
      }
      out_ << "</tr>\n";
    }
    out_ << "</table></div>\n";
  }

  void add_map_of_bytes(const job_figures& f, std::uint64_t most) {
    constexpr double faintest = 0.06;  // of what is not nothing
    const std::size_t n = f.groups.size();
    out_ << "<figure style=\"margin:0\"><svg class=\"heat\" role=\"img\" viewBox=\"0 0 " << n << ' '
         << n << "\" shape-rendering=\"crispEdges\"><title>Bytes from row to column</title>\n";
    for (std::size_t from = 0; from < n; ++from) {
      for (std::size_t to = 0; to < n; ++to) {
        const std::uint64_t bytes = f.bytes(from, to);
        if (bytes == 0) continue;
        out_ << "<rect class=\"bytes\" data-from=\"" << f.groups[from].name << "\" data-to=\""
             << f.groups[to].name << "\" data-bytes=\"" << bytes << "\" x=\"" << to << "\" y=\""
             << from << "\" width=\"1\" height=\"1\" style=\"fill:rgba(var(--heat),"
             << decimal(std::max(share(bytes, most), faintest), 2) << ")\"><title>"
             << f.groups[from].name << " to " << f.groups[to].name << ": " << bytes_text(bytes)
             << "</title></rect>\n";
      }
    }
    out_ << "</svg><figcaption>From above to below: the senders, " << f.groups_are << ' '
         << f.groups.front().name << " to " << f.groups.back().name
         << "; from left to right: the receivers, in the same order.</figcaption></figure>\n";
  }

  // --- How full buffers left ---------------------------------------------------------------------

  void add_fills(const job_figures& f) {
    const std::uint64_t most = *std::ranges::max_element(f.fills);
    out_ << "<h3>How full buffers left</h3>\n";
    if (most == 0) {
      out_ << "<p>No buffer with items was sent.</p>\n";
      return;
    }
    out_ << "<p class=\"faint\">Buffers with items, by how much of their room was used. Those that "
            "end a session leave as they are"
         << (f.empty_buffers == 0 ? ""
                                  : "; " + counted(f.empty_buffers, "further buffer") +
                                        " held nothing but the word that a session ends")
         << ".</p>\n<ul class=\"legend\"><li><i class=\"full\"></i>on the way</li><li><i "
            "class=\"last\"></i>the last of a session</li></ul>\n<div class=\"rows fills\">\n";
    for (int i = job_figures::fill_steps - 1; i >= 0; --i) {
      const auto step = static_cast<std::size_t>(i);
      const std::uint64_t all = f.fills[step];
      const std::uint64_t last = f.last_fills[step];
      out_ << "<div class=\"row\" data-buffers=\"" << all << "\"><span>" << 10 * i << "–"
           << 10 * (i + 1) << " %</span><span class=\"bar\">"
           << slice("class=\"full\"", share(all - last, most))
           << slice("class=\"last\"", share(last, most)) << "</span><span>" << with_commas(all)
           << "</span></div>\n";
    }
    out_ << "</div>\n";
  }

  static std::string slice(const std::string& how, double share_of_bar) {
    constexpr double hundred = 100;
    if (share_of_bar <= 0) return "";
    return "<i " + how + " style=\"width:" + decimal(hundred * share_of_bar, 2) + "%\"></i>";
  }
  static std::string coloured(const std::string& variable, double share_of_bar,
                              const std::string& title) {
    constexpr double hundred = 100;
    if (share_of_bar <= 0) return "";
    return "<i title=\"" + escaped(title) +
           "\" style=\"width:" + decimal(hundred * share_of_bar, 2) + "%;background:var(" +
           variable + ")\"></i>";
  }

  // --- Messages that cost much -------------------------------------------------------------------

  void add_costly(const job_figures& f) {
    const std::vector<object_figures> costly = f.costly_objects();
    if (costly.empty()) return;
    out_ << "<h3>Messages that cost much</h3>\n<p class=\"faint\">More than 2 % of the time of all "
            "PEs, by the costs of an ordinary machine. Full buffers are fewer messages: items wait "
            "for one another if nothing flushes them, if asks go out in batches or from many "
            "coroutines, and if fewer links share them (more hops).</p>\n<ul class=\"costly\">\n";
    for (std::size_t i = 0; i < std::min(costly.size(), max_objects); ++i) {
      const object_figures& o = costly[i];
      out_ << "<li data-object=\"" << escaped(o.name) << "\"><b>" << escaped(o.name)
           << "</b>: " << counted(o.messages, "message") << " cost about "
           << seconds_text(o.message_seconds) << " of processors, "
           << percent(o.message_seconds, f.seconds) << " of the time; "
           << percent(number(o.filled), number(o.capacity)) << " full. Full buffers save about "
           << seconds_text(o.seconds_saved()) << ", " << percent(o.seconds_saved(), f.seconds)
           << ".</li>\n";
    }
    out_ << "</ul>\n";
  }

  // --- Where PEs waited --------------------------------------------------------------------------

  static const char* rows_class(const job_figures& f) {
    constexpr std::size_t many = 24;
    return f.groups.size() > many ? "rows many" : "rows";
  }

  void add_waits(const job_figures& f) {
    bool any_handlers = false;
    for (const group_figures& g : f.groups) any_handlers |= g.handlers > 0;
    out_ << "<h3>Where PEs waited</h3>\n<p class=\"faint\">The time of each " << f.groups_are
         << ": what it waited in, and on the right how much of it was waiting. What is not waiting "
            "is computing, also within Boxcar.</p>\n<ul class=\"legend\"><li><i "
            "style=\"background:var(--work)\"></i>computing</li>";
    if (any_handlers) out_ << "<li><i style=\"background:var(--handle)\"></i>handlers</li>";
    for (std::size_t k = 0; k < f.wait_kinds.size(); ++k) {
      out_ << "<li><i style=\"background:var(--w" << k << ")\"></i>" << escaped(f.wait_kinds[k])
           << "</li>";
    }
    out_ << "</ul>\n<div class=\"" << rows_class(f) << " waits\">\n";
    for (const group_figures& g : f.groups) {
      if (g.seconds <= 0) continue;
      out_ << "<div class=\"row\" data-pe=\"" << g.name << "\"><span>" << g.name
           << "</span><span class=\"bar\">"
           << coloured("--work", g.computed() / g.seconds,
                       "computing: " + seconds_text(g.computed()))
           << coloured("--handle", g.handlers / g.seconds, "handlers: " + seconds_text(g.handlers));
      for (std::size_t k = 0; k < g.waits.size(); ++k) {
        out_ << coloured(std::string("--w").append(std::to_string(k)), g.waits[k] / g.seconds,
                         f.wait_kinds[k] + ": " + seconds_text(g.waits[k]));
      }
      out_ << "</span><span>" << percent(g.waited(), g.seconds) << "</span></div>\n";
    }
    out_ << "</div>\n";
  }

  // --- When --------------------------------------------------------------------------------------

  void add_timeline(const job_figures& f) {
    out_ << "<h3>When PEs waited</h3>\n<p class=\"faint\">From the begin to the end, "
         << seconds_text((f.end - f.begin) / in_seconds)
         << ", from left to right. Blank: nobody was there.</p>\n<ul class=\"legend\"><li><i "
            "style=\"background:var(--work)\"></i>computing</li><li><i "
            "style=\"background:var(--w0)\"></i>waiting; in between: some of both</li></ul>\n<div "
            "class=\""
         << rows_class(f) << " times\">\n";
    for (const group_figures& g : f.groups) {
      if (g.seconds <= 0) continue;
      out_ << "<div class=\"row\"><span>" << g.name
           << "</span><svg class=\"strip\" preserveAspectRatio=\"none\" "
              "shape-rendering=\"crispEdges\" viewBox=\"0 0 "
           << job_figures::time_steps << " 1\">";
      add_strip(g.timeline);
      out_ << "</svg><span></span></div>\n";
    }
    out_ << "</div>\n";
  }

  // Adjacent steps with the same look become one.
  void add_strip(const std::vector<double>& timeline) {
    constexpr double levels = 10;
    const auto level = [&](std::size_t i) {
      return timeline[i] < 0 ? -1 : std::round(timeline[i] * levels) / levels;
    };
    for (std::size_t from = 0; from < timeline.size();) {
      std::size_t to = from + 1;
      while (to < timeline.size() && level(to) == level(from)) ++to;
      if (level(from) == 0) {
        out_ << "<rect x=\"" << from << "\" width=\"" << to - from
             << "\" height=\"1\" style=\"fill:var(--work)\"/>";
      } else if (level(from) > 0) {
        out_ << "<rect x=\"" << from << "\" width=\"" << to - from
             << "\" height=\"1\" style=\"fill:var(--work)\"/><rect x=\"" << from << "\" width=\""
             << to - from
             << "\" height=\"1\" style=\"fill:var(--w0);fill-opacity:" << decimal(level(from), 1)
             << "\"/>";
      }
      from = to;
    }
  }

  // --- Tables ------------------------------------------------------------------------------------

  void add_objects(const job_figures& f) {
    if (f.objects.empty()) return;
    out_ << "<h3>Conveyors, streams, collectives, schedules</h3>\n<div class=\"wide\"><table>"
            "<tr><th>what</th><th>sessions, runs</th><th>buffers</th><th>sent</th><th>full</th>"
            "<th style=\"text-align:left\">how</th></tr>\n";
    for (std::size_t i = 0; i < std::min(f.objects.size(), max_objects); ++i) {
      const object_figures& o = f.objects[i];
      out_ << "<tr><td>" << escaped(o.name) << "</td><td>" << with_commas(o.sessions) << "</td><td>"
           << with_commas(o.buffers) << "</td><td>" << bytes_text(o.bytes) << "</td><td>"
           << percent(number(o.filled), number(o.capacity)) << "</td><td class=\"text\">"
           << escaped(o.about) << "</td></tr>\n";
    }
    out_ << "</table></div>\n<p class=\"faint\">Of all PEs together: each counts its sessions and "
            "runs.";
    if (f.objects.size() > max_objects) {
      out_ << ' ' << f.objects.size() - max_objects << " that sent less are left out.";
    }
    out_ << "</p>\n";
  }

  void add_totals(const job_figures& f) {
    out_ << "<h3>Each " << f.groups_are
         << "</h3>\n<div class=\"wide\"><table class=\"totals\"><tr><th>" << f.groups_are
         << "</th><th>time</th><th>computing</th><th>handlers</th><th>waiting</th>"
         << "<th>buffers sent</th><th>sent</th><th>buffers received</th><th>received</th></tr>\n";
    for (const group_figures& g : f.groups) {
      if (g.pes == 0) continue;
      out_ << "<tr data-pe=\"" << g.name << "\" data-sent=\"" << g.sent_bytes
           << "\" data-received=\"" << g.received_bytes << "\"><td>" << g.name << "</td><td>"
           << seconds_text(g.seconds) << "</td><td>" << percent(g.computed(), g.seconds)
           << "</td><td>" << percent(g.handlers, g.seconds) << "</td><td>"
           << percent(g.waited(), g.seconds) << "</td><td>" << with_commas(g.sent_buffers)
           << "</td><td>" << bytes_text(g.sent_bytes) << "</td><td>"
           << with_commas(g.received_buffers) << "</td><td>" << bytes_text(g.received_bytes)
           << "</td></tr>\n";
    }
    out_ << "</table></div>\n";
  }

  std::ostringstream out_;
};

}  // namespace

std::string page_of(const trace& t, const std::vector<std::string>& of) {
  return writer().page(t, of);
}

}  // namespace boxcar::tool
