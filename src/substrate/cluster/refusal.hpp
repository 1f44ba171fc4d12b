// A refusal is an exception for an error of a network's library. A world that fails while the
// exception propagates can read the text: a session, for instance, fails without knowing the reason
// when the exception leaves the session.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar::detail {

using refusal_text = std::shared_ptr<const std::string>;

// The text lives as long as the exception and its copies.
template <typename Error>
class refusal final : public Error {
 public:
  explicit refusal(refusal_text text) : Error(*text), text_(std::move(text)) {}

 private:
  refusal_text text_;
};

// Records the latest refusal of this thread, for `throw_refusal`.
void note_refusal(const refusal_text& text);

template <typename Error = system_error>
[[noreturn]] void throw_refusal(std::string text) {
  auto shared = std::make_shared<const std::string>(std::move(text));
  note_refusal(shared);
  throw refusal<Error>(std::move(shared));
}

// Returns the text of the refusal thrown last on this thread, as long as the exception propagates
// or the program keeps a copy; otherwise empty.
[[nodiscard]] std::string refusal_under_way();

}  // namespace boxcar::detail
