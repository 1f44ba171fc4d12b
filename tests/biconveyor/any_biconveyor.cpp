#include "biconveyor/any_biconveyor.hpp"

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <boxcar/biconveyor.hpp>

namespace boxcar::test {
namespace {

// Small and large, odd and even, the reply longer and shorter than the query.
constexpr std::array<question_sizes, 7> sizes{
    {{1, 1}, {8, 8}, {3, 13}, {24, 1}, {1, 1000}, {1000, 3}, {999, 1000}}};

template <std::size_t Bytes>
struct plain_bytes {
  std::array<std::byte, Bytes> bytes;
};

template <std::size_t QueryBytes, std::size_t ReplyBytes>
class biconveyor_of final : public any_biconveyor {
 public:
  biconveyor_of(const world& w, const conveyor_options& options) : biconveyor_(w, options) {}

  void in_session(const answer& a, const std::function<void()>& body) override {
    const session s = biconveyor_.begin([&a](const query_type& query) {
      reply_type reply;
      a(query.bytes, reply.bytes);
      return reply;
    });
    body();
  }
  bool push(std::span<const std::byte> query, int pe) override {
    query_type item;
    std::memcpy(item.bytes.data(), query.data(), QueryBytes);
    return biconveyor_.push(item, pe);
  }
  bool pull(std::span<std::byte> reply) override {
    reply_type item;
    if (!biconveyor_.pull(item)) return false;
    std::memcpy(reply.data(), item.bytes.data(), ReplyBytes);
    return true;
  }
  advance_result advance(bool done) override { return biconveyor_.advance(done); }
  void reset() override { biconveyor_.reset(); }
  [[nodiscard]] conveyor_state state() const override { return biconveyor_.state(); }
  [[nodiscard]] statistics query_statistics() const override {
    return biconveyor_.query_statistics();
  }
  [[nodiscard]] statistics reply_statistics() const override {
    return biconveyor_.reply_statistics();
  }

 private:
  using query_type = plain_bytes<QueryBytes>;
  using reply_type = plain_bytes<ReplyBytes>;

  biconveyor<query_type, reply_type> biconveyor_;
};

}  // namespace

std::span<const question_sizes> all_question_sizes() {
  return sizes;
}

std::unique_ptr<any_biconveyor> make_biconveyor(const world& w, question_sizes wanted,
                                                const conveyor_options& options) {
  std::unique_ptr<any_biconveyor> made;
  const auto make_if = [&]<std::size_t I>() {
    constexpr question_sizes these = sizes[I];
    if (these.query != wanted.query || these.reply != wanted.reply) return;
    made = std::make_unique<biconveyor_of<these.query, these.reply>>(w, options);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (make_if.template operator()<I>(), ...);
  }(std::make_index_sequence<sizes.size()>());
  if (made == nullptr) throw std::invalid_argument("no test has questions of these sizes");
  return made;
}

}  // namespace boxcar::test
