// The matrix of pretending providers, each over one of two providers of this machine: all
// communication of PEs works as without pretence, and the rules of the pretence are kept. Run as a
// job of several processes, all of which run all tests.
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <rdma/fabric.h>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "ofi/pes_at_work.hpp"
#include "ofi/pretending_provider.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::pretended_test {
namespace {

struct pretending {
  const char* provider;  // the provider beneath
  pretence how;
};

std::string name_of(const pretending& p) {
  const std::string_view provider = p.provider;
  return p.how.name + (provider.empty()            ? ""
                       : provider == "tcp;ofi_rxm" ? "_over_ofi_rxm"
                                                   : "_over_sockets");
}

std::vector<pretending> all_pretending() {
  std::vector<pretending> all;
  for (const char* provider : {"", "tcp;ofi_rxm"}) {
    for (const pretence& how : pretences()) all.push_back({provider, how});
  }
  // The only provider here with a thread of its own, for progress without calls of the user.
  all.push_back({"sockets", {.name = "automatic_progress"}});
  return all;
}

// Notices of a failure are messages like others, but take half a second.
std::vector<pretending> every_third(const std::vector<pretending>& all) {
  std::vector<pretending> some;
  for (std::size_t i = 0; i < all.size(); i += 3) some.push_back(all[i]);
  return some;
}

std::vector<world_shape> on_two_nodes() {
  std::vector<world_shape> shapes = all_shapes();
  std::erase_if(shapes, [](const world_shape& shape) { return shape.nodes != 2; });
  return shapes;
}

class a_provider : public testing::TestWithParam<shaped<pretending>> {
 protected:
  a_provider() {
    const pretending& p = GetParam().detail;
    if (*p.provider != '\0') setenv("BOXCAR_OFI_PROVIDER", p.provider, 1);
    pretend(p.how);
  }
  ~a_provider() override {
    unsetenv("BOXCAR_OFI_PROVIDER");
    pretend({});
    EXPECT_EQ(take_violations(), std::vector<std::string>());
  }
};

TEST_P(a_provider, carries_everything) {
  const pretence& how = GetParam().detail.how;
  const int puts = count_begun("fi_writemsg");
  const int gets = count_begun("fi_read");
  const int counted = count_begun("fi_writemsg with data");
  run_on(GetParam().shape, [&](world& w) {
    meet(w, 20);
    exchange_items(w, 3000);
    exchange_large_items(w, how.message_bytes == 0 ? 300'000 : 3'500'000);
    // A large item needs more pieces than receives can be posted.
    if (how.message_bytes != 0) send_large_item(w, 60 * how.message_bytes);
    use_window(w, 10);
    // By the network itself, if the provider supports it.
    use_window(w, 20'000);
    // A window larger than the network can register: by requests.
    if (how.max_registered_bytes != SIZE_MAX) {
      use_window(w, how.max_registered_bytes / sizeof(std::uint64_t));
    }
    count_together(w, 100);
    count_puts(w, 1, 40);
    count_puts(w, 2000, 40);
    count_puts(w, 10'000, 3, counts::bytes);
    use_parts(w);
    // Registrations of peers that are gone do not interfere.
    if (how.mr_key_bytes == 1) {
      for (int i = 0; i < 150; ++i) exchange_items(w, 1);
    }
    meet(w, 1);
  });
  const bool transfers = (how.lacking_capabilities & FI_RMA) == 0;
  EXPECT_EQ(count_begun("fi_writemsg") > puts, transfers);
  EXPECT_EQ(count_begun("fi_read") > gets, transfers);
  EXPECT_EQ(count_begun("fi_writemsg with data") > counted, transfers && how.cq_data_bytes != 0);
}

class a_provider_that_loses_a_pe : public a_provider {};

TEST_P(a_provider_that_loses_a_pe, carries_word_of_it) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    meet(w, 1);
    if (w.rank() == 1) throw argument_error("it does not like it");
    meet(w, 1000);
  });
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    if (pe == 1) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << "PE " << pe << report.pes[pe].what;
    expect_mentions(report.pes[pe].what, {"PE 1", "it does not like it"});
  }
}

INSTANTIATE_TEST_SUITE_P(that_pretends, a_provider,
                         testing::ValuesIn(on_shapes(on_two_nodes(), all_pretending())), by_name{});
INSTANTIATE_TEST_SUITE_P(that_pretends, a_provider_that_loses_a_pe,
                         testing::ValuesIn(on_shapes(on_two_nodes(),
                                                     every_third(all_pretending()))),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::pretended_test
