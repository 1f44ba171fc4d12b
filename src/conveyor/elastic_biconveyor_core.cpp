#include <utility>

#include <boxcar/elastic_biconveyor.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

// Replies may be large: few wait for their turn.
constexpr std::size_t window = 4096;

}  // namespace

elastic_biconveyor_core::elastic_biconveyor_core(const world& w, std::size_t largest_query,
                                                 std::size_t largest_reply,
                                                 const conveyor_options& options)
    : biconveyor_base(queries_, replies_, options),
      queries_(w, {largest_query, largest_query}, for_each(options)),
      replies_(w, {largest_reply, largest_reply}, for_each(options)),
      arrived_(static_cast<std::size_t>(w.size())) {}

void elastic_biconveyor_core::begin(answer_function answer) {
  require_dormant();
  queries_.begin();
  try {
    replies_.begin();
  } catch (const error&) {
    take_back(queries_);
    throw;
  }
  answer_ = std::move(answer);
  unsent_to_ = -1;
  begun(window);
}

bool elastic_biconveyor_core::push(std::span<const std::byte> query, int pe) {
  if (window_full()) {
    refuse_if_illegal(pe);
    return false;
  }
  if (!queries_.push(query.data(), query.size(), pe)) return false;
  remember(pe);
  return true;
}

bool elastic_biconveyor_core::pull(std::vector<std::byte>& reply) {
  if (nothing_asked()) {
    require_pull();
    return false;
  }
  auto& replies = arrived_[whom()];
  if (replies.empty()) collect();
  if (replies.empty()) return false;
  take();
  reply = replies.pop();
  arrived_bytes_ -= reply.size();
  return true;
}

void elastic_biconveyor_core::serve() {
  if (unsent_to_ >= 0) {
    if (!replies_.push(unsent_.data(), unsent_.size(), unsent_to_)) return;
    unsent_to_ = -1;
  }
  for (;;) {
    const auto query = queries_.pull();
    if (query.data == nullptr) return;
    const int from = queries_.from();
    unsent_.clear();
    answer_({query.data, query.bytes}, unsent_);
    if (!replies_.push(unsent_.data(), unsent_.size(), from)) {
      unsent_to_ = from;
      return;
    }
  }
}

void elastic_biconveyor_core::collect() {
  for (;;) {
    const auto reply = replies_.pull();
    if (reply.data == nullptr) return;
    arrived_[static_cast<std::size_t>(replies_.from())].push(
        {reply.data, reply.data + reply.bytes});
    arrived_bytes_ += reply.bytes;
  }
}

std::size_t elastic_biconveyor_core::queue_bytes() const {
  std::size_t bytes = arrived_.capacity() * sizeof(arrived_[0]) + arrived_bytes_;
  for (const auto& replies : arrived_) bytes += replies.memory_bytes();
  return bytes + unsent_.capacity();
}

void elastic_biconveyor_core::release_queues() {
  for (auto& replies : arrived_) replies.release();
  unsent_ = std::vector<std::byte>();
}

}  // namespace boxcar::detail
