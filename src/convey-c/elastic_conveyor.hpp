// Conveyors for items of any size behind the C interface.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/elastic_core.hpp>

#include "convey-c/conveyor.hpp"

namespace boxcar::convey_c {

class elastic_conveyor final : public conveyor {
 public:
  // Collective. No item is larger than `bound`.
  elastic_conveyor(const arguments& given, std::size_t bound);

  void* apull(std::int64_t* from) override;
  int epush(std::size_t bytes, const void* item, std::int64_t pe) override;
  int epull(convey_item_t& result) override;
  bool unpull() override { return core_.unpull(); }

 private:
  // For items of the default size: `Bytes` or, with 0, the size looked up.
  template <std::size_t Bytes>
  static int push_default(conveyor& self, const void* item, std::int64_t pe) noexcept;
  template <std::size_t Bytes>
  static int pull_default(conveyor& self, void* item, std::int64_t* from) noexcept;
  template <std::size_t Bytes>
  void specialise();

  detail::conveyor_base& base() override { return core_; }
  void begin_session() override;
  [[nodiscard]] std::size_t item_bound() const override { return bound_; }
  // Returns false if nothing has arrived. Throws a refusal, and pulls nothing, if the next item has
  // another size.
  bool next_has_default_size();
  [[noreturn]] void refuse_size(std::size_t bytes) const;

  detail::elastic_core core_;
  std::size_t bound_;
};

}  // namespace boxcar::convey_c
