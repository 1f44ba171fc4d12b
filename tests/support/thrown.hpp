// Expectations about exceptions and their texts.
#pragma once

#include <exception>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <string_view>

namespace boxcar::test {

// Expects `action` to throw an Error, and returns its text.
template <typename Error, typename Action>
std::string thrown_by(const Action& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another exception than expected: " << e.what();
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

// Expects each part to occur in `text`.
inline void expect_mentions(const std::string& text,
                            std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << '"' << text << "\" does not say: " << part;
  }
}

}  // namespace boxcar::test
