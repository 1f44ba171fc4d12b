// An answer returns credits: the receiver of an answer may send again on a channel. The tag of an
// answer names the sender and the channel, and the payload is empty: an answer is a seal only. One
// object per endpoint receives the answers of all channels.
#pragma once

#include <map>
#include <string>

#include "substrate/ofi/endpoint.hpp"
#include "substrate/ofi/receive_pool.hpp"
#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi {

class answer_listener {
 public:
  // Functions of the endpoint call `answered`, like the functions of operation_owner. `from` is a
  // rank in the job.
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

  void listen(channel c, answer_listener& who) { listeners_[c] = &who; }
  // Later answers on the channel are dropped.
  void stop_listening(channel c) { listeners_.erase(c); }
  void send(int to, channel c) { at_.send_small(to, {}, answer_tag_of(c, at_.rank())); }

  void received(operation& op, std::size_t bytes, std::uint64_t tag) override;
  void refused(operation& op) override { receives_.post_again(op); }
  void sent(operation& /*op*/) override {}
  void failed(operation& op, const std::string& reason) override;
  // Posts the receives again for which the provider had no room. Throws system_error if a receive
  // has failed.
  void poll();

 private:
  endpoint& at_;
  std::map<channel, answer_listener*> listeners_;
  receive_pool receives_;
  std::string problem_;
};

}  // namespace boxcar::detail::ofi
