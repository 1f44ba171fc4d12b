#define _GNU_SOURCE
#include "reach.h"

#include <link.h>
#include <shmem.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All PEs share memory. */
static bool is_shared;

/* Collective, at the first call: PEs find out whether every PE can access the memory of all PEs.
 * Pretended nodes (BOXCAR_NODES) count as real nodes. */
static void find_reach(const char* function) {
  static bool is_known;
  if (is_known) return;
  long* apart = shmem_calloc(1, sizeof(long));
  if (apart == NULL) give_up(function, "the symmetric heap has no room for a word: make it larger");
  const char* const nodes = getenv("BOXCAR_NODES");
  bool sees_all = nodes == NULL || atoi(nodes) <= 1;
  const int pes = shmem_n_pes();
  for (int pe = 0; pe < pes && sees_all; pe++) sees_all = shmem_ptr(apart, pe) != NULL;
  shmem_barrier_all();
  if (!sees_all) shmem_long_atomic_inc(apart, 0);
  shmem_barrier_all();
  is_shared = shmem_long_atomic_fetch(apart, 0) == 0;
  is_known = true;
  shmem_barrier_all();
  shmem_free(apart);
}

struct range {
  uintptr_t begin, end;
};

/* Finds the variables of the program itself, the first object. */
static int find_variables(struct dl_phdr_info* object, size_t size, void* found) {
  (void)size;
  struct range* const all = found;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr)* const part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W) == 0) continue;
    all->begin = object->dlpi_addr + part->p_vaddr;
    all->end = all->begin + part->p_memsz;
  }
  return 1;
}

/* Returns whether an address is in a variable of the program, not in the symmetric heap. */
static bool is_variable(const void* address) {
  static struct range variables;
  if (variables.end == 0) dl_iterate_phdr(find_variables, &variables);
  return (uintptr_t)address >= variables.begin && (uintptr_t)address < variables.end;
}

long* make_words(size_t count, const char* function) {
  find_reach(function);
  long* words = shmem_calloc(count * WORDS_APART, sizeof(long));
  if (words == NULL) {
    give_up(function, "the symmetric heap has no room for %zu words: make it larger",
            count * WORDS_APART);
  }
  shmem_barrier_all();
  return words;
}

void put_in_order(void* dest, const void* source, size_t bytes, int pe) {
  if (bytes == 0) return;
  /* (Open MPI's shmem_ptr reaches only the heap, although puts reach variables.) */
  void* const there = is_shared ? shmem_ptr(dest, pe) : NULL;
  if (there != NULL) {
    memmove(there, source, bytes);
    return;
  }
  shmem_putmem(dest, source, bytes, pe);
  /* Open MPI's fence does not order a put to a variable and an operation on the heap. */
  if (is_shared || is_variable(dest)) {
    shmem_quiet();
  } else {
    shmem_fence();
  }
}

void add_to_word(long* word, long n, int pe) {
  if (is_shared) {
    /* Release: pairs with read_word and with the wait for the word. */
    __atomic_fetch_add((long*)shmem_ptr(word, pe), n, __ATOMIC_RELEASE);
  } else {
    shmem_long_atomic_add(word, n, pe);
  }
}

long fetch_add_to_word(long* word, long n, int pe) {
  if (is_shared) return __atomic_fetch_add((long*)shmem_ptr(word, pe), n, __ATOMIC_ACQ_REL);
  return shmem_long_atomic_fetch_add(word, n, pe);
}

long read_word(long* word) {
  if (is_shared) return __atomic_load_n(word, __ATOMIC_ACQUIRE);
  return shmem_long_atomic_fetch(word, shmem_my_pe());
}

void write_word(long* word, long value) {
  if (is_shared) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
  } else {
    shmem_long_atomic_set(word, value, shmem_my_pe());
    shmem_quiet();
  }
}

void require_reach(const void* address, size_t bytes, int pe, const char* what,
                   const char* function) {
  if (pe < 0 || pe >= shmem_n_pes()) {
    give_up(function, "there is no PE %d: give one from 0 to %d", pe, shmem_n_pes() - 1);
  }
  if (bytes != 0 && !shmem_addr_accessible(address, pe)) {
    give_up(function,
            "the %s, %p, is not in symmetric memory: give what shmem_malloc has returned, or a "
            "static variable",
            what, address);
  }
}

void give_up(const char* function, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "boxcar: PE %d: %s: %s\n", shmem_my_pe(), function, text);
  fflush(stderr);
  shmem_global_exit(EXIT_FAILURE);
  abort();
}
