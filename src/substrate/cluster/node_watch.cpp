#include "substrate/cluster/node_watch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "trace/host_name.hpp"

namespace boxcar::detail {
namespace {

// The previous node may have many more PEs than this node. No PE accepts the connections: the
// kernel keeps the connections, and answers probes.
constexpr int max_watchers = 4096;

struct address_deleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using addresses = std::unique_ptr<addrinfo, address_deleter>;

// Parses a numeric address, without a name lookup. Returns nullptr if the text is no address.
addresses parse(const std::string& address, const std::string& port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.c_str(), port.c_str(), &hints, &found) != 0) return nullptr;
  return addresses(found);
}

struct address_text {
  std::string host;
  std::string port;
};

address_text text_of(const sockaddr* address, socklen_t bytes) {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (getnameinfo(address, bytes, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return {};
  }
  return {host.data(), port.data()};
}

// Returns the address of the first device that is in use and leads to other nodes; empty if there
// is none.
std::string address_of_node() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(list, freeifaddrs);
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    constexpr unsigned in_use = IFF_UP | IFF_RUNNING;
    const bool leads_on =
        (one->ifa_flags & in_use) == in_use && (one->ifa_flags & IFF_LOOPBACK) == 0;
    if (!leads_on || one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    return text_of(one->ifa_addr, sizeof(sockaddr_in)).host;
  }
  return {};
}

int open_socket(int family) {
  return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

void set(int socket, int level, int option, int value) {
  static_cast<void>(setsockopt(socket, level, option, &value, sizeof value));
}

// After one interval of silence the kernel probes once per interval, and gives up one interval
// after the last probe.
void ask_in_silence(int socket, std::chrono::seconds patience) {
  constexpr std::chrono::seconds::rep most_questions = 100;  // the kernel takes up to 127
  constexpr std::chrono::seconds::rep max_interval = 32767;
  const auto seconds = std::max<std::chrono::seconds::rep>(patience.count(), 2);
  const auto interval = std::min((seconds + most_questions - 1) / most_questions, max_interval);
  const auto questions = std::min(seconds / interval - 1, most_questions);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(interval));
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, static_cast<int>(interval));
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, static_cast<int>(std::max<long long>(questions, 1)));
}

// Returns whether the error means that no packet reached the other kernel. (With any other error
// the other kernel was reached.)
bool is_silence(int error) {
  return error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH || error == ENETDOWN ||
         error == EHOSTDOWN;
}

}  // namespace

node_watch::node_watch(int own_rank, std::string address, std::chrono::seconds patience)
    : peer_watch(own_rank), patience_(patience) {
  if (address.empty()) address = address_of_node();
  if (!address.empty()) listen(address);
}

node_watch::~node_watch() {
  stop();
  if (listening_ >= 0) close(listening_);
}

void node_watch::listen(const std::string& address) {
  const addresses here = parse(address, "0");  // any port that is free
  if (here == nullptr) return;
  listening_ = open_socket(here->ai_family);
  sockaddr_storage bound{};
  socklen_t bytes = sizeof bound;
  if (listening_ < 0 || bind(listening_, here->ai_addr, here->ai_addrlen) != 0 ||
      ::listen(listening_, max_watchers) != 0 ||
      getsockname(listening_, reinterpret_cast<sockaddr*>(&bound), &bytes) != 0) {
    return;
  }
  const address_text at = text_of(reinterpret_cast<sockaddr*>(&bound), bytes);
  place_ = at.host + ' ' + at.port + ' ' + host_name();
}

void node_watch::watch(int pe, const std::string& place) {
  std::string host;
  std::string port;
  std::string name;
  std::istringstream(place) >> host >> port >> name;
  const addresses there = parse(host, port);
  if (patience_ == patience_.zero() || host.empty() || there == nullptr) return;
  connection_ = open_socket(there->ai_family);
  if (connection_ < 0) return;
  ask_in_silence(connection_, patience_);
  if (connect(connection_, there->ai_addr, there->ai_addrlen) != 0 && errno != EINPROGRESS) {
    return stop();
  }
  state_ = state::connecting;
  other_ = "PE " + std::to_string(pe) + " on " + name + " (" + host + ")";
}

void node_watch::stop() {
  if (connection_ >= 0) close(std::exchange(connection_, -1));
  state_ = state::unwatched;
}

node_watch::finding node_watch::look() {
  if (state_ == state::unwatched) return {};
  pollfd connection{connection_, POLLRDHUP, 0};
  if (state_ == state::connecting) connection.events = POLLOUT;
  if (poll(&connection, 1, 0) <= 0) return {};
  const bool has_ended = (connection.revents & (POLLERR | POLLHUP | POLLRDHUP)) != 0;
  if (!has_ended) {
    state_ = state::watched;
    return {};
  }
  int error = 0;
  socklen_t bytes = sizeof error;
  getsockopt(connection_, SOL_SOCKET, SO_ERROR, &error, &bytes);
  // A PE without any answer may be behind a firewall for all but the network's own messages. (A
  // reset connection was established once, and ended before this look.)
  const bool was_there = state_ == state::watched || error == ECONNRESET;
  stop();
  if (!was_there) return {};
  if (!is_silence(error)) return {.has_ended = true, .why_unreachable = {}};
  return {
      .has_ended = false,
      .why_unreachable = "its node has not answered for " +
                         std::to_string(std::max<std::chrono::seconds::rep>(patience_.count(), 2)) +
                         " seconds (" + std::strerror(error) +
                         "). See whether the machine is up and what is between it and this one; "
                         "BOXCAR_LOSS_SECONDS sets another time, 0: for ever"};
}

}  // namespace boxcar::detail
