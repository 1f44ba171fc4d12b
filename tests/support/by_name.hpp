// Names the cases of a parameterised test: INSTANTIATE_TEST_SUITE_P(..., by_name{}).
#pragma once

#include <gtest/gtest.h>
#include <string>

namespace boxcar::test {

struct by_name {
  template <typename Parameter>
  std::string operator()(const testing::TestParamInfo<Parameter>& info) const {
    return name_of(info.param);
  }
};

}  // namespace boxcar::test
