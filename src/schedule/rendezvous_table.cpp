#include "schedule/rendezvous_table.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace boxcar::detail {
namespace {

// The records follow a header with the number of records.
constexpr std::size_t front = sizeof(rendezvous_record);

rendezvous_record* records_in(std::span<std::byte> memory) {
  return reinterpret_cast<rendezvous_record*>(memory.data() + front);
}

}  // namespace

std::size_t rendezvous_table::bytes_for(std::size_t num_rendezvous) {
  return num_rendezvous == 0 ? 0 : front + num_rendezvous * sizeof(rendezvous_record);
}

void rendezvous_table::create(std::span<std::byte> memory, std::int32_t receiver,
                              std::vector<arrival> all) {
  if (all.empty()) return;
  const std::uint64_t count = all.size();
  std::memcpy(memory.data(), &count, sizeof count);
  std::ranges::sort(all, {}, [](const arrival& a) { return std::pair(a.sender, a.number); });
  rendezvous_record* next = records_in(memory);
  for (const arrival& a : all) {
    rendezvous_record& m = *new (next++) rendezvous_record;
    m.number = a.number;
    m.bytes = a.bytes;
    m.sender = a.sender;
    m.receiver = receiver;
    m.into = a.into;
  }
}

rendezvous_table::rendezvous_table(std::span<std::byte> memory) {
  std::uint64_t count = 0;
  std::memcpy(&count, memory.data(), sizeof count);
  all_ = {records_in(memory), count};
}

rendezvous_record& rendezvous_table::find(std::int32_t sender, std::int32_t number) const {
  const auto key = [](const rendezvous_record& m) { return std::pair(m.sender, m.number); };
  return *std::ranges::lower_bound(all_, std::pair(sender, number), {}, key);
}

}  // namespace boxcar::detail
