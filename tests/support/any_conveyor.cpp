#include "support/any_conveyor.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>

#include "support/item_content.hpp"

namespace boxcar::test {
namespace {

// The functions with the same names in all sorts of conveyor.
template <typename Conveyor>
class wrapped : public any_conveyor {
 public:
  template <typename... Arguments>
  explicit wrapped(Arguments&&... arguments) : conveyor_(std::forward<Arguments>(arguments)...) {}

  void in_session(const std::function<void()>& body) override {
    const session s = conveyor_.begin();
    body();
  }
  bool unpull() override { return conveyor_.unpull(); }
  advance_result advance(bool done) override { return conveyor_.advance(done); }
  void reset() override { conveyor_.reset(); }
  [[nodiscard]] conveyor_state state() const override { return conveyor_.state(); }
  [[nodiscard]] statistics session_statistics() const override {
    return conveyor_.session_statistics();
  }
  [[nodiscard]] statistics total_statistics() const override {
    return conveyor_.total_statistics();
  }

 protected:
  Conveyor conveyor_;
};

// The largest power of two that divides the size, at most 64.
constexpr std::size_t alignment_of(std::size_t bytes) {
  return std::min<std::size_t>(bytes & (~bytes + 1), 64);
}

template <std::size_t Bytes>
struct alignas(alignment_of(Bytes)) item_of {
  std::array<std::byte, Bytes> bytes;
};

template <std::size_t Bytes>
class fixed_size final : public wrapped<conveyor<item_of<Bytes>>> {
 public:
  using item_type = item_of<Bytes>;
  static_assert(sizeof(item_type) == Bytes);
  using wrapped<conveyor<item_type>>::wrapped;

  bool push(std::span<const std::byte> item, int pe) override {
    std::ranges::copy(item, item_.bytes.begin());
    return this->conveyor_.push(item_, pe);
  }

  pulled_item pull(pull_way way, int& from) override {
    if (is_copy(way)) {
      const bool pulled =
          tells_source(way) ? this->conveyor_.pull(item_, from) : this->conveyor_.pull(item_);
      return pulled ? pulled_item{item_.bytes.data(), Bytes} : pulled_item{};
    }
    const item_type* item =
        tells_source(way) ? this->conveyor_.pull_pointer(from) : this->conveyor_.pull_pointer();
    return {reinterpret_cast<const std::byte*>(item), Bytes};
  }

  void pull_all(const std::function<void(pulled_item, int from)>& take) override {
    this->conveyor_.pull_all([&take](const item_type& item, int from) {
      take({item.bytes.data(), Bytes}, from);
    });
  }

  int last_source() override { return this->conveyor_.last_source(); }
  [[nodiscard]] std::size_t alignment() const override { return alignof(item_type); }

 private:
  item_type item_{};  // the largest does not belong on a stack
};

class elastic final : public wrapped<elastic_conveyor> {
 public:
  using wrapped<elastic_conveyor>::wrapped;

  bool push(std::span<const std::byte> item, int pe) override { return conveyor_.push(item, pe); }

  pulled_item pull(pull_way way, int& from) override {
    const std::optional<elastic_item> item = conveyor_.pull(is_copy(way) ? 1 : alignment());
    if (!item.has_value()) return {};
    last_source_ = item->from;
    if (tells_source(way)) from = item->from;
    if (!is_copy(way)) return {item->bytes.data(), item->bytes.size()};
    copy_.assign(item->bytes.begin(), item->bytes.end());
    copy_.push_back({});  // so that a copy of an empty item has an address
    return {copy_.data(), item->bytes.size()};
  }

  void pull_all(const std::function<void(pulled_item, int from)>& take) override {
    while (const auto item = conveyor_.pull()) {
      last_source_ = item->from;
      take({item->bytes.data(), item->bytes.size()}, item->from);
    }
  }

  int last_source() override { return last_source_; }
  [[nodiscard]] std::size_t alignment() const override { return 16; }

 private:
  std::vector<std::byte> copy_;
  int last_source_ = -1;
};

template <std::size_t... Sizes>
std::unique_ptr<any_conveyor> make_fixed_size(const world& w, const conveyor_setup& setup,
                                              std::index_sequence<Sizes...>) {
  std::unique_ptr<any_conveyor> made;
  const auto make_if = [&]<std::size_t Bytes>() {
    if (setup.item_bytes != Bytes) return;
    made = std::make_unique<fixed_size<Bytes>>(w, setup.options);
  };
  (make_if.template operator()<item_sizes[Sizes]>(), ...);
  if (made != nullptr) return made;
  throw std::invalid_argument("no test has items of " + std::to_string(setup.item_bytes) +
                              " bytes");
}

}  // namespace

std::unique_ptr<any_conveyor> make_conveyor(const world& w, const conveyor_setup& setup) {
  if (setup.elastic) {
    return std::make_unique<elastic>(w, largest_varied_size(setup.item_bytes), setup.options);
  }
  return make_fixed_size(w, setup, std::make_index_sequence<item_sizes.size()>());
}

}  // namespace boxcar::test
