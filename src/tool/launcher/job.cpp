#include "launcher/job.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <poll.h>
#include <unistd.h>
#include <vector>

#include "basis/printable.hpp"
#include "launcher/control_memory.hpp"
#include "launcher/descendants.hpp"
#include "launcher/job_output.hpp"
#include "launcher/open_file_limit.hpp"
#include "launcher/pe_process.hpp"
#include "launcher/report.hpp"
#include "launcher/signal_catcher.hpp"
#include "launcher/verdict.hpp"
#include "substrate/environment.hpp"
#include "substrate/shared_memory/shared_memory_substrate.hpp"

namespace boxcar::launcher {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto from_term_to_kill = 250ms;     // for a PE to tidy up
constexpr auto for_culprit_to_end = 250ms;    // so that its status is known, not only its message
constexpr auto for_traces = 2s;               // for the traces of the other PEs, if a PE has failed
constexpr auto for_leftovers_to_end = 500ms;  // processes that PEs have started and not waited for
constexpr auto from_kill_to_abandoning = 500ms;  // of processes that may not be killed
constexpr auto for_reader_to_catch_up = 1s;      // when the launcher has been asked to end

class job {
 public:
  job(const job_options& options, const std::function<int(int rank)>& child)
      : options_(options),
        child_(child),
        file_limit_(static_cast<rlim_t>(2 * options.pes + 200)),
        control_(options.pes, options.nodes),
        output_(options.label) {}

  job(const job&) = delete;
  job& operator=(const job&) = delete;
  ~job();

  int run();

 private:
  // --- Starting
  void start();
  void start_pe_of(int rank);
  [[nodiscard]] int be_pe(int rank);
  void tell_failure(int rank, const std::string& message);

  // --- Watching, in turns
  void wait_for_news();
  [[nodiscard]] int patience() const;
  void heed_signals();
  void heed_orders();
  void forward_output();
  void notice_ends();
  void check_pes();
  void check_output();
  void check_time();
  void check_leftovers();
  void stop_with_terminal();

  // --- Ending
  void end_by_order(order wanted);
  void end_all(verdict reason, const std::string& doing = {});
  void signal_pes(int signal);
  void signal_all(int signal);
  void insist();
  void abandon_those_of_others();
  [[nodiscard]] bool all_have_ended() const;
  void say_why();
  void say(const std::string& line);

  // --- Names in the whole job
  [[nodiscard]] int first_rank() const { return options_.whole ? options_.whole->first_rank : 0; }
  [[nodiscard]] std::vector<int> in_whole(std::vector<int> ranks) const;

  job_options options_;
  bool terminal_ = options_.whole ? options_.whole->terminal : isatty(STDERR_FILENO) != 0;
  const std::function<int(int)>& child_;
  open_file_limit file_limit_;
  control_memory control_;
  signal_catcher signals_;
  descendants descendants_;

  job_output output_;
  std::vector<pe_process> pes_;  // in rank order

  std::optional<clock::time_point> times_up_;
  std::optional<clock::time_point> trouble_since_;
  std::optional<clock::time_point> leftovers_since_;
  std::optional<clock::time_point> drop_output_at_;
  std::optional<verdict> verdict_;  // set: all PEs are being ended
  clock::time_point kill_at_;
  std::string abandoned_;  // processes still running, as the launcher may not kill them
  bool is_traced_ = !detail::trace_from_environment().empty();
  bool children_changed_ = false;
};

// The destructor has nothing to do unless the launcher itself has failed.
job::~job() {
  if (!abandoned_.empty()) return;
  for (pe_process& pe : pes_) pe.kill_and_wait();
}

int job::run() {
  start();
  do {
    wait_for_news();
    heed_signals();
    heed_orders();
    forward_output();
    notice_ends();
    check_pes();
    check_output();
    check_time();
    check_leftovers();
    insist();
  } while (!all_have_ended() || !output_.is_done());
  if (options_.whole) {
    options_.whole->over->have_ended(in_whole(absent(pes_, control_.job())));
  } else {
    say_why();
  }
  if (!abandoned_.empty()) say("boxcar run: " + abandoned_ + "\n");
  return verdict_ ? verdict_->status : 0;
}

// --- Starting ------------------------------------------------------------------------------------

void job::start() {
  if (options_.timeout) times_up_ = clock::now() + *options_.timeout;
  for (int rank = 0; rank < options_.pes && !verdict_; ++rank) {
    try {
      start_pe_of(rank);
    } catch (const system_error& e) {
      end_all({1, "cannot start " + name_pes({rank}, first_rank()) + " of " +
                      std::to_string(options_.whole ? options_.whole->pes : options_.pes) + ": " +
                      e.what()});
    }
  }
}

void job::start_pe_of(int rank) {
  const bool shares_input = rank == 0 && isatty(STDIN_FILENO) == 0;
  pe_process pe = start_pe([this, rank] { return be_pe(rank); }, shares_input ? STDIN_FILENO : -1);
  pe.rank = first_rank() + rank;
  output_.add(pe);
  pes_.push_back(std::move(pe));
}

int job::be_pe(int rank) {
  signals_.restore();
  file_limit_.restore();
  control_.hand_to_child(rank, options_.whole ? &*options_.whole : nullptr);
  if (terminal_) {
    setenv("BOXCAR_TERMINAL", "1", 1);
  } else {
    unsetenv("BOXCAR_TERMINAL");
  }
  try {
    return child_(rank);
  } catch (const cannot_start& e) {
    tell_failure(rank, e.what());
    return e.status();
  } catch (const std::exception& e) {
    tell_failure(rank, name_pes({rank}, first_rank()) + ": " + e.what());
    return 1;
  }
}

void job::tell_failure(int rank, const std::string& message) {
  detail::fail_job(control_.job(), rank, message);
  // A PE that has been in the world is expected to have printed its error (see `blame`).
  if (presence_of(control_.job(), rank).there != detail::attendance::absent) {
    std::fprintf(stderr, "%s\n", detail::printable(message).c_str());
  }
}

// --- Watching ------------------------------------------------------------------------------------

void job::wait_for_news() {
  std::vector<pollfd> sources{{signals_.descriptor(), POLLIN, 0}};
  output_.watch(sources);
  if (options_.whole) options_.whole->over->watch(sources);
  poll(sources.data(), sources.size(), patience());
}

// Returns the timeout for poll, in milliseconds.
int job::patience() const {
  constexpr int until_next_look = 20;
  if (verdict_ || trouble_since_ || running(pes_).empty() ||
      !absent(pes_, control_.job()).empty()) {
    return until_next_look;
  }
  if (!times_up_) return -1;
  const auto rest = std::chrono::ceil<std::chrono::milliseconds>(*times_up_ - clock::now());
  return static_cast<int>(std::clamp<std::chrono::milliseconds>(rest, 0ms, 1h).count());
}

void job::heed_signals() {
  while (const auto signal = signals_.next()) {
    if (*signal == SIGCHLD) {
      children_changed_ = true;
    } else if (*signal == SIGTSTP) {
      stop_with_terminal();
    } else {
      if (!drop_output_at_) drop_output_at_ = clock::now() + for_reader_to_catch_up;
      end_all(ended_by(*signal));
    }
  }
}

void job::heed_orders() {
  if (!options_.whole) return;
  while (const auto wanted = options_.whole->over->next()) {
    switch (*wanted) {
      case order::end:
      case order::describe_and_end:
        end_by_order(*wanted);
        return;  // the signal may come again and again
      case order::stop:
        signal_pes(SIGSTOP);
        break;
      case order::go_on:
        signal_pes(SIGCONT);
        break;
    }
  }
}

void job::end_by_order(order wanted) {
  if (verdict_) return;
  const auto told = first_failure(control_.job());
  verdict why;
  if (told) why.message = name_pes({told->rank}, first_rank()) + " failed first: " + told->text;
  const bool describe = wanted == order::describe_and_end;
  end_all(std::move(why),
          describe ? describe_doing(control_.job(), running(pes_), first_rank()) : std::string());
}

void job::stop_with_terminal() {
  const auto stopped = clock::now();
  signal_pes(SIGSTOP);
  signals_.stop_here();
  signal_pes(SIGCONT);
  if (times_up_) *times_up_ += clock::now() - stopped;
}

void job::forward_output() {
  const bool writers_are_gone = all_have_ended();
  output_.forward(writers_are_gone);
  if (writers_are_gone && drop_output_at_ && clock::now() >= *drop_output_at_) {
    output_.drop_pending();
  }
}

void job::notice_ends() {
  if (!std::exchange(children_changed_, false)) return;
  for (pe_process& pe : pes_) pe.check_end();
  descendants_.bury_adopted([this](pid_t pid) {
    return std::any_of(pes_.begin(), pes_.end(),
                       [&](const pe_process& pe) { return pe.runs() && pe.pid == pid; });
  });
}

void job::check_pes() {
  if (verdict_) return;
  if (has_failed(pes_, control_.job())) {
    if (!trouble_since_) trouble_since_ = clock::now();
    const bool worth_waiting = clock::now() < *trouble_since_ + for_culprit_to_end;
    if (worth_waiting && culprit_still_runs(pes_, control_.job())) return;
    if (is_traced_ && !running(pes_).empty() && clock::now() < *trouble_since_ + for_traces) return;
    end_all(blame(pes_, control_.job()));
  } else if (auto reason = blame_absent(pes_, control_.job())) {
    end_all(std::move(*reason));
  }
}

void job::check_output() {
  if (auto reason = blame_output(output_.why_broken())) end_all(std::move(*reason));
}

void job::check_time() {
  if (verdict_ || !times_up_ || clock::now() < *times_up_) return;
  const std::vector<int> late = running(pes_);
  if (late.empty()) return;
  drop_output_at_ = clock::now() + for_reader_to_catch_up;
  verdict reason = out_of_time(*options_.timeout);
  reason.message += describe_doing(control_.job(), late);
  end_all(std::move(reason));
}

void job::check_leftovers() {
  if (verdict_ || !running(pes_).empty()) return;
  const auto left = descendants_.all().size();
  if (left == 0) return;
  if (!leftovers_since_) leftovers_since_ = clock::now();
  if (clock::now() < *leftovers_since_ + for_leftovers_to_end) return;
  end_all({0, "ended " + std::to_string(left) + (left == 1 ? " process" : " processes") +
                  " that the PEs had left running"});
}

// --- Ending --------------------------------------------------------------------------------------

void job::end_all(verdict reason, const std::string& doing) {
  if (verdict_) return;
  verdict_ = std::move(reason);
  if (options_.whole) options_.whole->over->ends(*verdict_, in_whole(running(pes_)), doing);
  kill_at_ = clock::now() + from_term_to_kill;
  signal_all(SIGTERM);
}

void job::signal_pes(int signal) {
  for (const pe_process& pe : pes_) pe.signal_group(signal);
}

void job::signal_all(int signal) {
  signal_pes(signal);
  for (const pid_t pid : descendants_.all()) {
    const pid_t group = getpgid(pid);
    const bool has_got_it = std::any_of(pes_.begin(), pes_.end(), [&](const pe_process& pe) {
      return pe.runs() && pe.pid == group;
    });
    if (!has_got_it) kill(pid, signal);
  }
}

void job::insist() {
  // The signal is repeated each time, for processes that were just being started.
  if (!verdict_ || clock::now() < kill_at_ || all_have_ended()) return;
  signal_all(SIGKILL);
  if (clock::now() >= kill_at_ + from_kill_to_abandoning) abandon_those_of_others();
}

// A process that has changed to another user, as sudo does, cannot be killed, and may run for ever.
// The launcher stops waiting for the process if no other process is left.
void job::abandon_those_of_others() {
  std::string pids;
  for (const pid_t pid : descendants_.all()) {
    if (kill(pid, 0) == 0 || errno != EPERM) return;
    pids += (pids.empty() ? "" : ", ") + std::to_string(pid);
  }
  if (pids.empty()) return;
  const std::vector<int> left = running(pes_);
  abandoned_ = (left.empty() ? "what the PEs have started" : name_pes(left, first_rank())) +
               " could not be ended and may still run, with the rights of another user (process " +
               pids + "); end it as that user";
}

std::vector<int> job::in_whole(std::vector<int> ranks) const {
  for (int& rank : ranks) rank += first_rank();
  return ranks;
}

bool job::all_have_ended() const {
  if (!abandoned_.empty()) return true;
  return running(pes_).empty() && descendants_.all().empty();
}

// The message comes last, so that users see the message below the output of the PEs.
void job::say_why() {
  if (!verdict_ || verdict_->message.empty()) return;
  const auto& others = verdict_->others;
  say("boxcar run: " + verdict_->message + (others.empty() ? "" : "; ended " + name_pes(others)) +
      "\n");
}

void job::say(const std::string& line) {
  output_.say(line);
  while (output_.is_behind()) {
    wait_for_news();
    heed_signals();
    forward_output();
  }
}

}  // namespace

void check(const job_options& options) {
  detail::job_block head{};
  detail::describe_job(reinterpret_cast<std::byte*>(&head), options.pes, options.nodes);
  if (options.timeout && *options.timeout <= 0ns) {
    throw argument_error("a timeout of " + seconds_of(*options.timeout) +
                         " seconds ends everything at once; give a larger one or none");
  }
}

int run_job(const job_options& options, const std::function<int(int rank)>& child) {
  check(options);
  std::fflush(nullptr);  // otherwise every child would print the buffered text, too
  return job(options, child).run();
}

}  // namespace boxcar::launcher
