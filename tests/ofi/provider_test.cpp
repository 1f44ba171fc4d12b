// Tests of the choice of a provider, and of the reasons against other providers.
#include "substrate/ofi/provider.hpp"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi::provider_test {
namespace {

// Returns an endpoint with all needed capabilities.
info_list able_endpoint() {
  info_list info(fi_allocinfo());
  info->caps = FI_TAGGED | FI_REMOTE_COMM;
  info->tx_attr->msg_order = info->rx_attr->msg_order = FI_ORDER_SAS;
  info->tx_attr->inject_size = small_bytes;
  info->rx_attr->size = 128;
  info->ep_attr->mem_tag_format = (std::uint64_t{1} << tag_bits) - 1;
  info->ep_attr->max_msg_size = std::size_t{1} << 30;
  info->domain_attr->resource_mgmt = FI_RM_ENABLED;
  return info;
}

TEST(ofi_provider, is_named_with_or_without_its_layer) {
  EXPECT_TRUE(is_named("tcp;ofi_rxm", ""));
  EXPECT_TRUE(is_named("tcp;ofi_rxm", "tcp"));
  EXPECT_TRUE(is_named("tcp;ofi_rxm", "tcp;ofi_rxm"));
  EXPECT_FALSE(is_named("tcp;ofi_rxm", "tc"));
  EXPECT_FALSE(is_named("tcp;ofi_rxm", "ofi_rxm"));
  EXPECT_FALSE(is_named("net", "net;ofi_rxm"));
}

TEST(ofi_provider, each_thing_that_is_lacking_is_named) {
  EXPECT_EQ(what_it_lacks(*able_endpoint()), "");
  const auto lacking = [](const auto& take) {
    const info_list info = able_endpoint();
    take(*info);
    return what_it_lacks(*info);
  };
  EXPECT_EQ(lacking([](fi_info& i) { i.caps = FI_MSG; }), "has no tagged messages");
  EXPECT_EQ(lacking([](fi_info& i) { i.domain_attr->resource_mgmt = FI_RM_DISABLED; }),
            "does not guard its queues against overruns");
  EXPECT_EQ(lacking([](fi_info& i) { i.rx_attr->msg_order = 0; }),
            "does not keep messages in order");
  EXPECT_EQ(lacking([](fi_info& i) { i.tx_attr->inject_size = 16; }),
            "sends only 16 bytes at once, and 64 are needed");
  EXPECT_EQ(lacking([](fi_info& i) { i.rx_attr->size = 64; }),
            "lets a PE post 64 receives, and 128 are needed");
  EXPECT_EQ(lacking([](fi_info& i) { i.ep_attr->mem_tag_format = 0xffffffff; }),
            "has tags of 32 bits, and 48 are needed");
  EXPECT_EQ(lacking([](fi_info& i) { i.ep_attr->max_msg_size = 8192; }),
            "has messages of at most 8192 bytes");
}

TEST(ofi_provider, one_is_chosen_that_can_do_it) {
  const info_list chosen = choose_provider("", false);
  EXPECT_EQ(what_it_lacks(*chosen), "");
  EXPECT_NE(describe_providers("").find(name_of(*chosen) + ": chosen\n"), std::string::npos);
}

TEST(ofi_provider, what_protects_memory_is_told) {
  const info_list info = able_endpoint();
  info->fabric_attr->prov_name = strdup("some");
  EXPECT_EQ(describe_trust(*info),
            "whoever can read the traffic of some can take part in a job; see docs/trust.md");
  info->caps |= FI_RMA;
  info->domain_attr->mr_key_size = 4;
  EXPECT_NE(describe_trust(*info).find("keys of its memory are random, of 32 bits"),
            std::string::npos);
  info->domain_attr->mr_mode = FI_MR_PROV_KEY;
  EXPECT_NE(describe_trust(*info).find("chosen by some, and whoever guesses one"),
            std::string::npos);
  EXPECT_EQ(describe_trust(*info).find("wait forever"), std::string::npos);
  std::free(info->fabric_attr->prov_name);
  info->fabric_attr->prov_name = strdup("some;ofi_rxm");
  EXPECT_NE(describe_trust(*info).find("can make a job wait forever"), std::string::npos);
  EXPECT_NE(describe_providers("").find("\ntrust: whoever can read the traffic of "),
            std::string::npos);
}

// A job on one machine uses loopback with every provider, as all providers here support loopback.
TEST(ofi_provider, one_on_loopback_is_chosen_for_one_machine) {
  for (const char* wanted : {"", "tcp", "sockets"}) {
    const info_list chosen = choose_provider(wanted, true);
    EXPECT_EQ(what_it_lacks(*chosen), "");
    EXPECT_TRUE(stays_on_machine(*chosen)) << name_of(*chosen);
    EXPECT_TRUE(is_named(chosen->fabric_attr->prov_name, wanted)) << name_of(*chosen);
    EXPECT_FALSE(stays_on_machine(*choose_provider(wanted, false)));
  }
  const info_list chosen = choose_provider("", true);
  EXPECT_NE(describe_providers("").find(name_of(*chosen) + ": chosen where all PEs are on one"),
            std::string::npos);
}

TEST(ofi_provider, the_one_that_is_named_is_taken) {
  const info_list chosen = choose_provider("tcp", false);
  EXPECT_TRUE(is_named(chosen->fabric_attr->prov_name, "tcp"));
  EXPECT_NE(describe_providers("tcp").find("not what BOXCAR_OFI_PROVIDER names"),
            std::string::npos);
}

TEST(ofi_provider, a_name_that_is_none_is_refused_with_those_that_there_are) {
  try {
    static_cast<void>(choose_provider("carrier-pigeon", false));
    FAIL() << "it was chosen";
  } catch (const system_error& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find("BOXCAR_OFI_PROVIDER=carrier-pigeon"), std::string::npos) << what;
    EXPECT_NE(what.find("tcp"), std::string::npos) << what;
    EXPECT_NE(what.find("unset it"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace boxcar::detail::ofi::provider_test
