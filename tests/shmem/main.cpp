// Tests of programs that start OpenSHMEM themselves.
#include <gtest/gtest.h>
#include <shmem.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  shmem_init();
  return RUN_ALL_TESTS();
}
