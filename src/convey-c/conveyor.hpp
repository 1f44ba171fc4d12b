// What a convey_t is: what all conveyors have in common behind the C interface. Functions throw;
// convey.cpp makes statuses of that.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/detail/conveyor_base.hpp>
#include <boxcar/world.hpp>

#include "convey-c/complaints.hpp"
#include "convey.h"

struct convey {
 public:
  using call = boxcar::convey_c::call;

  convey(const convey&) = delete;
  convey& operator=(const convey&) = delete;
  virtual ~convey() = default;

  // Per item, so they do all that is needed, statuses included. They are chosen for the size of the
  // items when a session begins.
  int (*push)(convey& self, const void* item, std::int64_t pe) noexcept;
  int (*pull)(convey& self, void* item, std::int64_t* from) noexcept;

  virtual void* apull(std::int64_t* from) = 0;
  virtual int epush(std::size_t bytes, const void* item, std::int64_t pe) = 0;
  virtual int epull(convey_item_t& result) = 0;
  virtual bool unpull() = 0;

  void begin(std::size_t item_bytes, std::size_t align);
  int advance(bool done);
  void reset();
  // Whether `delete` may follow; throws if not.
  void prepare_to_free();
  virtual bool set_codec(const convey_codec_t* codec, void* arg);

  [[nodiscard]] std::size_t item_bytes() const;
  [[nodiscard]] std::uint64_t features() const { return features_; }
  [[nodiscard]] std::int64_t statistic(int which) const;

  int caught(call function, convey_error for_argument = convey_error_USAGE) noexcept {
    return complaints_.caught(function, rank_, for_argument);
  }

 protected:
  convey(boxcar::world& w, std::uint64_t options, std::uint64_t features);

  // The part that is common to the conveyors behind this interface.
  [[nodiscard]] virtual boxcar::detail::conveyor_base& base() = 0;
  [[nodiscard]] const boxcar::detail::conveyor_base& base() const {
    return const_cast<convey*>(this)->base();
  }
  // Collective. The default size, which all PEs have agreed on, is `item_bytes_`.
  virtual void begin_session() = 0;
  // The largest that items may be, if there is a bound beside the size of the buffers.
  [[nodiscard]] virtual std::size_t item_bound() const { return SIZE_MAX; }

  // As an int: what does not fit is no PE.
  [[nodiscard]] int pe_number(std::int64_t pe) const {
    if (pe != static_cast<int>(pe)) [[unlikely]]
      refuse_pe(pe);
    return static_cast<int>(pe);
  }

  std::size_t item_bytes_ = 0;
  std::size_t alignment_ = 1;

 private:
  void agree_on(std::size_t item_bytes);
  [[noreturn]] void refuse_pe(std::int64_t pe) const;

  boxcar::world& world_;
  int rank_;
  std::uint64_t features_;
  boxcar::convey_c::complaints complaints_;
};
