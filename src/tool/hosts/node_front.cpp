#include "hosts/node_front.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

#include "launcher/control_memory.hpp"

namespace boxcar::hosts {
namespace {

// Writes as much of the text as fits and leaves the rest. Returns false if nobody reads any more.
bool write_what_fits(const launcher::descriptor& to, std::string& text) {
  while (!text.empty()) {
    const ssize_t written = write(to.number(), text.data(), text.size());
    if (written > 0) {
      text.erase(0, static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
  return true;
}

}  // namespace

node_front::node_front(channel to_launcher, bool input) : launcher_(std::move(to_launcher)) {
  launcher::pipe_ends output = launcher::make_pipe();
  launcher::pipe_ends error = launcher::make_pipe();
  launcher::socket_ends talk = launcher::make_sockets();
  launcher::socket_ends bootstrap = launcher::make_sockets();
  output_.from = std::move(output.read);
  error_.from = std::move(error.read);
  worker_ = channel(std::move(talk.one));
  bootstrap_ = std::move(bootstrap.one);
  workers_.output = std::move(output.write);
  workers_.error = std::move(error.write);
  workers_.talk = std::move(talk.other);
  workers_.bootstrap = std::move(bootstrap.other);
  if (input) {
    launcher::pipe_ends in = launcher::make_pipe();
    input_ = std::move(in.write);
    workers_.input = std::move(in.read);
    launcher::do_not_block(input_);
  }
  for (const launcher::descriptor* end : {&output_.from, &error_.from, &bootstrap_}) {
    launcher::do_not_block(*end);
  }
}

node_front::workers_ends node_front::be_worker() {
  if (workers_.input.is_open()) dup2(workers_.input.number(), STDIN_FILENO);
  dup2(workers_.output.number(), STDOUT_FILENO);
  dup2(workers_.error.number(), STDERR_FILENO);
  workers_ends mine{channel(std::move(workers_.talk)),
                    launcher::above_those_of_scripts(workers_.bootstrap)};
  close_workers_ends();
  // The worker closes its copies: readers must see the end when the other process has gone or has
  // closed a stream.
  launcher_ = channel();
  worker_ = channel();
  for (launcher::descriptor* end : {&output_.from, &error_.from, &input_, &bootstrap_})
    end->close();
  return mine;
}

void node_front::close_workers_ends() {
  for (launcher::descriptor* end :
       {&workers_.output, &workers_.error, &workers_.input, &workers_.talk, &workers_.bootstrap}) {
    end->close();
  }
}

void node_front::watch(std::vector<pollfd>& sources) const {
  launcher_.watch(sources);
  worker_.watch(sources);
  for (const printed* from : {&output_, &error_}) {
    const bool may_follow = is_lost_ || from->on_the_way < most_on_the_way;
    if (from->from.is_open() && may_follow) sources.push_back({from->from.number(), POLLIN, 0});
  }
  if (input_.is_open() && !input_waiting_.empty()) {
    sources.push_back({input_.number(), POLLOUT, 0});
  }
  if (bootstrap_.is_open()) {
    const auto wanted = static_cast<short>(POLLIN | (bootstrap_waiting_.empty() ? 0 : POLLOUT));
    sources.push_back({bootstrap_.number(), wanted, 0});
  }
}

int node_front::patience() const {
  constexpr int milliseconds_between_beats = 500;
  return milliseconds_between_beats;
}

void node_front::turn() {
  close_workers_ends();  // the worker runs, and has its own copies
  launcher_.turn();
  try {
    while (const auto what = launcher_.next()) heed(*what);
  } catch (const system_error&) {
    lose_launcher();
  }
  if (!is_lost_ && !is_stopped_ && launcher_.silence() > max_silence) {
    std::fprintf(stderr, "boxcar node: nothing was heard from the launcher for %lld seconds\n",
                 static_cast<long long>(max_silence.count()));
    lose_launcher();
  }
  if (!is_lost_ && launcher_.is_at_end()) lose_launcher();
  worker_.turn();
  while (const auto what = worker_.next()) launcher_.send(*what);
  forward(output_, output_stream);
  forward(error_, error_stream);
  forward_input();
  forward_bootstrap();
  launcher_.beat();
}

// The end of the worker's input informs the worker.
void node_front::lose_launcher() {
  is_lost_ = true;
  launcher_.close();
  worker_.close_writing();
  input_.close();
}

void node_front::heed(const message& what) {
  switch (what.kind) {
    case message_kind::stop:
    case message_kind::go_on:
      is_stopped_ = what.kind == message_kind::stop;
      [[fallthrough]];
    case message_kind::end:
    case message_kind::describe_and_end:
      worker_.send(what);
      return;
    case message_kind::input:
      input_waiting_ += what.field(0);
      return;
    case message_kind::input_end:
      input_is_over_ = true;
      return;
    case message_kind::taken: {
      printed& from = what.number(0) == output_stream ? output_ : error_;
      from.on_the_way -= std::min(from.on_the_way, static_cast<std::size_t>(what.number(1)));
      return;
    }
    case message_kind::bootstrap:
      bootstrap_waiting_ += [&] {
        const std::uint64_t bytes = what.field(0).size();
        return std::string(reinterpret_cast<const char*>(&bytes), sizeof bytes) + what.field(0);
      }();
      return;
    default:
      return;  // a beat
  }
}

void node_front::forward(printed& from, int stream) {
  if (!from.from.is_open()) return;
  // The buffer is on the heap, as the stack may be small (ulimit -s).
  const auto bytes = std::make_unique_for_overwrite<char[]>(most_on_the_way);
  while (from.from.is_open()) {
    const std::size_t room =
        is_lost_ ? most_on_the_way : most_on_the_way - std::min(most_on_the_way, from.on_the_way);
    if (room == 0) return;
    const ssize_t got = read(from.from.number(), bytes.get(), room);
    if (got > 0) {
      const auto size = static_cast<std::size_t>(got);
      from.on_the_way += size;
      launcher_.send(
          {message_kind::output, {std::to_string(stream), std::string(bytes.get(), size)}});
    } else if (got == 0) {
      from.from.close();
    } else if (errno != EINTR) {
      return;
    }
  }
}

void node_front::forward_input() {
  const std::size_t before = input_waiting_.size();
  if (!input_.is_open() || !write_what_fits(input_, input_waiting_)) {
    input_.close();
    input_waiting_.clear();  // nobody reads the input
  }
  const std::size_t taken = before - input_waiting_.size();
  if (taken > 0) {
    launcher_.send({message_kind::taken, {std::to_string(input_stream), std::to_string(taken)}});
  }
  if (input_is_over_ && input_waiting_.empty()) input_.close();
}

// The message begins with its size: see hosts_bootstrap.cpp.
void node_front::forward_bootstrap() {
  if (!bootstrap_.is_open()) return;
  std::array<char, 4096> bytes;
  ssize_t got = 0;
  while ((got = read(bootstrap_.number(), bytes.data(), bytes.size())) > 0) {
    bootstrap_data_.append(bytes.data(), static_cast<std::size_t>(got));
  }
  std::uint64_t size = 0;
  while (bootstrap_data_.size() >= sizeof size) {
    std::memcpy(&size, bootstrap_data_.data(), sizeof size);
    if (bootstrap_data_.size() - sizeof size < size) break;
    launcher_.send({message_kind::bootstrap, {bootstrap_data_.substr(sizeof size, size)}});
    bootstrap_data_.erase(0, sizeof size + size);
  }
  if (got == 0 || !write_what_fits(bootstrap_, bootstrap_waiting_)) bootstrap_.close();
}

void node_front::finish(int status) {
  // All writers are gone: their output has arrived, as far as the launcher grants credit.
  while (!is_lost_ && (output_.from.is_open() || error_.from.is_open())) {
    std::vector<pollfd> sources;
    watch(sources);
    poll(sources.data(), sources.size(), patience());
    turn();
  }
  constexpr std::chrono::seconds longest{5};
  launcher_.send({message_kind::over, {std::to_string(status)}});
  launcher_.flush(longest);
}

}  // namespace boxcar::hosts
