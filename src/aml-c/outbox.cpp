#include "aml-c/outbox.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace boxcar::aml_c {
namespace {

// A batch is copied once more, into a buffer of the stream: a batch stays in the first-level cache.
constexpr std::size_t largest_batch = 8192;
constexpr std::size_t smallest_batch = 512;
// The memory of the batches to all PEs, unless there are so many that all have the smallest size.
constexpr std::size_t memory_of_batches = std::size_t{4} << 20;

// No message has this handler and length.
constexpr std::uint64_t no_kind = ~std::uint64_t{0};
constexpr boxcar_aml_lane closed{nullptr, nullptr, no_kind, nullptr};

std::size_t batch_bytes_for(int pes) {
  return std::clamp(memory_of_batches / static_cast<std::size_t>(pes) / 64 * 64, smallest_batch,
                    largest_batch);
}

}  // namespace

outbox::outbox(int rank, int pes, sender send)
    : rank_(rank),
      send_(std::move(send)),
      batch_bytes_(batch_bytes_for(pes)),
      lanes_(static_cast<std::size_t>(pes), closed),
      batches_(static_cast<std::size_t>(pes)),
      is_listed_(static_cast<std::size_t>(pes)) {}

outbox::batch_memory outbox::take_memory() {
  if (spare_.empty()) return batch_memory(new std::byte[batch_bytes_]);
  batch_memory memory = std::move(spare_.back());
  spare_.pop_back();
  return memory;
}

void outbox::open(int pe) {
  const auto to = static_cast<std::size_t>(pe);
  batches_[to] = take_memory();
  std::byte* const batch = batches_[to].get();
  const batch_head head{.from = rank_};
  std::memcpy(batch, &head, sizeof head);
  lanes_[to].cursor = reinterpret_cast<char*>(batch + sizeof head);
  lanes_[to].limit = reinterpret_cast<char*>(batch + batch_bytes_);
  if (is_listed_[to]) return;
  is_listed_[to] = true;
  listed_.push_back(pe);
}

void outbox::put(const void* data, int type, int length, int pe) {
  boxcar_aml_lane& lane = lanes_[static_cast<std::size_t>(pe)];
  const run_head run{.type = type, .length = length, .messages = 1};
  const std::size_t bytes = sizeof run + static_cast<std::size_t>(length);
  while (lane.cursor != nullptr) {
    end_run(lane);
    if (bytes <= static_cast<std::size_t>(lane.limit - lane.cursor)) break;
    ship(pe);
  }
  if (bytes > batch_bytes_ - sizeof(batch_head)) return send_alone(data, run, pe);
  if (lane.cursor == nullptr) open(pe);
  lane.run = lane.cursor;
  std::memcpy(lane.run, &run, sizeof run);
  if (length != 0) std::memcpy(lane.run + sizeof run, data, static_cast<std::size_t>(length));
  lane.cursor += bytes;
  // Every empty message is a run of its own: the bytes of a run do not show the number of empty
  // messages.
  lane.kind = length == 0 ? no_kind : boxcar_aml_kind(type, length);
}

void outbox::end_run(boxcar_aml_lane& lane) {
  if (lane.run == nullptr) return;
  run_head run{};
  std::memcpy(&run, lane.run, sizeof run);
  const auto bytes = static_cast<std::size_t>(lane.cursor - lane.run) - sizeof run;
  if (run.length != 0) run.messages = bytes / static_cast<std::size_t>(run.length);
  std::memcpy(lane.run, &run, sizeof run);
  lane.cursor = lane.run + sizeof run + round_up_to_unit(bytes);
  lane.run = nullptr;
  lane.kind = no_kind;
}

void outbox::ship(int pe) {
  const auto to = static_cast<std::size_t>(pe);
  end_run(lanes_[to]);
  batch_memory batch = std::move(batches_[to]);
  const auto bytes =
      static_cast<std::size_t>(lanes_[to].cursor - reinterpret_cast<const char*>(batch.get()));
  lanes_[to] = closed;
  send_({reinterpret_cast<const batch_unit*>(batch.get()), bytes / sizeof(batch_unit)}, pe);
  spare_.push_back(std::move(batch));
}

void outbox::send_alone(const void* data, const run_head& run, int pe) {
  const batch_head head{.from = rank_};
  const std::size_t in_front = sizeof head + sizeof run;
  const auto length = static_cast<std::size_t>(run.length);
  std::vector<batch_unit> batch((in_front + round_up_to_unit(length)) / sizeof(batch_unit));
  auto* const at = reinterpret_cast<std::byte*>(batch.data());
  std::memcpy(at, &head, sizeof head);
  std::memcpy(at + sizeof head, &run, sizeof run);
  std::memcpy(at + in_front, data, length);
  send_(batch, pe);
}

bool outbox::flush() {
  const bool any = !listed_.empty();
  while (!listed_.empty()) {
    const int pe = listed_.back();
    listed_.pop_back();
    is_listed_[static_cast<std::size_t>(pe)] = false;
    if (lanes_[static_cast<std::size_t>(pe)].cursor != nullptr) ship(pe);
  }
  return any;
}

}  // namespace boxcar::aml_c
