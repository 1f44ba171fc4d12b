#include "convey-c/biconveyor.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "convey-c/call.hpp"
#include "convey-c/pe_number.hpp"
#include "convey-c/refusal.hpp"
#include "convey-c/status.hpp"

using namespace boxcar;
using convey_c::refusal;

namespace {

// The loops call the client's function to answer queries.
class client_loops final : public detail::biconveyor_loops {
 public:
  client_loops(biconvey::answer_function answer, void* context, std::size_t query_bytes,
               std::size_t reply_bytes)
      : answer_(answer), context_(context), query_bytes_(query_bytes), reply_bytes_(reply_bytes) {}

  void serve(detail::reply_desk& desk) override {
    desk.serve(query_bytes_, reply_bytes_, [this](const std::byte* query, int, std::byte* reply) {
      answer_(query, reply, context_);
    });
  }

  void collect(detail::conveyor_core& replies, detail::reply_queues& arrived) override {
    if (reply_bytes_ == 8) return collect_all(8, replies, arrived);
    collect_all(reply_bytes_, replies, arrived);
  }

 private:
  biconvey::answer_function answer_;
  void* context_;
  std::size_t query_bytes_;
  std::size_t reply_bytes_;
};

// The contribution of a PE to the agreement on a session, and the result of the agreement.
struct session_sizes {
  std::uint64_t min_query;
  std::uint64_t max_query;
  std::uint64_t min_reply;
  std::uint64_t max_reply;
  std::uint64_t unanswered;

  static session_sizes combine(const session_sizes& a, const session_sizes& b) {
    return {std::min(a.min_query, b.min_query), std::max(a.max_query, b.max_query),
            std::min(a.min_reply, b.min_reply), std::max(a.max_reply, b.max_reply),
            std::max(a.unanswered, b.unanswered)};
  }
};

void check_size(const char* name, std::uint64_t least, std::uint64_t most, std::uint64_t room) {
  const auto refuse = [name](const std::string& why) {
    throw refusal(convey_error_SIZE, std::string(name) + why, true);
  };
  if (least != most) {
    refuse(" is between " + std::to_string(least) + " and " + std::to_string(most) +
           " on different PEs: give the same on all PEs");
  }
  if (most == 0) refuse(" is 0: give a size in bytes");
  if (most > room) {
    refuse(" is " + std::to_string(most) + ", but a buffer has " + std::to_string(room) +
           " bytes: make the biconveyor with larger buffers");
  }
}

}  // namespace

biconvey::biconvey(const convey_c::arguments& given)
    : world_(given.where()),
      rank_(world_.rank()),
      complaints_(given.has(convey_opt_QUIET)),
      allocator_(given.alloc()),
      core_(world_, 1, 1, options(given)) {}

conveyor_options biconvey::options(const convey_c::arguments& given) {
  conveyor_options all = given.result();
  all.max_bytes *= 2;  // given for each of two conveyors, and needed for both
  all.memory = allocator_.or_null();
  return all;
}

void biconvey::begin(std::size_t query_bytes, std::size_t reply_bytes, answer_function answer,
                     void* context) {
  if (core_.state() == conveyor_state::dormant) {
    agree_on_session(query_bytes, reply_bytes, answer != nullptr);
  }
  // During a session, the core refuses another session without a collective.
  core_.begin(query_bytes, reply_bytes,
              std::make_unique<client_loops>(answer, context, query_bytes, reply_bytes));
  query_bytes_ = query_bytes;
  reply_bytes_ = reply_bytes;
}

// Collective.
void biconvey::agree_on_session(std::size_t query_bytes, std::size_t reply_bytes, bool answers) {
  const session_sizes all = world_.reduce(
      session_sizes{query_bytes, query_bytes, reply_bytes, reply_bytes, answers ? 0u : 1u},
      session_sizes::combine);
  if (all.unanswered != 0) {
    throw refusal(convey_error_NULL, "`answer` is NULL: give the function that answers queries",
                  true);
  }
  const std::size_t room = core_.query_conveyor().buffer_bytes();
  check_size("query_bytes", all.min_query, all.max_query, room);
  check_size("reply_bytes", all.min_reply, all.max_reply, room);
}

int biconvey::push(const void* query, std::int64_t pe) {
  convey_c::require_item(query);
  const int to = convey_c::pe_number(pe, core_);
  const bool pushed =
      query_bytes_ == 8 ? core_.push(query, 8, to) : core_.push(query, query_bytes_, to);
  return pushed ? convey_OK : convey_FAIL;
}

int biconvey::pull(void* reply) {
  convey_c::require_item(reply);
  return core_.pull_into(reply, reply_bytes_) ? convey_OK : convey_FAIL;
}

int biconvey::advance(bool done) {
  return convey_c::status_of(core_.advance(done || convey_c::has_declared_the_end(core_.state())));
}

void biconvey::prepare_to_free() {
  if (complaints_.world_has_failed()) return;
  core_.require_free();
  const boxcar::detail::called_scope scope(convey_c::name_of(convey_c::call::biconvey_reset));
  reset();
}
