// The owner of operations that counts their ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "substrate/ofi/endpoint.hpp"

namespace boxcar::test {

class counting_owner : public detail::ofi::operation_owner {
 public:
  void received(detail::ofi::operation& op, std::size_t bytes, std::uint64_t /*tag*/) override {
    ++received_count;
    last_received = op.index;
    last_bytes = bytes;
  }
  void refused(detail::ofi::operation& /*op*/) override {
    ADD_FAILURE() << "a message has no seal";
  }
  void sent(detail::ofi::operation& op) override {
    ++sent_count;
    last_sent = op.index;
  }
  void failed(detail::ofi::operation& /*op*/, const std::string& reason) override {
    ADD_FAILURE() << reason;
  }

  std::size_t received_count = 0;
  std::size_t sent_count = 0;
  std::size_t last_received = 0;  // index of the operation
  std::size_t last_sent = 0;
  std::size_t last_bytes = 0;
};

}  // namespace boxcar::test
