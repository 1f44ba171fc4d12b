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
    starting,  // the agent runs, and its `boxcar` has not said a word
    greeted,   // that has been told its part
    ready,     // and can start it
    running,
    over,  // nothing of the job is left there, as it has said
    lost,  // nothing more can be heard from there
  };

  // `number` tells it from others.
  remote_host(const host& which, int number, int first_rank)
      : name_(which.name), number_(number), first_rank_(first_rank), pes_(which.pes) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] int first_rank() const { return first_rank_; }
  [[nodiscard]] std::vector<int> ranks() const;

  // By `start_agent`, and so with its errors. What is printed there goes `to`.
  void start(const std::string& agent, const std::function<void()>& prepare,
             launcher::standard_streams& to);

  [[nodiscard]] stage at() const { return stage_; }
  void enter(stage next) { stage_ = next; }
  // Nothing more is expected from there.
  [[nodiscard]] bool is_settled() const { return stage_ == stage::over || stage_ == stage::lost; }
  // And the agent has ended, too.
  [[nodiscard]] bool has_gone() const { return is_settled() && !agent_->process.runs(); }

  void watch(std::vector<pollfd>& sources) const;
  // Reads, writes, and passes on what the agent itself says.
  void turn();
  channel& talk() { return agent_->talk; }
  launcher::pe_process& process() { return agent_->process; }
  [[nodiscard]] const channel& talk() const { return agent_->talk; }
  [[nodiscard]] bool is_started() const { return agent_.has_value(); }

  // What PEs there have printed.
  void take_output(int stream, std::string_view bytes);
  // Lets more of it come, as soon as nothing waits to be read from here.
  void allow_more();
  // Nothing more will come.
  void finish_output();

  std::deque<std::string> shown = {};  // by its PEs, to those of all, and not passed on yet
  std::vector<int> absent = {};        // PEs that have ended well and never joined the world
  std::string noise = {};              // what was said before the greeting, the latest line

 private:
  struct printed {
    launcher::line_splitter splitter{""};
    std::size_t not_allowed = 0;  // bytes, for as many of which more may come
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
