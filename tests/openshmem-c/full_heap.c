/* A heap without room says so, and the program goes on. */
#include <shmem.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int is_none = shmem_malloc((size_t)1 << 40) == NULL;
  void* const small = shmem_malloc(100);
  const int is_there = small != NULL;
  shmem_finalize();
  return is_none && is_there ? 3 : EXIT_FAILURE; /* the test looks at what a failed program says */
}
