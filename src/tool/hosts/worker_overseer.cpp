#include "hosts/worker_overseer.hpp"

#include "hosts/message.hpp"
#include "hosts/part.hpp"

namespace boxcar::hosts {

std::optional<launcher::order> worker_overseer::next() {
  to_.turn();
  while (const auto what = to_.next()) {
    switch (what->kind) {
      case message_kind::end:
        return launcher::order::end;
      case message_kind::describe_and_end:
        return launcher::order::describe_and_end;
      case message_kind::stop:
        return launcher::order::stop;
      case message_kind::go_on:
        return launcher::order::go_on;
      default:
        break;
    }
  }
  return to_.is_at_end() ? std::optional(launcher::order::end) : std::nullopt;
}

void worker_overseer::ends(const launcher::verdict& why, const std::vector<int>& running,
                           const std::string& doing) {
  to_.send(message_of({why.status, why.message, why.follows_from_others, running, doing}));
}

void worker_overseer::have_ended(const std::vector<int>& absent) {
  constexpr std::chrono::seconds longest{1};
  to_.send({message_kind::ended, {list_of(absent)}});
  to_.flush(longest);
}

}  // namespace boxcar::hosts
