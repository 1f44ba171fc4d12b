// Conveyors for items of any size behind the C interface.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/elastic_core.hpp>

#include "convey-c/conveyor.hpp"

namespace boxcar::convey_c {

class elastic_conveyor final : public convey {
 public:
  // Collective. No item is larger than `bound`.
  elastic_conveyor(world& w, std::size_t bound, const conveyor_options& options,
                   std::uint64_t c_options);

  void* apull(std::int64_t* from) override;
  int epush(std::size_t bytes, const void* item, std::int64_t pe) override;
  int epull(convey_item_t& result) override;
  bool unpull() override { return core_.unpull(); }

 private:
  static int push_default(convey& self, const void* item, std::int64_t pe) noexcept;
  static int pull_default(convey& self, void* item, std::int64_t* from) noexcept;

  detail::conveyor_base& base() override { return core_; }
  void begin_session() override { core_.begin(); }
  [[nodiscard]] std::size_t item_bound() const override { return bound_; }
  detail::elastic_core::arrived_item pull_of_default_size();

  detail::elastic_core core_;
  std::size_t bound_;
};

}  // namespace boxcar::convey_c
