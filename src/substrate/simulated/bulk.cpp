#include "substrate/simulated/bulk.hpp"

#include <new>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/memory_errors.hpp"

namespace boxcar::detail {

struct simulated_bulk::item {
  explicit item(std::size_t size)
      : data(static_cast<std::byte*>(::operator new(size, alignment))), bytes(size) {}
  item(const item&) = delete;
  item& operator=(const item&) = delete;
  ~item() { ::operator delete(data, alignment); }

  static constexpr std::align_val_t alignment{64};
  std::byte* data;
  std::size_t bytes;
  bool is_taken = false;
};

class simulated_bulk::offered final : public bulk_offer {
 public:
  offered(simulated_bulk& all, std::shared_ptr<item> what) : all_(all), item_(std::move(what)) {}
  offered(const offered&) = delete;
  offered& operator=(const offered&) = delete;
  // An item given up before the receiver was done, because this PE has failed, stays: the receiver
  // may be reading it.
  ~offered() override {
    if (item_->is_taken) all_.put_up_.erase(number_);
  }

  [[nodiscard]] std::byte* data() const override { return item_->data; }
  [[nodiscard]] std::size_t bytes() const override { return item_->bytes; }
  [[nodiscard]] bulk_ticket put_up() override {
    number_ = ++all_.last_;
    all_.put_up_.emplace(number_, item_);
    return {.where = number_, .which = 0, .bytes = item_->bytes};
  }
  [[nodiscard]] bool taken() const override { return item_->is_taken; }

 private:
  simulated_bulk& all_;
  std::shared_ptr<item> item_;
  std::uint64_t number_ = 0;
};

class simulated_bulk::delivered final : public bulk_delivery {
 public:
  delivered(std::shared_ptr<item> what, std::function<void()> taken)
      : item_(std::move(what)), taken_(std::move(taken)) {}
  delivered(const delivered&) = delete;
  delivered& operator=(const delivered&) = delete;
  ~delivered() override {
    item_->is_taken = true;
    taken_();
  }
  [[nodiscard]] const std::byte* data() const override { return item_->data; }

 private:
  std::shared_ptr<item> item_;
  std::function<void()> taken_;
};

std::unique_ptr<bulk_offer> simulated_bulk::offer(std::size_t bytes) {
  try {
    return std::make_unique<offered>(*this, std::make_shared<item>(bytes));
  } catch (const std::bad_alloc&) {
    throw system_error("no memory is left for an item of " + std::to_string(bytes) + " bytes");
  }
}

std::unique_ptr<bulk_delivery> simulated_bulk::fetch(const bulk_ticket& ticket,
                                                     std::function<void()> taken) {
  const auto found = put_up_.find(ticket.where);
  if (found == put_up_.end()) {
    throw memory_gone("an item of " + std::to_string(ticket.bytes) + " bytes is gone");
  }
  return std::make_unique<delivered>(found->second, std::move(taken));
}

}  // namespace boxcar::detail
