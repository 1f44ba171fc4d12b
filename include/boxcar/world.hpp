// A world: an ordered set of PEs that communicate, with the knowledge of which of them share a
// node. docs/worlds.md tells how a program gets one.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace boxcar {

namespace detail {
class substrate;
}

// One PE's view of a world. A world is handed to the function that `run` starts; it may be moved
// but not copied, and belongs to the thread that is the PE.
//
// "Collective" means that every PE of the world calls the function, in the same order. If a PE has
// failed, has left, or calls another collective, a collective throws world_error; it does not hang.
class world {
 public:
  explicit world(std::unique_ptr<detail::substrate> substrate);
  world(world&&) noexcept;
  world& operator=(world&&) noexcept;
  ~world();

  // --- Who and where; local ---------------------------------------------------------------------
  [[nodiscard]] int rank() const;  // 0 to size() - 1
  [[nodiscard]] int size() const;  // number of PEs

  // Nodes are numbered in the order of their lowest rank. PEs of one node share memory.
  [[nodiscard]] int nodes() const;
  [[nodiscard]] int node() const;
  [[nodiscard]] int node_of(int pe) const;                // throws argument_error if out of range
  [[nodiscard]] bool is_local(int pe) const;              // is it on this PE's node?
  [[nodiscard]] int local_rank() const;                   // this PE's place among those of its node
  [[nodiscard]] int local_size() const;                   // number of PEs on this PE's node
  [[nodiscard]] std::string_view substrate_name() const;  // "threads", "processes", ...

  // --- Small collectives ------------------------------------------------------------------------
  // Values are copied as bytes. They are meant for set-up and summaries: time and memory grow with
  // the number of PEs. Bulk data go through conveyors.

  void barrier();

  // The value of PE `root`, on every PE.
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  [[nodiscard]] T broadcast(T value, int root = 0) {
    broadcast_bytes(std::as_writable_bytes(std::span(&value, 1)), root);
    return value;
  }

  // The values of all PEs in rank order, on every PE.
  template <typename T>
    requires std::is_trivially_copyable_v<T> && std::default_initializable<T>
  [[nodiscard]] std::vector<T> all_gather(const T& value) {
    static_assert(!std::is_same_v<T, bool>, "gather a char: std::vector<bool> has no bytes");
    std::vector<T> all(static_cast<std::size_t>(size()));
    gather_bytes(std::as_bytes(std::span(&value, 1)), reinterpret_cast<std::byte*>(all.data()));
    return all;
  }

  // The values of all PEs in rank order, on PE `root`; empty on the others.
  template <typename T>
    requires std::is_trivially_copyable_v<T> && std::default_initializable<T>
  [[nodiscard]] std::vector<T> gather(const T& value, int root = 0) {
    check_pe(root, "gather");
    std::vector<T> all = all_gather(value);
    if (rank() != root) all.clear();
    return all;
  }

  // The values of all PEs combined in rank order by an associative function, on every PE.
  template <typename T, typename Combine = std::plus<T>>
    requires std::is_trivially_copyable_v<T> && std::is_invocable_r_v<T, Combine, T, T>
  [[nodiscard]] T reduce(T value, Combine combine = {}) {
    reduce_bytes(std::as_writable_bytes(std::span(&value, 1)),
                 [&combine](std::byte* into, const std::byte* next) {
                   alignas(T) std::byte raw[2][sizeof(T)];
                   std::memcpy(raw[0], into, sizeof(T));
                   std::memcpy(raw[1], next, sizeof(T));
                   const T result = combine(*std::launder(reinterpret_cast<T*>(raw[0])),
                                            *std::launder(reinterpret_cast<T*>(raw[1])));
                   std::memcpy(into, &result, sizeof(T));
                 });
    return value;
  }

  // Collective. The world of the PEs that give the same color, ranked by key and then by rank here.
  // A PE with a negative color belongs to none and gets nothing. The new world is independent of
  // this one and may outlive it.
  [[nodiscard]] std::optional<world> split(int color, int key = 0);

  // --- Time and waiting; local ------------------------------------------------------------------
  // Time since some moment, the same for all PEs of a machine.
  [[nodiscard]] std::chrono::nanoseconds now() const;
  // Gives the core to others for at least this long. Throws world_error if the world has failed.
  void sleep(std::chrono::nanoseconds duration);
  // For a loop that waits for something outside Boxcar: call it each time there was nothing to do.
  // It spins, yields or blocks, never for longer than a few milliseconds.
  void idle();

  // For the floors above.
  [[nodiscard]] const std::shared_ptr<detail::substrate>& substrate() const { return substrate_; }

 private:
  void check_pe(int pe, const char* operation) const;
  void broadcast_bytes(std::span<std::byte> value, int root);
  void gather_bytes(std::span<const std::byte> mine, std::byte* all);
  void reduce_bytes(std::span<std::byte> value,
                    const std::function<void(std::byte*, const std::byte*)>& combine);

  std::shared_ptr<detail::substrate> substrate_;
};

}  // namespace boxcar
