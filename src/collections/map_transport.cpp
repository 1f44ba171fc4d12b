// The sessions of distributed maps, the choice of the stream for the messages, and the comparison
// of visitors between PEs.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <boxcar/arithmetic.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/map_transport.hpp>
#include <boxcar/error.hpp>
#include <boxcar/key_hash.hpp>

namespace boxcar::detail {
namespace {

// The number of the operation is one byte of a message.
constexpr std::size_t max_operations = 256;

}  // namespace

map_transport::map_transport(const world& w, const stream_options& options, std::string types)
    : world_(world::another_handle_of(w.substrate())),
      size_(w.size()),
      options_(options),
      types_(std::move(types)) {
  require_same_operations();
}

std::uint8_t map_transport::add(map_operation&& operation) {
  if (operations_.size() == max_operations) {
    throw argument_error("a map has at most 256 visitors, insert, assign and erase among them");
  }
  operations_.push_back(std::move(operation));
  return static_cast<std::uint8_t>(operations_.size() - 1);
}

std::string map_transport::name_of(const std::source_location& where) {
  std::string_view file = where.file_name();
  file.remove_prefix(file.rfind('/') + 1);  // (0 if there is no slash)
  return std::string(file) + ":" + std::to_string(where.line()) + ":" +
         std::to_string(where.column());
}

void map_transport::add(pending_updates& updates) {
  pending_.push_back(&updates);
}

void map_transport::remove(pending_updates& updates) {
  if (in_session_ && !updates.is_empty()) has_lost_updates_ = true;
  std::erase(pending_, &updates);
}

void map_transport::require_memory(bool has_memory, std::uint64_t keys, std::size_t entry_bytes) {
  std::string problem;
  if (!has_memory) {
    problem = "keys_per_pe is " + std::to_string(keys) +
              ", and the PE has no memory for so many keys of " + std::to_string(entry_bytes) +
              " bytes (with their values): give the number of keys that a PE will own, or 0 (was a "
              "negative number given?)";
  }
  agree_on(world_, problem, "making " + types_, "map", "", "");
}

session map_transport::begin(const termination& ending, void* map) {
  if (in_session_) {
    throw contract_error("begin: the map has a session already: call finish first");
  }
  if (plain_stream_ == nullptr && bytes_stream_ == nullptr) built_ = max_operations + 1;
  if (built_ != operations_.size()) build(map);
  stream_core& stream = core("begin");
  stream.begin(ending);
  in_session_ = true;
  has_lost_updates_ = false;
  return session(stream);
}

void map_transport::build(void* map) {
  require_same_operations();
  stream_.reset();
  bytes_stream_.reset();
  plain_stream_ = nullptr;
  if (std::ranges::all_of(operations_, &map_operation::is_plain)) {
    std::vector<message_kind> kinds;
    for (const map_operation& o : operations_) {
      kinds.push_back({.bytes = o.bytes,
                       .alignment = o.alignment,
                       .receiver = map,
                       .handle = o.handle_run,
                       .type = {}});
    }
    // A stream carries one kind of messages at least.
    const auto ignore = [](void*, const message_run&) {};
    if (kinds.empty()) {
      kinds.push_back(
          {.bytes = 1, .alignment = 1, .receiver = nullptr, .handle = ignore, .type = {}});
    }
    auto stream = std::make_unique<dispatch_stream>(world_, std::move(kinds), options_);
    stream->set_purpose("messages of " + types_);
    plain_stream_ = stream.get();
    stream_ = std::move(stream);
  } else {
    const auto handle = [this, map](std::span<const std::byte> message) {
      handle_bytes(map, message);
    };
    bytes_stream_ = std::make_unique<handled_array_stream<std::byte, decltype(handle)>>(
        world_, handle, options_);
    bytes_stream_->set_purpose("messages of " + types_);
  }
  built_ = operations_.size();
}

void map_transport::require_same_operations() {
  std::string mine = types_;
  for (const map_operation& o : operations_) mine += ", " + o.name;
  const std::uint64_t hash = hash_bytes(std::as_bytes(std::span(mine)));
  std::array<std::uint64_t, 2> least{hash, ~hash};
  world_.reduce(std::span(least), minimum());
  if (least[0] == ~least[1]) return;
  const std::vector<std::string> all = world_.all_gather(mine);
  const auto other =
      std::ranges::find_if(all, [&](const std::string& its) { return its != all.front(); });
  throw argument_error("the PEs disagree on the types or the visitors of a map: PE 0 has " +
                       all.front() + "; PE " + std::to_string(other - all.begin()) + " has " +
                       *other + ". All PEs name the same visitors in the same order");
}

stream_core& map_transport::core(const char* operation) const {
  if (plain_stream_ != nullptr) return *plain_stream_;
  if (bytes_stream_ != nullptr) return *bytes_stream_;
  refuse_without_session(operation);
}

void map_transport::handle_bytes(void* map, std::span<const std::byte> message) const {
  const auto number = std::to_integer<std::size_t>(message.front());
  operations_[number].handle_bytes(map, message.subspan(1));
}

void map_transport::flush_pending(const stream_core& stream) {
  if (!stream.on()) return;
  for (pending_updates* const updates : pending_) updates->flush();
}

void map_transport::finish() {
  stream_core& stream = core("finish");
  if (in_session_ && has_lost_updates_) {
    throw contract_error(
        "finish: an object of `combine` was destroyed in the session, with updates that had not "
        "been sent: keep the object until finish, or call flush before its end");
  }
  flush_pending(stream);
  try {
    stream.finish();
  } catch (const contract_error&) {
    in_session_ = stream.on();
    throw;
  }
  in_session_ = false;
  if (std::ranges::all_of(pending_, &pending_updates::is_empty)) return;
  throw contract_error(
      "finish: updates were combined in a visitor, after all combined updates had been sent: pass "
      "the visitor itself to `tell` there");
}

void map_transport::flush() {
  stream_core& stream = core("flush");
  flush_pending(stream);
  stream.flush();
}

bool map_transport::poll() {
  return core("poll").poll();
}

void map_transport::done(std::int64_t producers) {
  stream_core& stream = core("done");
  flush_pending(stream);
  stream.done(producers);
}

bool map_transport::on() const {
  return in_session_ && core("on").on();
}

stream_statistics map_transport::session_statistics() const {
  if (plain_stream_ == nullptr && bytes_stream_ == nullptr) return {};
  return core("session_statistics").session_statistics();
}

std::string map_transport::explain() const {
  if (plain_stream_ == nullptr && bytes_stream_ == nullptr) {
    return "the messages of the map have no route before the first session\n";
  }
  std::string text = plain_stream_ != nullptr
                         ? "messages of " + std::to_string(plain_stream_->stride()) + " bytes\n"
                         : "messages of any size, written by serializers\n";
  return text + core("explain").explain();
}

void map_transport::require_no_session(const char* operation) const {
  if (!in_session_) return;
  throw contract_error(std::string(operation) +
                       ": the map has a session: call it before begin or after finish");
}

void map_transport::refuse_without_session(const char* operation) const {
  throw contract_error(std::string(operation) + ": the map has no session: call begin first");
}

void map_transport::send_bytes(std::span<const std::byte> message, int pe) {
  if (bytes_stream_ == nullptr) refuse_without_session("tell");
  bytes_stream_->send(message, pe);
}

void refuse_visitor_of_another_map() {
  throw argument_error(
      "the visitor was named by another map: use a visitor that this map has named");
}

}  // namespace boxcar::detail
