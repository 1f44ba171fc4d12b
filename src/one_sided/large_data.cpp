#include "one_sided/large_data.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace boxcar::detail {

std::optional<bulk_ticket> large_data::put_up(
    int to, bool is_reply, std::size_t bytes,
    const std::function<void(std::span<std::byte>)>& write) {
  auto data = world_.offer_bulk(to, bytes);
  if (data == nullptr) return std::nullopt;
  write({data->data(), bytes});
  const bulk_ticket ticket = data->put_up();
  offers_.push_back({to, is_reply, std::move(data)});
  return ticket;
}

std::optional<bulk_ticket> large_data::offer(int to, std::span<const std::byte> data) {
  forget_taken();
  const auto offers = std::ranges::count(offers_, false, &offered::is_reply);
  if (static_cast<std::size_t>(offers) >= most_offered) return std::nullopt;
  return put_up(to, false, data.size(),
                [data](std::span<std::byte> room) { std::ranges::copy(data, room.begin()); });
}

std::optional<bulk_ticket> large_data::offer_reply(
    int to, std::size_t bytes, const std::function<void(std::span<std::byte>)>& write) {
  forget_taken();
  return put_up(to, true, bytes, write);
}

void large_data::forget_taken() {
  std::erase_if(offers_, [](const offered& o) { return o.data->taken(); });
}

bool large_data::has_taken_all(int to) {
  forget_taken();
  return std::ranges::none_of(offers_,
                              [to](const offered& o) { return o.to == to && !o.is_reply; });
}

bool large_data::are_all_taken() {
  forget_taken();
  return offers_.empty();
}

bool large_data::begin_fetch(int from, bool is_reply, std::span<const std::byte> ticket,
                             consumer then) {
  bulk_ticket its;
  if (ticket.size() != sizeof its) return false;
  std::memcpy(&its, ticket.data(), sizeof its);
  if (its.bytes > max_large_bytes) return false;
  auto data = world_.begin_fetch_bulk(from, its);
  if (data == nullptr) return false;
  fetches_.push_back({from, is_reply, std::move(data), its.bytes, std::move(then)});
  return true;
}

bool large_data::settle() {
  forget_taken();
  bool any = false;
  for (std::size_t i = 0; i < fetches_.size();) {
    if (is_behind_another(i) || !fetches_[i].data->has_arrived()) {
      ++i;
      continue;
    }
    const fetched done = std::move(fetches_[i]);
    fetches_.erase(fetches_.begin() + static_cast<std::ptrdiff_t>(i));
    done.then({done.data->data(), done.bytes});
    any = true;
  }
  return any;
}

bool large_data::is_behind_another(std::size_t i) const {
  const auto earlier = std::span(fetches_).first(i);
  return std::ranges::find(earlier, fetches_[i].from, &fetched::from) != earlier.end();
}

bool large_data::is_fetching_request_of(int pe) const {
  return std::ranges::any_of(fetches_,
                             [pe](const fetched& f) { return f.from == pe && !f.is_reply; });
}

}  // namespace boxcar::detail
