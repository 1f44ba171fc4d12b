// A test whose parameter is a conveyor's setup.
#pragma once

#include <functional>
#include <gtest/gtest.h>

#include "support/checked_conveyor.hpp"
#include "support/conveyor_setup.hpp"
#include "support/ledger.hpp"
#include "support/run_on.hpp"

namespace boxcar::test {

class conveyor_test : public testing::TestWithParam<conveyor_setup> {
 protected:
  // Runs `body` on every PE within a session.
  static void in_session(const std::function<void(checked_conveyor&)>& body) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_conveyor c(w, GetParam(), book);
      c.in_session([&] { body(c); });
    });
  }
};

}  // namespace boxcar::test
