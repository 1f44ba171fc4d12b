// Means to send items into a buffer of their destination PE, which processes all of them at the
// end: one-sided append (one-sided-append-2014), and the usual alternatives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/append_buffer.hpp>
#include <boxcar/window.hpp>

#include "contender.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// Outgoing items, gathered in one block per PE.
template <typename Item>
class outgoing_blocks {
 public:
  outgoing_blocks(int pes, std::size_t block_items)
      : items_(static_cast<std::size_t>(pes) * block_items),
        held_(static_cast<std::size_t>(pes)),
        block_items_(block_items) {}

  // Adds an item, and calls `send(block, pe)` when the PE's block is full.
  template <typename Send>
  void add(const Item& item, int pe, const Send& send) {
    const auto place = static_cast<std::size_t>(pe);
    items_[place * block_items_ + held_[place]] = item;
    if (++held_[place] == block_items_) [[unlikely]] {
      send_held(place, send);
    }
  }
  template <typename Send>
  void send_all(const Send& send) {
    for (std::size_t pe = 0; pe < held_.size(); ++pe) {
      if (held_[pe] != 0) send_held(pe, send);
    }
  }

 private:
  template <typename Send>
  void send_held(std::size_t pe, const Send& send) {
    const std::size_t n = std::exchange(held_[pe], 0);
    send(std::span<const Item>(items_).subspan(pe * block_items_, n), static_cast<int>(pe));
  }

  std::vector<Item> items_;
  std::vector<std::size_t> held_;
  std::size_t block_items_;
};

// A job whose PEs have an upper bound of their arriving items beforehand.
template <typename Job>
class append_form : public contender {
 public:
  using item_type = typename Job::item_type;

  append_form(std::string name, world& w, Job& job)
      : world_(w), job_(job), name_(std::move(name)) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }

 protected:
  void apply_all(std::span<const item_type> arrived) {
    for (const item_type& item : arrived) job_.apply(item);
  }
  // Sends all items in blocks.
  template <typename Send>
  void send_all(outgoing_blocks<item_type>& blocks, const Send& send) {
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) blocks.add(job_.at(i), job_.destination(i), send);
    blocks.send_all(send);
  }

  world& world_;
  Job& job_;

 private:
  std::string name_;
};

// Listing 4: a fetch-add finds the place, and a put goes there.
template <typename Job>
class by_fetch_add_and_put final : public append_form<Job> {
 public:
  using item_type = typename Job::item_type;
  by_fetch_add_and_put(world& w, Job& job, std::size_t block_items)
      : append_form<Job>("fetch_add, put", w, job),
        blocks_(w.size(), block_items),
        items_(w, job.max_arriving()),
        end_(w, 1) {}

  void prepare() override {
    end_.local()[0] = 0;
    this->world_.barrier();
  }
  void run() override {
    this->send_all(blocks_, [this](std::span<const item_type> block, int pe) {
      items_.put(block, pe, end_.fetch_add(block.size(), pe, 0));
    });
    items_.flush();
    this->world_.barrier();
    this->apply_all(items_.local().first(end_.local()[0]));
  }

 private:
  outgoing_blocks<item_type> blocks_;
  window<item_type> items_;
  window<std::uint64_t> end_;
};

template <typename Job>
class append_buffer_form : public append_form<Job> {
 public:
  append_buffer_form(std::string name, world& w, Job& job, const append_options& options)
      : append_form<Job>(std::move(name), w, job), buffer_(w, job.max_arriving(), options) {}

  ~append_buffer_form() noexcept override = default;

  void prepare() override {
    buffer_.reset();
    this->world_.barrier();
  }

 protected:
  void take_all() {
    buffer_.finish();
    require(buffer_.refused() == 0, "items found no room");
    this->apply_all(buffer_.arrived());
  }

  append_buffer<typename Job::item_type> buffer_;
};

// Listing 5. Waits for the answer to each push, with the number of items that have found room.
template <typename Job>
class by_push final : public append_buffer_form<Job> {
 public:
  using item_type = typename Job::item_type;
  by_push(world& w, Job& job, std::size_t block_items, bool waits)
      : append_buffer_form<Job>(waits ? "push" : "push_nbi", w, job, {}),
        blocks_(w.size(), block_items),
        waits_(waits) {}

  void run() override {
    this->send_all(blocks_, [this](std::span<const item_type> block, int pe) {
      if (waits_) {
        this->buffer_.push(block, pe);
      } else {
        this->buffer_.push_nbi(block, pe);
      }
    });
    this->take_all();
  }

 private:
  outgoing_blocks<item_type> blocks_;
  bool waits_;
};

// Pushes item by item; many items travel together.
template <typename Job>
class by_aggregated_push final : public append_buffer_form<Job> {
 public:
  by_aggregated_push(world& w, Job& job, const conveyor_options& options)
      : append_buffer_form<Job>("push, aggregated", w, job,
                                {.aggregate = true, .conveyor = options}) {}

  void run() override {
    const std::uint64_t n = this->job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      this->buffer_.push(this->job_.at(i), this->job_.destination(i));
    }
    this->take_all();
  }
};

// Collective.
template <typename Job>
std::vector<std::unique_ptr<contender>> append_forms(world& w, const setting& s, Job& job) {
  const std::uint64_t most = std::max<std::uint64_t>(job.items(), 1);
  const std::size_t block_items =
      std::min<std::uint64_t>(s.message_bytes / sizeof(typename Job::item_type), most);
  std::vector<std::unique_ptr<contender>> forms;
  forms.push_back(std::make_unique<by_push<Job>>(w, job, block_items, false));
  forms.push_back(std::make_unique<by_push<Job>>(w, job, block_items, true));
  forms.push_back(std::make_unique<by_fetch_add_and_put<Job>>(w, job, block_items));
  forms.push_back(std::make_unique<by_aggregated_push<Job>>(w, job, options_of(s)));
  return forms;
}

}  // namespace boxcar::bench
