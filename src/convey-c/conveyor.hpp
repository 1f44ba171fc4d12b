// The common base of all conveyors behind the C interface. Functions throw; convey.cpp converts
// exceptions to statuses.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/conveyor_base.hpp>
#include <boxcar/world.hpp>

#include "convey-c/arguments.hpp"
#include "convey-c/c_headers.hpp"
#include "convey-c/client_allocator.hpp"
#include "convey-c/complaints.hpp"

namespace boxcar::convey_c {

// A convey_t is the part of a conveyor that clients' compilers see.
class conveyor : public convey {
 public:
  conveyor(const conveyor&) = delete;
  conveyor& operator=(const conveyor&) = delete;
  virtual ~conveyor() = default;

  // Functions called for each item: the functions do everything needed, statuses included. A
  // session selects the functions for the size of its items when the session begins.
  int (*push)(conveyor& self, const void* item, std::int64_t pe) noexcept;
  int (*pull)(conveyor& self, void* item, std::int64_t* from) noexcept;

  virtual void* apull(std::int64_t* from) = 0;
  virtual int epush(std::size_t bytes, const void* item, std::int64_t pe) = 0;
  virtual int epull(convey_item_t& result) = 0;
  virtual bool unpull() = 0;

  void begin(std::size_t item_bytes, std::size_t align);
  int advance(bool done);
  void reset();
  // Throws if the conveyor must not be destroyed.
  void prepare_to_free();
  // Returns false if the conveyor does not compress.
  bool set_codec(const convey_codec_t* codec, void* arg);

  [[nodiscard]] std::size_t item_size() const;
  [[nodiscard]] std::uint64_t features() const { return features_; }
  [[nodiscard]] std::int64_t statistic(int which) const;

  int caught(call function, convey_error for_argument = convey_error_USAGE) noexcept {
    return complaints_.caught(function, rank_, for_argument);
  }

 protected:
  // `features`: the features beside the features that the options request.
  conveyor(const arguments& given, std::uint64_t features);

  // Returns the options of the conveyor behind the interface, with memory from the client's
  // allocator.
  [[nodiscard]] conveyor_options options(const arguments& given);

  [[nodiscard]] virtual detail::conveyor_base& base() = 0;
  [[nodiscard]] const detail::conveyor_base& base() const {
    return const_cast<conveyor*>(this)->base();
  }
  // Collective. Precondition: all PEs have agreed on `item_bytes`, the size or default size of
  // items.
  virtual void begin_session() = 0;
  // Returns the largest size of items, if there is a bound beside the size of the buffers.
  [[nodiscard]] virtual std::size_t item_bound() const { return SIZE_MAX; }

  // From here on, all items take the functions below `push` and `pull`.
  void close_direct_access();

  // Returns the size given to begin.
  [[nodiscard]] std::size_t item_bytes() const { return item_bytes_; }
  [[nodiscard]] std::size_t alignment() const { return alignment_; }
  [[nodiscard]] int world_size() const { return world_.size(); }

 private:
  void agree_on_size(std::size_t bytes);

  world& world_;
  int rank_;
  std::uint64_t features_;
  std::size_t item_bytes_ = 0;
  std::size_t alignment_ = 1;
  complaints complaints_;
  client_allocator allocator_;
};

}  // namespace boxcar::convey_c
