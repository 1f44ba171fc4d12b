#include "hosts/remote_host.hpp"

#include <numeric>
#include <utility>

namespace boxcar::hosts {
namespace {

// The number of streams of a host that lead to an output; the streams distinguish lines.
constexpr int streams_of_host = 3;

}  // namespace

std::vector<int> remote_host::ranks() const {
  std::vector<int> all(static_cast<std::size_t>(pes_));
  std::iota(all.begin(), all.end(), first_rank_);
  return all;
}

void remote_host::start(const std::string& agent, const std::function<void()>& prepare,
                        launcher::standard_streams& to) {
  to_ = &to;
  agent_ = start_agent(agent, name_, prepare);
  remarks_.emplace(std::move(agent_->process.standard_error), name_ + ": ", to.error(),
                   streams_of_host * number_);
}

void remote_host::watch(std::vector<pollfd>& sources) const {
  agent_->talk.watch(sources);
  if (remarks_->is_open()) sources.push_back({remarks_->descriptor_to_watch(), POLLIN, 0});
}

void remote_host::turn() {
  agent_->talk.turn();
  remarks_->forward(!agent_->process.runs());
}

void remote_host::take_output(int stream, std::string_view bytes) {
  printed& from = stream == output_stream ? output_ : error_;
  std::string lines;
  from.splitter.take(bytes, lines);
  from.not_allowed += bytes.size();
  (stream == output_stream ? to_->output() : to_->error())
      .put(streams_of_host * number_ + stream, lines);
}

void remote_host::allow_more() {
  if (to_->is_behind()) return;
  for (const int stream : {output_stream, error_stream}) {
    printed& from = stream == output_stream ? output_ : error_;
    if (from.not_allowed == 0) continue;
    talk().send({message_kind::taken,
                 {std::to_string(stream), std::to_string(std::exchange(from.not_allowed, 0))}});
  }
}

void remote_host::finish_output() {
  for (const int stream : {output_stream, error_stream}) {
    std::string lines;
    (stream == output_stream ? output_ : error_).splitter.finish(lines);
    (stream == output_stream ? to_->output() : to_->error())
        .put(streams_of_host * number_ + stream, lines);
  }
}

}  // namespace boxcar::hosts
