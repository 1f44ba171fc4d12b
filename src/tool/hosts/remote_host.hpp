// A host of a job, seen from the launcher.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <poll.h>
#include <string>
#include <vector>

#include "hosts/agent.hpp"
#include "hosts/channel.hpp"
#include "hosts/host_list.hpp"
#include "hosts/message.hpp"
#include "launcher/line_splitter.hpp"
#include "launcher/line_stream.hpp"
#include "launcher/standard_streams.hpp"

namespace boxcar::hosts {

class remote_host {
 public:
  enum class stage {
    starting,  // the agent runs, and its `boxcar` has sent nothing
    greeted,   // `boxcar` has received its share of the job
    ready,     // `boxcar` can start its share
    running,
    over,  // nothing of the job is left on the host, as reported by the host
    lost,  // no messages can come from the host
  };

  // `number` identifies the host.
  remote_host(const host& which, int number, int first_rank)
      : name_(which.name), number_(number), first_rank_(first_rank), pes_(which.pes) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] int first_rank() const { return first_rank_; }
  [[nodiscard]] std::vector<int> ranks() const;

  // Starts the agent by `start_agent`, with the same errors. Output of the host goes `to`.
  void start(const std::string& agent, const std::function<void()>& prepare,
             launcher::standard_streams& to);

  [[nodiscard]] stage at() const { return stage_; }
  void enter(stage next) { stage_ = next; }
  // Returns whether no more messages are expected from the host.
  [[nodiscard]] bool is_settled() const { return stage_ == stage::over || stage_ == stage::lost; }
  // Returns whether the agent has ended as well.
  [[nodiscard]] bool has_gone() const { return is_settled() && !agent_->process.runs(); }

  void watch(std::vector<pollfd>& sources) const;
  // Reads, writes, and passes on the agent's own output.
  void turn();
  channel& talk() { return agent_->talk; }
  launcher::pe_process& process() { return agent_->process; }
  [[nodiscard]] const channel& talk() const { return agent_->talk; }
  [[nodiscard]] bool is_started() const { return agent_.has_value(); }

  // Takes output of the PEs of the host.
  void take_output(int stream, std::string_view bytes);
  // Grants credit for more output, as soon as no output waits for the launcher's readers.
  void allow_more();
  // The output has ended.
  void finish_output();

  std::deque<std::string> bootstrap_data = {};  // bootstrap data of its PEs, not passed on yet
  std::vector<int> absent = {};  // PEs that have ended well and never joined the world
  std::string noise = {};        // the last line printed before the greeting
  // The moment when the connection was found ended.
  std::optional<std::chrono::steady_clock::time_point> unheard_since = std::nullopt;

 private:
  struct printed {
    launcher::line_splitter splitter{""};
    std::size_t not_allowed = 0;  // bytes without credit: as many bytes may follow
  };

  std::string name_;
  int number_;
  int first_rank_;
  int pes_;
  stage stage_ = stage::starting;
  std::optional<started_agent> agent_;
  std::optional<launcher::line_stream> remarks_;  // of the agent
  launcher::standard_streams* to_ = nullptr;
  printed output_;
  printed error_;
};

}  // namespace boxcar::hosts
