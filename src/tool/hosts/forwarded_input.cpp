#include "hosts/forwarded_input.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

#include "hosts/message.hpp"

namespace boxcar::hosts {

bool forwarded_input::has_room() const {
  return goes_on_ && on_the_way_ < most_on_the_way;
}

void forwarded_input::watch(std::vector<pollfd>& sources) const {
  if (has_room()) sources.push_back({STDIN_FILENO, POLLIN, 0});
}

void forwarded_input::forward(channel& host) {
  pollfd source{STDIN_FILENO, POLLIN, 0};
  if (!has_room() || poll(&source, 1, 0) != 1) return;
  // The buffer is on the heap, as the stack may be small (ulimit -s).
  const auto bytes = std::make_unique_for_overwrite<char[]>(most_on_the_way);
  const ssize_t got = read(STDIN_FILENO, bytes.get(), most_on_the_way - on_the_way_);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) {
    goes_on_ = false;
    host.send({message_kind::input_end});
    return;
  }
  const auto size = static_cast<std::size_t>(got);
  on_the_way_ += size;
  host.send({message_kind::input, {std::string(bytes.get(), size)}});
}

void forwarded_input::was_taken(std::size_t bytes) {
  on_the_way_ -= std::min(on_the_way_, bytes);
}

}  // namespace boxcar::hosts
