// The loops under way over the keys of a local table: while a loop runs, the program may wait, and
// messages arrive that would move or remove the entries that the loop visits. Such changes are
// refused.
#pragma once

#include <cstddef>

namespace boxcar::detail {

class local_table_loops {
 public:
  // A loop: under way during its scope.
  class scope {
   public:
    explicit scope(local_table_loops& all);
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope();

   private:
    local_table_loops& all_;
    bool is_in_handler_;
  };

  // Throws contract_error if a loop is under way. `change`: the refused change, for the error.
  void require_none(const char* change) const {
    if (count_ != 0) [[unlikely]]
      refuse(change);
  }
  // Throws contract_error if a handler erases while a loop is under way outside of the handler.
  // (The function of a loop may erase keys.)
  void require_no_handler(const char* change) const {
    if (outside_count_ != 0) [[unlikely]]
      refuse_in_handler(change);
  }

 private:
  [[noreturn]] static void refuse(const char* change);
  static void refuse_in_handler(const char* change);

  std::size_t count_ = 0;
  std::size_t outside_count_ = 0;  // loops that have not begun in handlers
};

}  // namespace boxcar::detail
