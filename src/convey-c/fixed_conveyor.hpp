// Conveyors for items of one size behind the C interface.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/conveyor_core.hpp>

#include "convey-c/conveyor.hpp"

namespace boxcar::convey_c {

class fixed_conveyor final : public conveyor {
 public:
  // Collective.
  explicit fixed_conveyor(const arguments& given);

  void* apull(std::int64_t* from) override;
  int epush(std::size_t bytes, const void* item, std::int64_t pe) override;
  int epull(convey_item_t& result) override;
  bool unpull() override { return core_.unpull(); }

 private:
  // For items of `Bytes`, if a copy of the item is all of the work.
  template <std::size_t Bytes, bool Direct>
  static int push_at_hand(conveyor& self, const void* item, std::int64_t pe) noexcept;
  template <std::size_t Bytes, bool Direct>
  static int pull_at_hand(conveyor& self, void* item, std::int64_t* from) noexcept;
  // For items that need more work; with 0, the size is looked up.
  template <std::size_t Bytes>
  static int push_item(conveyor& self, const void* item, std::int64_t pe) noexcept;
  template <std::size_t Bytes>
  static int pull_item(conveyor& self, void* item, std::int64_t* from) noexcept;
  template <std::size_t Bytes>
  void specialise();

  detail::conveyor_base& base() override { return core_; }
  void begin_session() override;
  void open_direct_access();

  detail::conveyor_core core_;
};

}  // namespace boxcar::convey_c
