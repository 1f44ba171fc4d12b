// Answers: that something can be sent again on a channel. They say nothing but where they come from
// and where they belong, in their tags, and are as small as a message can be: a seal. One object
// per endpoint hears them for all channels.
#pragma once

#include <array>
#include <map>
#include <string>

#include "substrate/ofi/endpoint.hpp"
#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi {

class answer_listener {
 public:
  // Called within functions of the endpoint, as operation_owner's. `from` is a rank in the job.
  virtual void answered(int from) = 0;

 protected:
  ~answer_listener() = default;
};

class answers final : public operation_owner {
 public:
  // Throws system_error.
  explicit answers(endpoint& at);
  answers(const answers&) = delete;
  answers& operator=(const answers&) = delete;
  ~answers();

  void listen(channel c, answer_listener& who) { listeners_[c] = &who; }
  // What comes later is dropped.
  void stop_listening(channel c) { listeners_.erase(c); }
  void send(int to, channel c) { at_.send_small(to, {}, answer_tag_of(c, at_.rank())); }

  void received(operation& op, std::size_t bytes, std::uint64_t tag) override;
  void refused(operation& op) override { post(op); }
  void sent(operation& /*op*/) override {}
  void failed(operation& op, const std::string& reason) override;
  // Posts again what could not be. Throws system_error if receiving has failed.
  void poll();

 private:
  static constexpr std::size_t receives = 32;
  void post(operation& op);

  endpoint& at_;
  std::map<channel, answer_listener*> listeners_;
  std::unique_ptr<std::array<operation, receives>> receives_;
  std::unique_ptr<std::array<std::byte, receives * seal_bytes>> room_;
  registered memory_;
  bool has_idle_ = false;
  std::string problem_;
};

}  // namespace boxcar::detail::ofi
