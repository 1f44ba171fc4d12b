#include "stream/tuned_stream.hpp"

#include <algorithm>
#include <string>

namespace boxcar::detail {
namespace {

// Returns a word with the given options that affect sessions.
std::string name_of(const stream_options& o) {
  std::string text = "stream";
  const auto add = [&text](bool is_so, const std::string& word) {
    if (is_so) text += "," + word;
  };
  add(o.way.has_value(), "route");
  add(o.buffer_bytes != 0, "bytes:" + std::to_string(o.buffer_bytes));
  add(o.buffers_per_link != 2, "buffers:" + std::to_string(o.buffers_per_link));
  add(o.look_ahead != 0, "look_ahead:" + std::to_string(o.look_ahead));
  add(o.flush_after.count() != 0, "flush_after:" + std::to_string(o.flush_after.count()));
  return text;
}

std::vector<tunable_way> tunable(const std::vector<stream_candidate>& ways) {
  std::vector<tunable_way> all;
  for (const stream_candidate& c : ways) {
    all.push_back({without_blanks(c.way.describe()), c.buffer_bytes, c.min_bytes, c.most_bytes});
  }
  return all;
}

}  // namespace

tuned_stream::tuned_stream(substrate& world, const stream_options& options,
                           const stream_item_format& what, const stream_configuration& usual)
    : ways_(candidates(world, options, what, usual)),
      usual_(usual),
      tuner_(world,
             {.what = what.arrays ? "arrays" : "stream",
              .item_bytes = what.item_bytes,
              .options = name_of(options)},
             tunable(ways_)) {}

stream_configuration tuned_stream::wanted() const {
  const tuned_setting& s = tuner_.wanted();
  if (s == tuner_.wanted_without_tuning()) return usual_;
  stream_configuration c = usual_;
  c.way = ways_[s.way].way;
  c.buffer_bytes = s.buffer_bytes;
  c.reasons = "route and size of a buffer: by tuning\n";
  return c;
}

}  // namespace boxcar::detail
