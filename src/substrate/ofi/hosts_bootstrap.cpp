// The bootstrap of PEs on several hosts. The PEs of a host exchange data through the
// memory of the host's `boxcar`. The first PE of a host then exchanges the texts of the host's PEs
// with the other hosts, through a socket by which `boxcar` forwards the data.
//
// A message on the socket is its size, in eight bytes, and a row of texts, in the order of ranks;
// each text follows its size in four bytes.
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <span>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/environment.hpp"
#include "substrate/ofi/bootstraps.hpp"
#include "substrate/ofi/boxcar_run_bootstrap.hpp"
#include "substrate/processes/join.hpp"
#include "substrate/shared_memory/control_block.hpp"
#include "substrate/shared_memory/mapping.hpp"

namespace boxcar::detail::ofi {
namespace {

using size_of_all = std::uint64_t;
using size_of_text = std::uint32_t;

std::string pack(const std::vector<std::string>& texts) {
  std::string packed;
  for (const std::string& text : texts) {
    const auto bytes = static_cast<size_of_text>(text.size());
    packed.append(reinterpret_cast<const char*>(&bytes), sizeof bytes).append(text);
  }
  return packed;
}

std::vector<std::string> unpack(std::string_view packed) {
  std::vector<std::string> texts;
  while (packed.size() >= sizeof(size_of_text)) {
    size_of_text bytes = 0;
    std::memcpy(&bytes, packed.data(), sizeof bytes);
    packed.remove_prefix(sizeof bytes);
    texts.emplace_back(packed.substr(0, bytes));
    packed.remove_prefix(texts.back().size());
  }
  return texts;
}

mapping memory_of(const launched_process& process) {
  struct stat status {};
  fstat(process.control_descriptor, &status);
  return mapping::of_file(process.control_descriptor, static_cast<std::size_t>(status.st_size));
}

class hosts_bootstrap final : public boxcar_run_bootstrap {
 public:
  // `world` is the world of the PEs of this host.
  hosts_bootstrap(std::unique_ptr<substrate> world, const launched_process& process)
      : boxcar_run_bootstrap(std::move(world)),
        hosts_(*process.hosts),
        memory_(memory_of(process)) {}

  [[nodiscard]] const char* name() const override { return "boxcar run --hosts"; }
  [[nodiscard]] int rank() const override { return hosts_.first_rank + here().rank(); }
  [[nodiscard]] int size() const override { return hosts_.pes; }
  [[nodiscard]] int nodes() const override { return 1; }  // of each machine

  void publish(const std::string& mine) override {
    constexpr int first = 0;
    const std::vector<std::string> of_host = gather_here(mine, first);
    std::string of_all;
    if (here().rank() == first) of_all = exchange(pack(of_host));
    size_of_all bytes = of_all.size();
    here().broadcast(std::as_writable_bytes(std::span(&bytes, 1)), first);
    of_all.resize(bytes);
    here().broadcast(std::as_writable_bytes(std::span(of_all)), first);
    std::vector<std::string> published = unpack(of_all);
    if (published.size() != static_cast<std::size_t>(size())) {
      throw system_error("`boxcar run` told PE " + std::to_string(rank()) + " of " +
                         std::to_string(published.size()) + " PEs instead of " +
                         std::to_string(size()));
    }
    keep(std::move(published));
  }

  void note_failure_elsewhere() noexcept override {
    // The flag alone stops nobody: PEs that fail because of the failure elsewhere do so later, and
    // the launcher handles their failures.
    reinterpret_cast<job_block*>(memory_.data())
        ->failed_elsewhere.store(1, std::memory_order_release);
  }

 private:
  // Returns the texts of all hosts, one host after the other.
  std::string exchange(const std::string& of_host) {
    size_of_all bytes = of_host.size();
    write(std::as_bytes(std::span(&bytes, 1)));
    write(std::as_bytes(std::span(of_host)));
    read(std::as_writable_bytes(std::span(&bytes, 1)));
    std::string of_all(bytes, '\0');
    read(std::as_writable_bytes(std::span(of_all)));
    return of_all;
  }
  void write(std::span<const std::byte> data) const {
    while (!data.empty()) {
      const ssize_t sent =
          send(hosts_.bootstrap_descriptor, data.data(), data.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno != EINTR) refuse(std::strerror(errno));
      if (sent > 0) data = data.subspan(static_cast<std::size_t>(sent));
    }
  }
  // Reads until `into` is full. Throws if the job fails meanwhile.
  void read(std::span<std::byte> into) {
    constexpr int milliseconds_between = 100;
    while (!into.empty()) {
      pollfd source{hosts_.bootstrap_descriptor, POLLIN, 0};
      if (poll(&source, 1, milliseconds_between) == 0) check_failure();
      if (source.revents == 0) continue;
      const ssize_t got = recv(hosts_.bootstrap_descriptor, into.data(), into.size(), MSG_DONTWAIT);
      if (got == 0) refuse("`boxcar` has ended");
      if (got < 0 && errno != EINTR && errno != EAGAIN) refuse(std::strerror(errno));
      if (got > 0) into = into.subspan(static_cast<std::size_t>(got));
    }
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw system_error(
        "descriptor " + std::to_string(hosts_.bootstrap_descriptor) +
        " does not lead to the `boxcar` that has started this process, by which PEs of other hosts "
        "are met (" +
        why + "): a program between the two has closed it");
  }

  share_of_hosts hosts_;
  mapping memory_;  // of the launcher
};

}  // namespace

std::unique_ptr<bootstrap> bootstrap_by_boxcar_run_on_hosts() {
  const auto process = launched_by_boxcar();
  if (!process || !process->hosts) return nullptr;
  return std::make_unique<hosts_bootstrap>(join_processes(*process), *process);
}

}  // namespace boxcar::detail::ofi
