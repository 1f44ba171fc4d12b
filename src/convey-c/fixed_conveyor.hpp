// Conveyors for items of one size behind the C interface.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/conveyor_core.hpp>

#include "convey-c/conveyor.hpp"

namespace boxcar::convey_c {

class fixed_conveyor final : public convey {
 public:
  // Collective.
  fixed_conveyor(world& w, const conveyor_options& options, std::uint64_t c_options);

  void* apull(std::int64_t* from) override;
  int epush(std::size_t bytes, const void* item, std::int64_t pe) override;
  int epull(convey_item_t& result) override;
  bool unpull() override { return core_.unpull(); }

 private:
  // For conveyors of one hop and items of `Bytes`: what happens to nearly every item. What remains
  // is left to the general functions.
  template <std::size_t Bytes>
  static int push_directly(convey& self, const void* item, std::int64_t pe) noexcept;
  template <std::size_t Bytes>
  static int pull_directly(convey& self, void* item, std::int64_t* from) noexcept;
  // For any conveyor, and items of `Bytes` or, with 0, of a size that is looked up.
  template <std::size_t Bytes>
  static int push_item(convey& self, const void* item, std::int64_t pe) noexcept;
  template <std::size_t Bytes>
  static int pull_item(convey& self, void* item, std::int64_t* from) noexcept;
  template <std::size_t Bytes>
  void specialise();

  detail::conveyor_base& base() override { return core_; }
  void begin_session() override;

  detail::conveyor_core core_;
};

}  // namespace boxcar::convey_c
