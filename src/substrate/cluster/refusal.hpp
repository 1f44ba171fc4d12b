// What the library of a network has refused, as an exception of which a world that fails while it
// is on its way knows: a session that it leaves, for instance, fails without knowing why.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::detail {

using refusal_text = std::shared_ptr<const std::string>;

// Its text lives as long as it and its copies.
template <typename Error>
class refusal final : public Error {
 public:
  explicit refusal(refusal_text text) : Error(*text), text_(std::move(text)) {}

 private:
  refusal_text text_;
};

// For `throw_refusal`.
void note_refusal(const refusal_text& text);

template <typename Error = system_error>
[[noreturn]] void throw_refusal(std::string text) {
  auto shared = std::make_shared<const std::string>(std::move(text));
  note_refusal(shared);
  throw refusal<Error>(std::move(shared));
}

// The text of what was thrown last on this thread, for as long as that is on its way through the
// program, or kept by it; else empty.
[[nodiscard]] std::string refusal_under_way();

}  // namespace boxcar::detail
