// Tests of memory that one PE creates and another attaches: an attach gives the created memory, or
// fails, whatever has happened to the creator and to the numbers of the handle.
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/processes/process_memory.hpp"
#include "substrate/threads/thread_memory.hpp"
#include "support/by_name.hpp"
#include "support/client_file.hpp"
#include "support/few_descriptors.hpp"
#include "support/sanitizers.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::memory_source_test {
namespace {

constexpr std::size_t bytes = 100'000;

struct source_case {
  const char* name;
  std::unique_ptr<detail::memory_source> (*make)();
};

std::string name_of(const source_case& c) {
  return c.name;
}

class memory_source : public testing::TestWithParam<source_case> {
 protected:
  std::unique_ptr<detail::memory_source> source = GetParam().make();
};

TEST_P(memory_source, gives_the_same_memory_to_all) {
  const auto created = source->create(bytes);
  const auto attached = source->attach(created->handle(), bytes);
  ASSERT_EQ(attached->bytes(), bytes);
  std::memset(created->data(), 7, bytes);
  EXPECT_EQ(std::memcmp(created->data(), attached->data(), bytes), 0);
}

TEST_P(memory_source, refuses_what_its_creator_has_dropped) {
  auto created = source->create(bytes);
  const auto handle = created->handle();
  created.reset();
  expect_mentions(thrown_by<system_error>([&] { source->attach(handle, bytes); }), {"is gone"});
}

TEST_P(memory_source, refuses_other_memory_in_its_place) {
  auto created = source->create(bytes);
  const auto handle = created->handle();
  created.reset();
  const auto other = source->create(bytes);
  expect_mentions(thrown_by<system_error>([&] { source->attach(handle, bytes); }), {"is gone"});
}

TEST_P(memory_source, refuses_more_bytes_than_there_are) {
  const auto created = source->create(bytes);
  expect_mentions(thrown_by<system_error>([&] { source->attach(created->handle(), 2 * bytes); }),
                  {"is gone"});
}

INSTANTIATE_TEST_SUITE_P(substrate, memory_source,
                         testing::Values(source_case{"threads", detail::make_thread_memory},
                                         source_case{"processes", detail::make_process_memory}),
                         by_name{});

// The handle refers to released memory, and the client's files take the number of its descriptor.
class reused_number : public testing::Test {
 protected:
  reused_number() {
    auto created = source->create(bytes);
    handle = created->handle();
  }
  // Attached memory is writable.
  void attach_and_write() {
    const auto attached = source->attach(handle, bytes);
    std::memset(attached->data(), 1, attached->bytes());
  }

  std::unique_ptr<detail::memory_source> source = detail::make_process_memory();
  detail::memory_handle handle;
};

TEST_F(reused_number, leaves_a_file_of_the_client_alone) {
  const std::string content(2 * bytes, 'x');
  const client_file file(content);
  expect_mentions(thrown_by<system_error>([&] { attach_and_write(); }), {"is gone"});
  EXPECT_TRUE(file.content() == content);
}

TEST_F(reused_number, leaves_a_shorter_file_alone) {
  const client_file file("short");
  expect_mentions(thrown_by<system_error>([&] { attach_and_write(); }), {"is gone"});
  EXPECT_EQ(file.content(), "short");
}

TEST_F(reused_number, does_not_wait_for_whoever_opens_the_other_end) {
  int pipe[2];
  ASSERT_EQ(pipe2(pipe, O_CLOEXEC), 0);
  expect_mentions(thrown_by<system_error>([&] { attach_and_write(); }), {"is gone"});
  close(pipe[0]);
  close(pipe[1]);
}

TEST(nameless_file, can_be_made_neither_shorter_nor_longer) {
  const int file = detail::create_nameless_file(bytes);
  EXPECT_NE(ftruncate(file, 10), 0);
  EXPECT_NE(ftruncate(file, 2 * bytes), 0);
  close(file);
}

TEST(nameless_file, that_cannot_be_opened_names_the_limit) {
  if (with_address_sanitizer) GTEST_SKIP() << "it looks at objects through a pipe";
  const few_descriptors none(0);
  expect_mentions(thrown_by<system_error>([] { detail::create_nameless_file(bytes); }),
                  {"Too many open files", "ulimit -n"});
}

}  // namespace
}  // namespace boxcar::test::memory_source_test
