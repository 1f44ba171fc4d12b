#include "stream/stage_set.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace boxcar::detail {

stage_set::stage_set(substrate& world, const stream_item_format& what,
                     const stream_configuration& chosen)
    : world_(world),
      arrays_(what.arrays),
      links_(chosen.way, world.rank()),
      tracks_(links_.count()) {
  for (int s = 0; s < chosen.way.stages(); ++s) {
    link_plan plan = links_.plan(s);
    plan.buffer_bytes = chosen.buffer_bytes;
    plan.buffers_per_link = chosen.buffers_per_link;
    const stage_layout layout{what.item_bytes, what.arrays, s + 1 < chosen.way.stages()};
    stages_.push_back(std::make_unique<stage>(world, std::move(plan), s, layout,
                                              tracks_.data() + links_.first(s)));
  }
}

void stage_set::be_traced_as(std::uint32_t object) {
  traced_object_ = object;
  for (const auto& s : stages_) s->be_traced_as(object);
}

void stage_set::start_session() {
  log_ = world_.log().get();
  for (const auto& s : stages_) s->start_session();
}

// --- Filling -------------------------------------------------------------------------------------

bool stage_set::make_room(std::uint32_t link, std::size_t bytes) {
  const track& t = tracks_[link];
  const std::size_t words = is_inner(link) ? 2 : 1;  // of an array
  const bool has_room =
      arrays_ ? static_cast<std::size_t>(t.back - t.cursor) >= bytes + words * sizeof(std::uint32_t)
              : t.cursor != t.limit;
  const std::size_t first = links_.first(static_cast<int>(links_.stage_of(link)));
  return has_room || stage_of(link).make_room(link - first);
}

bool stage_set::find_room(std::uint32_t link, std::size_t bytes, const putting_up& put_up) {
  if (waiting_.has(link)) release(link, put_up);
  return !waiting_.has(link) && make_room(link, bytes);
}

void stage_set::store(std::uint32_t link, const held_back::packet& p) {
  track& t = tracks_[link];
  std::memcpy(t.cursor, p.item.data(), p.item.size());
  t.cursor += p.item.size();
  const auto add_word = [&t](std::uint32_t w) {
    t.back -= sizeof w;
    std::memcpy(t.back, &w, sizeof w);
  };
  if (is_inner(link)) add_word(p.word);
  if (arrays_) add_word(p.size_word);
}

void stage_set::release(std::uint32_t link, const putting_up& put_up) {
  while (waiting_.has(link)) {
    held_back::packet& first = waiting_.first(link);
    if (first.whole && !put_up(first.item, first.word, first.size_word)) return;
    first.whole = false;
    if (!make_room(link, first.item.size())) return;
    store(link, first);
    waiting_.remove_first(link);
  }
}

void stage_set::release_held_back(const putting_up& put_up) {
  if (waiting_.empty()) return;
  for (const std::uint32_t link : waiting_.links()) release(link, put_up);
}

void stage_set::shut() {
  shut_ = tracks_;
  std::ranges::fill(tracks_, track{});
}

void stage_set::open_again() {
  std::ranges::copy(std::exchange(shut_, {}), tracks_.begin());
}

// --- Sending -------------------------------------------------------------------------------------

bool stage_set::flush(bool all) {
  bool any = false;
  for (const auto& s : stages_) any |= s->flush(all);
  return any;
}

bool stage_set::send_fullest() {
  stage* fullest = nullptr;
  std::size_t its_link = 0;
  std::size_t most = 0;
  for (const auto& s : stages_) {
    for (std::size_t link = 0; link < s->links(); ++link) {
      const std::size_t items = s->items_in(link);
      if (items <= most) continue;
      most = items;
      fullest = s.get();
      its_link = link;
    }
  }
  if (fullest == nullptr) return false;
  fullest->send(its_link);
  return true;
}

bool stage_set::close() {
  bool ended = waiting_.empty();
  for (std::size_t i = 0; i < stages_.size() && ended; ++i) {
    if (i > 0) ended = stages_[i - 1]->over() && stages_[i - 1]->idle();
    ended = ended && stages_[i]->close();
  }
  return ended && stages_.back()->over() && stages_.back()->idle();
}

std::size_t stage_set::take_departed() {
  std::size_t items = 0;
  for (const auto& s : stages_) items += s->take_departed();
  return items;
}

// --- Reading, accounts ---------------------------------------------------------------------------

void stage_set::poll() {
  for (const auto& s : stages_) s->poll();
}

bool stage_set::nothing_held() const {
  return waiting_.empty() &&
         std::ranges::all_of(stages_, [](const auto& s) { return s->idle() && s->empty(); });
}

bool stage_set::moved() {
  bool any = false;
  for (const auto& s : stages_) any |= s->moved();
  return any;
}

buffer_account stage_set::account() const {
  buffer_account all;
  for (const auto& s : stages_) {
    all.sent += s->buffers_sent();
    all.received += s->buffers_received();
  }
  return all;
}

std::uint64_t stage_set::items_written() const {
  std::uint64_t items = 0;
  for (const auto& s : stages_) {
    items += s->items_sent();
    for (std::size_t link = 0; link < s->links(); ++link) items += s->items_in(link);
  }
  return items;
}

void stage_set::describe(stream_statistics& s) const {
  s.links = links_.count();
  s.memory_bytes += links_.memory_bytes() + tracks_.size() * sizeof(track);
  for (const auto& each : stages_) {
    s.stages.push_back(each->statistics());
    s.links_used += each->links_used();
    s.memory_bytes += each->memory_bytes();
  }
}

}  // namespace boxcar::detail
