// The hash salt of a table gives the table an order of keys of its own. Tables without salts share
// one order: a table filled in the order of another table's keys has all keys close together while
// the table is small, and each insertion passes most keys. Source: Rust's HashMap has a random hash
// key in each map for the same reason.
#pragma once

#include <cstdint>

namespace boxcar::detail {

// Local. Returns another number in each call: a random number, or a number of the sequence of
// `repeatable_salts`. Thread safety: any thread.
[[nodiscard]] std::uint64_t next_hash_salt();

// During the lifetime of the object the thread gets the same sequence of salts in every run, for
// reproducible runs of a simulated machine. Objects of one thread may be nested.
class [[nodiscard]] repeatable_salts {
 public:
  repeatable_salts();
  repeatable_salts(const repeatable_salts&) = delete;
  repeatable_salts& operator=(const repeatable_salts&) = delete;
  ~repeatable_salts();

 private:
  std::uint64_t state_ = 0;
  std::uint64_t* outer_;
};

}  // namespace boxcar::detail
