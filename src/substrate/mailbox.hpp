// Messages from any PE to any PE of another node, few and small, for what the target has to carry
// out: requests, and the replies to them. Requests from one PE to another are carried out in the
// order in which they were sent. What a PE holds for that does not grow with the number of PEs, but
// for a few bytes for each that it has to do with.
//
// The sender of a request waits while too many are under way to its target. A reply never waits for
// the PE that it goes to: that one has a place for it, and says in the request which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace boxcar::detail {

// Of a request or a reply, at most. It fits, with what an MPI puts ahead of it, into the 4096 bytes
// that all of them send at once: a message arrives though its sender calls MPI no more.
inline constexpr std::size_t message_bytes = 3968;
// So many requests of a PE may wait for replies at a time.
inline constexpr int reply_places = 16;
inline constexpr int no_reply = -1;

// Who is told what has arrived.
class mail_reader {
 public:
  // False if it cannot be carried out yet: it and those behind it come again with the next poll.
  virtual bool take_request(int from, std::span<const std::byte> message) = 0;
  virtual void take_reply(int place, std::span<const std::byte> message) = 0;

 protected:
  ~mail_reader() = default;
};

// One PE's part of the mailboxes of a world. Functions are local.
class mailbox {
 public:
  virtual ~mailbox() = default;

  // Sends `head` and `body` as one message, which may be overwritten here as soon as this returns.
  // The PE waits for a reply in that of its places, or for none. False if there is no room: then
  // the caller is to poll, and to send it next of all that it sends there.
  [[nodiscard]] virtual bool send(int to, std::span<const std::byte> head,
                                  std::span<const std::byte> body, int place) = 0;
  // Reserves room for the next request to `to`. True: the caller then sends the request before any
  // other request to `to`. False: there is no room now, and the mailbox has reserved none, so that
  // the caller may leave the mailbox alone without blocking other senders.
  [[nodiscard]] virtual bool try_reserve(int to) = 0;
  // There is room for a reply.
  [[nodiscard]] virtual bool can_reply() = 0;
  // To a request that was sent with this place, once.
  virtual void reply(int to, int place, std::span<const std::byte> message) = 0;
  // Hands over what has arrived; false if nothing has.
  virtual bool poll(mail_reader& reader) = 0;
};

}  // namespace boxcar::detail
