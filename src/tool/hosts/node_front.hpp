// The process on a host between the remote launcher and the process that starts the PEs of the
// host. The node front forwards the output and input of the PEs, their bootstrap data for PEs of
// other hosts, and orders.
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
  // `input`: the launcher provides the input of PE 0. Throws system_error.
  node_front(channel to_launcher, bool input);

  // Makes the calling process the worker, the process that starts the PEs: the pipes of the PEs
  // become its standard streams, and the other ends for the worker are returned. Call this function
  // before PEs start.
  struct workers_ends {
    channel talk;
    launcher::descriptor bootstrap;  // for the bootstrap of the first PE with other hosts
  };
  workers_ends be_worker();

  void watch(std::vector<pollfd>& sources) const override;
  [[nodiscard]] int patience() const override;
  void turn() override;

  // The worker has ended, with `status`, and so have its descendants: reports the end to the
  // launcher, as the last message.
  void finish(int status);

 private:
  // The output of PEs.
  struct printed {
    launcher::descriptor from;
    std::size_t on_the_way = 0;
  };

  void close_workers_ends();
  void heed(const message& what);
  void lose_launcher();
  void forward(printed& from, int stream);
  void forward_input();
  void forward_bootstrap();

  channel launcher_;
  bool is_lost_ = false;
  bool is_stopped_ = false;  // by Ctrl-Z, far away
  channel worker_;
  printed output_;
  printed error_;
  launcher::descriptor input_;  // to write to
  std::string input_waiting_;
  bool input_is_over_ = false;
  launcher::descriptor bootstrap_;
  std::string bootstrap_data_;     // by the PEs of this host; incomplete
  std::string bootstrap_waiting_;  // to write to the PEs of this host

  // The ends for the worker.
  struct {
    launcher::descriptor output;
    launcher::descriptor error;
    launcher::descriptor input;
    launcher::descriptor talk;
    launcher::descriptor bootstrap;
  } workers_;
};

}  // namespace boxcar::hosts
