// A ticket is the local state that the origin of a query keeps until the reply comes; tickets do
// not travel.
//
// Replies from one PE arrive in the order of the queries to the PE, so that tickets wait in a queue
// for each PE. Where only full buffers are sent while there are queries to push, a buffer has a
// sheet of as many tickets beside the buffer: the place of a query in the buffer gives the place of
// its ticket in the sheet, and nothing is counted for each ticket.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/chunked_queue.hpp>
#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/detail/pe_table.hpp>

namespace boxcar::detail {

template <typename Query, typename Ticket>
class tickets {
 public:
  // Whether tickets can lie in sheets. A sheet may be for more queries than are pushed: a sheet
  // must not be larger than two buffers.
  static constexpr bool may_have_sheets =
      alignof(Query) <= conveyor_core::row_alignment && std::is_copy_constructible_v<Query> &&
      std::is_trivially_copyable_v<Ticket> && std::is_trivially_default_constructible_v<Ticket> &&
      sizeof(Ticket) <= 2 * sizeof(Query);

  // The bytes of one buffer of queries, and of all buffers of queries.
  struct query_bytes {
    std::size_t of_a_buffer;
    std::size_t of_all;
  };
  tickets(int pes, bool in_sheets, const query_bytes& bytes)
      : memory_(in_a_chunk(static_cast<std::size_t>(pes), in_sheets, bytes)),
        waiting_(pes),
        sheets_(in_sheets ? static_cast<std::size_t>(pes) : 0) {}

  // --- One by one --------------------------------------------------------------------------------
  void put(Ticket ticket, int pe) { of(pe).push(std::move(ticket), memory_); }
  // Removes and returns the ticket of the oldest query to a PE. Precondition: there is a query.
  [[nodiscard]] Ticket take(int pe) { return of(pe).pop(memory_); }

  // --- In sheets ---------------------------------------------------------------------------------
  // Returns the number of PEs with sheets: all or none.
  [[nodiscard]] std::uint32_t sheet_pes() const {
    return static_cast<std::uint32_t>(sheets_.size());
  }
  // Ensures that the next sheet can be opened without an exception.
  void reserve() { memory_.reserve(); }
  // Opens a sheet beside a buffer for `queries` queries to a PE.
  void open_sheet(int pe, const std::byte* first_query, std::size_t queries) {
    Ticket* const first = of(pe).extend(queries, memory_);
    sheets_[static_cast<std::size_t>(pe)] = sheet(first_query, first);
  }
  // Returns the place of the ticket of a query in the open buffer.
  [[nodiscard]] Ticket* beside(std::uint32_t pe, const std::byte* query) const {
    return sheets_[pe].beside(query);
  }

  // --- In rows -----------------------------------------------------------------------------------
  // Returns the tickets of the oldest queries to a PE, as far as they lie in a row.
  [[nodiscard]] std::span<Ticket> oldest(int pe) { return of(pe).oldest(); }
  // Frees the `n` oldest tickets of a PE.
  void drop(int pe, std::size_t n) { of(pe).drop(n, memory_); }

  [[nodiscard]] std::size_t memory_bytes() const {
    return memory_.memory_bytes() + waiting_.memory_bytes() + sheets_.size() * sizeof(sheet);
  }

 private:
  class sheet {
   public:
    sheet() = default;
    // A sheet beside the buffer with the first query `first_query`.
    sheet(const std::byte* first_query, Ticket* tickets)
        : first_query_(address(first_query)),
          tickets_(address(tickets) - (equally_large ? first_query_ : 0)) {}

    [[nodiscard]] Ticket* beside(const std::byte* query) const {
      if constexpr (equally_large) {
        return reinterpret_cast<Ticket*>(tickets_ + address(query));
      } else {
        return reinterpret_cast<Ticket*>(tickets_) + (reinterpret_cast<const Query*>(query) -
                                                      reinterpret_cast<const Query*>(first_query_));
      }
    }

   private:
    // If true, all tickets have the same distance from their queries. (In integers: pointers into
    // two arrays have no distance.)
    static constexpr bool equally_large = sizeof(Ticket) == sizeof(Query);
    static std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

    std::uintptr_t first_query_ = 0;
    std::uintptr_t tickets_ = 0;  // the address of the tickets, or their distance from the queries
  };

  // Returns the number of tickets in a chunk. With sheets: the number of queries in a buffer.
  // Without sheets: a number so large that another chunk is seldom needed; but with a chunk for
  // every PE, the chunks must not take more memory than the buffers of queries.
  static std::size_t in_a_chunk(std::size_t pes, bool in_sheets, const query_bytes& bytes) {
    const std::size_t queries_in_a_buffer = bytes.of_a_buffer / sizeof(Query);
    if (in_sheets) return queries_in_a_buffer;
    const std::size_t share = bytes.of_all / (pes * sizeof(Ticket));
    return std::clamp<std::size_t>(std::min(queries_in_a_buffer / 16, share), 8, 2048);
  }

  chunked_queue<Ticket>& of(int pe) { return waiting_[static_cast<std::uint32_t>(pe)]; }

  chunk_pool<Ticket> memory_;
  pe_table<chunked_queue<Ticket>> waiting_;  // of the queries to each PE, oldest first
  std::vector<sheet> sheets_;                // beside the open buffer to each PE, or none
};

}  // namespace boxcar::detail
