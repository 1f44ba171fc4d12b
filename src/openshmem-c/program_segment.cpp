#include "openshmem-c/program_segment.hpp"

#include <algorithm>
#include <cstdint>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace boxcar::openshmem_c {
namespace {

struct address_range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] std::size_t bytes() const { return end > begin ? end - begin : 0; }
};

std::uintptr_t round_down(std::uintptr_t address) {
  return address / page_bytes() * page_bytes();
}

address_range range_of(const dl_phdr_info& object, const ElfW(Phdr) & header) {
  const std::uintptr_t begin = object.dlpi_addr + header.p_vaddr;
  return {begin, begin + header.p_memsz};
}

// The largest writable range of an executable. The loader makes the pages of PT_GNU_RELRO, at the
// beginning of a writable range, read-only before the program starts.
address_range writable_range(const dl_phdr_info& object) {
  address_range constant;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_GNU_RELRO) continue;
    constant = range_of(object, object.dlpi_phdr[i]);
  }
  address_range largest;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    address_range found = range_of(object, header);
    // Some linkers make a separate range for the read-only pages, and the range ends before the
    // last of the pages ends.
    if (constant.bytes() != 0 && constant.begin >= found.begin && constant.begin < found.end) {
      found.begin = std::max(found.begin, round_down(constant.end));
    }
    if (found.bytes() > largest.bytes()) largest = found;
  }
  return largest;
}

// Reads a word of a page. In a program with AddressSanitizer there are red zones between variables,
// and memcpy and memcmp refuse to read red zones. (Volatile: the compiler does not replace a loop
// by a call of memcpy.)
using page_word = std::uint64_t;
[[gnu::no_sanitize("address"), gnu::always_inline]] inline page_word read(const std::byte* page,
                                                                          std::size_t i) {
  return reinterpret_cast<const volatile page_word*>(page)[i];
}

[[gnu::no_sanitize("address")]] void copy_pages(std::byte* to, const std::byte* from,
                                                std::size_t bytes) {
  const std::size_t words = page_bytes() / sizeof(page_word);
  for (; bytes != 0; bytes -= page_bytes(), to += page_bytes(), from += page_bytes()) {
    std::size_t i = 0;
    while (i < words && read(from, i) == 0) ++i;
    // The rest of the page is copied; the words before are zero at both places.
    for (; i < words; ++i) reinterpret_cast<volatile page_word*>(to)[i] = read(from, i);
  }
}

// Moves pages as mremap(2). The memory hooks of UCX, which come with MPICH and with OpenSHMEM,
// replace the function of the C library by one that refuses an old size of 0.
bool map_pages_at(void* to, void* from, std::size_t old_bytes, std::size_t bytes) {
  return syscall(SYS_mremap, from, old_bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) ==
         static_cast<long>(reinterpret_cast<std::intptr_t>(to));
}

// The segment of which a forked child has copies; empty: there is none.
std::span<std::byte> separated;
// The copy for the child of a fork under way, or MAP_FAILED. Memory of the thread: the child and
// the parent still share the segment when they read the pointer.
thread_local void* copy_for_child = MAP_FAILED;

void copy_for_fork() {
  if (separated.empty()) return;
  copy_for_child =
      mmap(nullptr, separated.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy_for_child == MAP_FAILED) return;
  copy_pages(static_cast<std::byte*>(copy_for_child), separated.data(), separated.size());
}
void drop_copy_in_parent() {
  if (copy_for_child != MAP_FAILED) {
    munmap(std::exchange(copy_for_child, MAP_FAILED), separated.size());
  }
}
// Without a copy, the pages stay shared.
void separate_child() {
  if (copy_for_child == MAP_FAILED) return;
  const std::size_t bytes = separated.size();
  map_pages_at(separated.data(), copy_for_child, bytes, bytes);
}

// Registered before the program starts: the copy has what all later handlers do before a fork, and
// the child has its pages before later handlers write to them.
[[maybe_unused]] const int registered =
    pthread_atfork(copy_for_fork, drop_copy_in_parent, separate_child);

}  // namespace

std::size_t page_bytes() {
  static const auto only = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return only;
}

std::span<std::byte> program_segment() {
  address_range found;
  // The first object is the executable.
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        *static_cast<address_range*>(result) = writable_range(*object);
        return 1;
      },
      &found);
  if (found.bytes() == 0) return {};
  const std::uintptr_t begin = round_down(found.begin);
  return {reinterpret_cast<std::byte*>(begin), round_down(found.end + page_bytes() - 1) - begin};
}

bool move_segment(std::span<std::byte> segment, std::byte* shared) {
  std::byte* const from = segment.data();
  const std::size_t bytes = segment.size();
  // New shared memory is zero: pages that nobody has written take no memory.
  copy_pages(shared, from, bytes);
  // An old size of 0 makes a second mapping of the same shared pages (mremap(2)).
  return map_pages_at(from, shared, 0, bytes);
}

void separate_forked_children(std::span<std::byte> segment) {
  separated = segment;
}

}  // namespace boxcar::openshmem_c
