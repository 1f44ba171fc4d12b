// On a host, what stands between the launcher far away and the process that starts the PEs here: it
// passes on what the PEs print and read, what they show to those of other hosts, and orders.
#pragma once

#include <poll.h>
#include <string>
#include <vector>

#include "hosts/channel.hpp"
#include "hosts/message.hpp"
#include "launcher/descriptor.hpp"
#include "launcher/guard.hpp"
#include "launcher/pipe.hpp"

namespace boxcar::hosts {

class node_front final : public launcher::side_work {
 public:
  // `input`: what PE 0 reads comes from the launcher. Throws system_error.
  node_front(channel to_launcher, bool input);

  // In the process that starts the PEs, before it does: takes their pipes for its own standard
  // streams, and what else is meant for it.
  struct workers_ends {
    channel talk;
    launcher::descriptor meeting;  // by which the first PE meets those of other hosts
  };
  workers_ends be_worker();

  void watch(std::vector<pollfd>& sources) const override;
  [[nodiscard]] int patience() const override;
  void turn() override;

  // That process has ended, with this status, and what it has started: tells the launcher, last of
  // all.
  void finish(int status);

 private:
  // What PEs print.
  struct printed {
    launcher::descriptor from;
    std::size_t on_the_way = 0;
  };

  void close_workers_ends();
  void heed(const message& what);
  void lose_launcher();
  void forward(printed& from, int stream);
  void forward_input();
  void forward_meeting();

  channel launcher_;
  bool is_lost_ = false;
  bool is_stopped_ = false;  // by Ctrl-Z, far away
  channel worker_;
  printed output_;
  printed error_;
  launcher::descriptor input_;  // to be written to
  std::string input_waiting_;
  bool input_is_over_ = false;
  launcher::descriptor meeting_;
  std::string shown_;          // by the PEs here; not complete yet
  std::string shown_waiting_;  // to be written to them

  // Of the worker.
  struct {
    launcher::descriptor output;
    launcher::descriptor error;
    launcher::descriptor input;
    launcher::descriptor talk;
    launcher::descriptor meeting;
  } workers_;
};

}  // namespace boxcar::hosts
