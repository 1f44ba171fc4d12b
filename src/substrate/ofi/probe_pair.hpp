// Two endpoints of a provider in one process, between which the probe tries features: the first
// endpoint sends, puts and gets.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_trigger.h>
#include <string>
#include <vector>

#include "substrate/ofi/call.hpp"
#include "substrate/ofi/owned.hpp"
#include "substrate/ofi/provider.hpp"

namespace boxcar::detail::ofi {

constexpr auto max_probe_wait = std::chrono::seconds(2);

// Thrown if the provider does not offer the feature.
struct not_offered {};

// Returns what libfabric has with the capabilities, of all providers if none is named; or nullptr.
info_list find_information(const std::string& provider, std::uint64_t capabilities);

class probe_pair {
 public:
  // Throws not_offered. `counts`: the second endpoint has a counter of puts into its memory.
  probe_pair(const std::string& provider, std::uint64_t capabilities, bool counts = false);

  [[nodiscard]] fid_ep* from() const { return sides_[0].end.get(); }
  [[nodiscard]] fid_ep* to_end() const { return sides_[1].end.get(); }
  [[nodiscard]] fi_addr_t to() const { return to_; }
  [[nodiscard]] std::array<std::uint64_t, 64>& here() { return sides_[0].words; }
  [[nodiscard]] std::array<std::uint64_t, 64>& there() { return sides_[1].words; }
  [[nodiscard]] void* here_description() const { return fi_mr_desc(here_.get()); }
  [[nodiscard]] void* there_description() const { return fi_mr_desc(there_.get()); }
  [[nodiscard]] std::uint64_t there_address() const {
    const bool by_address = (info_->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
    return by_address ? reinterpret_cast<std::uint64_t>(sides_[1].words.data()) : 0;
  }
  [[nodiscard]] std::uint64_t key() const { return fi_mr_key(there_.get()); }
  [[nodiscard]] fid_cntr* counter() const { return counter_.get(); }
  [[nodiscard]] fid_mr* region() const { return there_.get(); }
  void queue(fi_deferred_work& work);
  void cancel(fi_deferred_work& work);
  owned<fid_cntr> make_counter();
  [[nodiscard]] fi_context2& context() { return contexts_.emplace_back(); }

  // Returns the next completion of the second endpoint; counts completions of the first endpoint.
  std::optional<fi_cq_data_entry> poll();
  template <typename Condition>
  bool poll_until(const Condition& is_so, std::chrono::milliseconds limit = max_probe_wait) {
    const auto until = std::chrono::steady_clock::now() + limit;
    for (;;) {
      if (auto entry = poll()) arrived_.push_back(*entry);
      if (is_so()) return true;
      if (std::chrono::steady_clock::now() > until) return false;
    }
  }
  [[nodiscard]] const std::vector<fi_cq_data_entry>& arrived() const { return arrived_; }
  [[nodiscard]] int ended_here() const { return ended_here_; }

  // Repeats the call until the provider takes the operation: the provider may have to connect
  // first.
  template <typename Call>
  void begin(const char* function, const Call& call) {
    ssize_t code = -FI_EAGAIN;
    poll_until([&] { return (code = call()) != -FI_EAGAIN; });
    check(code, function);
  }
  // Puts one word. Returns whether the word has arrived.
  bool put(std::size_t word, std::uint64_t value);

 private:
  struct side {
    std::array<std::uint64_t, 64> words{};
    owned<fid_av> others;
    owned<fid_cq> ended;
    owned<fid_ep> end;
  };

  void open(side& s, std::uint64_t capabilities, bool counts);
  // A buffer for several messages is released when the buffer has no room for the shortest message,
  // and not when there is room for little more. (The option is set before the endpoint is enabled:
  // some providers read the option then, and never again.)
  static void use_up_buffers(side& s);
  owned<fid_mr> register_words(side& s, std::uint64_t access);
  static std::optional<fi_cq_data_entry> read(side& s);

  info_list info_;
  owned<fid_fabric> fabric_;
  owned<fid_domain> domain_;
  fi_cntr_attr counter_attributes_{};
  owned<fid_cntr> counter_;
  std::array<side, 2> sides_;
  owned<fid_mr> here_;
  owned<fid_mr> there_;
  fi_addr_t to_ = FI_ADDR_UNSPEC;
  std::uint64_t last_key_ = 0;
  std::deque<fi_context2> contexts_;
  std::vector<fi_cq_data_entry> arrived_;
  int ended_here_ = 0;
};

}  // namespace boxcar::detail::ofi
