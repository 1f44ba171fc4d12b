#include "hosts/hosts_job.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

#include "hosts/agent.hpp"
#include "hosts/forwarded_input.hpp"
#include "hosts/message.hpp"
#include "hosts/part.hpp"
#include "hosts/remote_host.hpp"
#include "launcher/open_file_limit.hpp"
#include "launcher/report.hpp"
#include "launcher/signal_catcher.hpp"
#include "launcher/standard_streams.hpp"
#include "launcher/verdict.hpp"

namespace boxcar::hosts {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
using launcher::verdict;
using stage = remote_host::stage;

constexpr auto from_term_to_kill = 250ms;     // for an agent
constexpr auto for_cause_to_be_told = 600ms;  // of a failure that follows from another one
constexpr auto for_agent_to_end = 500ms;      // after the end of its `boxcar`
constexpr auto for_answer_to_end = 5s;        // for any sign of life of a host while the host ends
constexpr auto for_reader_to_catch_up = 1s;   // when the launcher has been asked to end

// The part of the message about the PEs that are ended together with the culprit.
enum class telling { nothing, who_they_are, what_they_do };

class hosts_job {
 public:
  explicit hosts_job(const hosts_job_options& options)
      : options_(options), file_limit_(static_cast<rlim_t>(3 * options.hosts.size() + 200)) {}
  hosts_job(const hosts_job&) = delete;
  hosts_job& operator=(const hosts_job&) = delete;
  ~hosts_job();

  int run();

 private:
  // --- Starting
  void start();
  void greet(remote_host& h);
  void describe_part(remote_host& h);
  void start_when_all_are_ready();

  // --- Watching, in turns
  void wait_for_news();
  void heed_signals();
  void stop_with_terminal();
  void hear(remote_host& h);
  void heed(remote_host& h, const message& what);
  void heed_ending(remote_host& h, const ending& what);
  void pass_on_bootstrap_data();
  void notice_ends();
  void check_connection(remote_host& h);
  void check_bootstrap();
  void check_cause();
  void check_output();
  void check_time();

  // --- Ending
  void lose(remote_host& h, const std::string& why);
  void end_all(verdict reason, telling of_others = telling::nothing);
  void end(remote_host& h);
  void insist();
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool takes_input() const {
    return !hosts_.empty() && hosts_.front().at() == stage::running;
  }
  void say_why();

  hosts_job_options options_;
  launcher::open_file_limit file_limit_;
  launcher::signal_catcher signals_;
  launcher::standard_streams output_;
  std::deque<remote_host> hosts_;  // in rank order

  forwarded_input input_;  // to the host of rank 0

  clock::time_point agents_late_at_ = clock::now() + options_.time_for_agents;
  std::optional<clock::time_point> times_up_;
  std::optional<clock::time_point> drop_output_at_;
  std::optional<verdict> follow_up_;  // a failure whose cause is not known yet
  clock::time_point cause_due_at_;
  std::optional<verdict> verdict_;  // set: all PEs are being ended
  telling of_others_ = telling::nothing;
  clock::time_point kill_at_;
  std::vector<int> ended_;            // PEs that ran when all were ended
  std::map<int, std::string> doing_;  // activities of these PEs: of each host, by its first PE
  std::vector<std::string> remarks_;
  bool children_changed_ = false;
};

// The destructor has nothing to do unless the launcher itself has failed.
hosts_job::~hosts_job() {
  for (remote_host& h : hosts_) {
    if (h.is_started()) h.process().kill_and_wait();
  }
}

int hosts_job::run() {
  start();
  do {
    wait_for_news();
    heed_signals();
    if (takes_input()) input_.forward(hosts_.front().talk());
    notice_ends();
    output_.write_what_fits();
    for (remote_host& h : hosts_) hear(h);
    start_when_all_are_ready();
    pass_on_bootstrap_data();
    check_bootstrap();
    check_cause();
    check_output();
    check_time();
    insist();
  } while (!is_over());
  say_why();
  return verdict_ ? verdict_->status : 0;
}

// --- Starting ------------------------------------------------------------------------------------

void hosts_job::start() {
  if (options_.timeout) times_up_ = clock::now() + *options_.timeout;
  const auto prepare = [this] {
    signals_.restore();
    file_limit_.restore();
  };
  int first_rank = 0;
  for (const host& one : options_.hosts) {
    remote_host h(one, static_cast<int>(hosts_.size()), first_rank);
    first_rank += one.pes;
    try {
      h.start(options_.agent, prepare, output_);
    } catch (const system_error& e) {
      end_all({1, "cannot start the agent for host " + one.name + ": " + e.what()});
      return;
    }
    hosts_.push_back(std::move(h));
  }
}

void hosts_job::greet(remote_host& h) {
  while (const auto line = h.talk().next_line()) {
    if (!line->starts_with(greeting)) {
      h.noise = *line;
      continue;
    }
    const std::string theirs = line->substr(greeting.size());
    if (theirs != spoken_version()) {
      end_all({1, "host " + h.name() + " has boxcar " + theirs + ", and this is boxcar " +
                      spoken_version() + ": install the same one on all hosts, as " +
                      command_on_hosts()});
      return;
    }
    describe_part(h);
    return;
  }
}

void hosts_job::describe_part(remote_host& h) {
  part mine;
  mine.pes = h.pes();
  mine.first_rank = h.first_rank();
  mine.pes_of_job = hosts_.back().first_rank() + hosts_.back().pes();
  mine.hosts = static_cast<int>(hosts_.size());
  mine.label = options_.label;
  mine.terminal = isatty(STDERR_FILENO) != 0;
  mine.input = input_.goes_on() && h.first_rank() == 0;
  mine.folder = options_.folder;
  mine.program = options_.program;
  mine.environment = options_.environment;
  h.talk().send(message_of(mine));
  h.enter(stage::greeted);
}

void hosts_job::start_when_all_are_ready() {
  const auto is_ready = [](const remote_host& h) { return h.at() == stage::ready; };
  if (verdict_ || !std::ranges::all_of(hosts_, is_ready)) return;
  for (remote_host& h : hosts_) {
    h.talk().send({message_kind::start});
    h.enter(stage::running);
  }
}

// --- Watching ------------------------------------------------------------------------------------

void hosts_job::wait_for_news() {
  constexpr int milliseconds_between_looks = 100;
  constexpr int while_something_is_due = 10;
  std::vector<pollfd> sources{{signals_.descriptor(), POLLIN, 0}};
  output_.watch(sources);
  for (const remote_host& h : hosts_) h.watch(sources);
  if (takes_input()) input_.watch(sources);
  const bool is_due = verdict_ || follow_up_ || std::ranges::any_of(hosts_, [](const auto& h) {
                        return h.unheard_since.has_value();
                      });
  poll(sources.data(), sources.size(),
       is_due ? while_something_is_due : milliseconds_between_looks);
}

void hosts_job::heed_signals() {
  while (const auto signal = signals_.next()) {
    if (*signal == SIGCHLD) {
      children_changed_ = true;
    } else if (*signal == SIGTSTP) {
      stop_with_terminal();
    } else {
      if (!drop_output_at_) drop_output_at_ = clock::now() + for_reader_to_catch_up;
      end_all(launcher::ended_by(*signal));
    }
  }
}

void hosts_job::stop_with_terminal() {
  const auto stopped = clock::now();
  for (remote_host& h : hosts_) {
    if (h.at() != stage::running) continue;
    h.talk().send({message_kind::stop});
    h.talk().flush(100ms);
  }
  signals_.stop_here();
  for (remote_host& h : hosts_) {
    h.talk().forgive_silence();
    if (h.at() == stage::running) h.talk().send({message_kind::go_on});
  }
  agents_late_at_ += clock::now() - stopped;
  if (times_up_) *times_up_ += clock::now() - stopped;
}

void hosts_job::hear(remote_host& h) {
  h.turn();
  if (h.is_settled()) return;
  try {
    if (h.at() == stage::starting) greet(h);
    while (h.at() != stage::starting && !h.is_settled()) {
      const auto what = h.talk().next();
      if (!what) break;
      heed(h, *what);
    }
  } catch (const system_error& e) {
    lose(h, e.what());
    return;
  }
  h.allow_more();
  h.talk().beat();
  check_connection(h);
}

void hosts_job::heed(remote_host& h, const message& what) {
  switch (what.kind) {
    case message_kind::ready:
      h.enter(stage::ready);
      return;
    case message_kind::refused:
      end_all({what.integer(0), "host " + h.name() + ": " + what.field(1)});
      return;
    case message_kind::output:
      h.take_output(what.integer(0), what.field(1));
      return;
    case message_kind::taken:
      input_.was_taken(static_cast<std::size_t>(what.number(1)));
      return;
    case message_kind::bootstrap:
      h.bootstrap_data.push_back(what.field(0));
      return;
    case message_kind::ending:
      heed_ending(h, ending_of(what));
      return;
    case message_kind::ended:
      h.absent = numbers_of(what.field(0));
      return;
    case message_kind::over:
      h.enter(stage::over);
      h.finish_output();
      h.talk().close_writing();
      kill_at_ = std::max(kill_at_, clock::now() + for_agent_to_end);
      if (what.number(0) != 0 && !verdict_ && !follow_up_) {
        end_all({what.integer(0),
                 "host " + h.name() + ": its boxcar ended with status " + what.field(0)});
      }
      return;
    default:
      return;  // a beat
  }
}

void hosts_job::heed_ending(remote_host& h, const ending& what) {
  const std::string said = "host " + h.name() + ": " + what.message;
  ended_.insert(ended_.end(), what.running.begin(), what.running.end());
  if (!what.doing.empty()) doing_[h.first_rank()] = "\n on host " + h.name() + ":" + what.doing;
  if (verdict_) {
    // A late message may be the cause.
    const bool is_cause = verdict_->follows_from_others && !what.message.empty() && !what.follows;
    if (!is_cause) return;
    verdict_->message = said;
    if (what.status != 0) verdict_->status = what.status;
    verdict_->follows_from_others = false;
    return;
  }
  if (what.status == 0) {
    if (!what.message.empty()) remarks_.push_back(said);
    return;
  }
  verdict found{what.status, said, {}, what.follows};
  if (!what.follows) {
    end_all(std::move(found), telling::who_they_are);
  } else if (!follow_up_) {
    follow_up_ = std::move(found);
    cause_due_at_ = clock::now() + for_cause_to_be_told;
  }
}

void hosts_job::pass_on_bootstrap_data() {
  const auto has_bootstrap_data = [](const remote_host& h) { return !h.bootstrap_data.empty(); };
  while (std::ranges::all_of(hosts_, has_bootstrap_data) && !hosts_.empty()) {
    std::string all;
    for (remote_host& h : hosts_) {
      all += h.bootstrap_data.front();
      h.bootstrap_data.pop_front();
    }
    for (remote_host& h : hosts_) h.talk().send({message_kind::bootstrap, {all}});
  }
}

void hosts_job::notice_ends() {
  if (!std::exchange(children_changed_, false)) return;
  for (remote_host& h : hosts_) h.process().check_end();
}

// A host is lost if its connection breaks before the host reports its end; the message names the
// reason as far as known.
void hosts_job::check_connection(remote_host& h) {
  if (h.is_settled()) return;
  const std::string agent = "the agent " + in_words(options_.agent, h.name());
  if (h.talk().is_at_end()) {
    if (!h.unheard_since) {
      h.unheard_since = clock::now();
      children_changed_ = true;
      return;
    }
    const bool has_ended = !h.process().runs();
    if (!has_ended && clock::now() < *h.unheard_since + for_agent_to_end) return;
    const std::string how = has_ended ? launcher::describe_end(*h.process().wait_status)
                                      : std::string("closed its output");
    if (h.at() != stage::starting) return lose(h, "the connection has ended: " + agent + " " + how);
    constexpr int not_found = 127;
    const bool nothing_there =
        has_ended && launcher::exit_status_of(*h.process().wait_status) == not_found;
    lose(h, agent + " " + how + " before boxcar answered there" +
                (h.noise.empty() ? "" : " (it printed \"" + h.noise + "\")") +
                (nothing_there
                     ? "; either there is no such agent here, or no " + command_on_hosts() +
                           " there: install boxcar by the same path on all hosts"
                     : "; see whether `" + options_.agent + " " + h.name() +
                           " true` succeeds without a question, or give another agent by --agent"));
    return;
  }
  const bool is_starting = h.at() == stage::starting || h.at() == stage::greeted;
  if (is_starting && clock::now() > agents_late_at_ && !verdict_) {
    lose(h, agent + " has not brought boxcar to life within " +
                launcher::seconds_of(options_.time_for_agents) +
                " seconds; see whether it works by itself, or give it more time by "
                "--agent-timeout");
  } else if (!is_starting && h.talk().silence() > (verdict_ ? for_answer_to_end : max_silence)) {
    lose(h, "nothing was heard from it for " +
                launcher::seconds_of(verdict_ ? for_answer_to_end : max_silence) +
                " seconds; what runs there ends by itself when it hears nothing from here");
  }
}

void hosts_job::check_bootstrap() {
  if (verdict_) return;
  const auto waits =
      std::ranges::find_if(hosts_, [](const auto& h) { return !h.bootstrap_data.empty(); });
  const auto gone = std::ranges::find(hosts_, stage::over, [](const auto& h) { return h.at(); });
  if (waits == hosts_.end() || gone == hosts_.end()) return;
  const bool never_joined = !gone->absent.empty();
  end_all(
      {1, "host " + gone->name() + ": " +
              launcher::name_pes(never_joined ? gone->absent : gone->ranks()) +
              (never_joined ? " exited with status 0 without joining the world" : " have ended") +
              ", while " + launcher::name_pes(waits->ranks()) + " of host " + waits->name() +
              " waited there; every PE must call boxcar::run"},
      telling::who_they_are);
}

void hosts_job::check_cause() {
  if (verdict_ || !follow_up_ || clock::now() < cause_due_at_) return;
  end_all(std::move(*follow_up_), telling::who_they_are);
}

void hosts_job::check_output() {
  if (drop_output_at_ && clock::now() >= *drop_output_at_) output_.drop_pending();
  if (auto reason = launcher::blame_output(output_.why_broken())) end_all(std::move(*reason));
}

void hosts_job::check_time() {
  if (verdict_ || !times_up_ || clock::now() < *times_up_) return;
  drop_output_at_ = clock::now() + for_reader_to_catch_up;
  end_all(launcher::out_of_time(*options_.timeout), telling::what_they_do);
}

// --- Ending --------------------------------------------------------------------------------------

void hosts_job::lose(remote_host& h, const std::string& why) {
  const bool has_started = h.at() == stage::running;
  h.enter(stage::lost);
  h.finish_output();
  h.talk().close();
  const std::string what = "host " + h.name() + ": " + why;
  if (verdict_) {
    remarks_.push_back(what);
  } else {
    end_all({1, what}, has_started ? telling::who_they_are : telling::nothing);
  }
  end(h);
}

void hosts_job::end_all(verdict reason, telling of_others) {
  if (verdict_) return;
  verdict_ = std::move(reason);
  of_others_ = of_others;
  kill_at_ = clock::now() + from_term_to_kill;
  for (remote_host& h : hosts_) end(h);
}

// A host that has not started anything is not needed any more.
void hosts_job::end(remote_host& h) {
  if (h.at() == stage::running) {
    h.talk().send(
        {of_others_ == telling::what_they_do ? message_kind::describe_and_end : message_kind::end});
    return;
  }
  if (h.at() == stage::over) return;
  h.enter(stage::lost);
  h.talk().close();
  h.process().signal_group(SIGTERM);
}

void hosts_job::insist() {
  if (clock::now() < kill_at_) return;
  for (remote_host& h : hosts_) {
    if (h.is_settled()) h.process().signal_group(SIGKILL);
  }
}

bool hosts_job::is_over() const {
  return std::ranges::all_of(hosts_, &remote_host::has_gone) && !output_.is_behind();
}

// The message comes last, so that users see the message below the output of the PEs.
void hosts_job::say_why() {
  std::vector<std::string> texts = std::move(remarks_);
  if (verdict_ && !verdict_->message.empty()) {
    std::ranges::sort(ended_);
    const bool tells = of_others_ == telling::who_they_are && !ended_.empty();
    std::string text = verdict_->message;
    for (const auto& [first_rank, doing] : doing_) text += doing;
    texts.push_back(text + (tells ? "; ended " + launcher::name_pes(ended_) : ""));
  }
  for (const std::string& text : texts) output_.say("boxcar run: " + text + "\n");
  while (output_.is_behind()) {
    wait_for_news();
    heed_signals();
    output_.write_what_fits();
    check_output();
  }
}

}  // namespace

int run_job(const hosts_job_options& options) {
  check(options);
  std::fflush(nullptr);
  return hosts_job(options).run();
}

}  // namespace boxcar::hosts
