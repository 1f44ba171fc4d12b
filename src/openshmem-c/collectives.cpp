// The collectives of teams of shmem.h.
#include "openshmem-c/call.hpp"
#include "openshmem-c/group_collectives.hpp"
#include "openshmem-c/reductions.hpp"

namespace boxcar::openshmem_c {
namespace {

constexpr int invalid_team = -1;

// Calls `action(group)` for a team; returns what the function of C returns.
template <typename Action>
int on_team(shmem_team_t team, const char* function, const Action& action) {
  return in_call(function, [&] {
    member& here = member::here();
    const boxcar_shmem_team* const its = here.teams().find(team);
    if (its == nullptr) return invalid_team;
    action(group_of_team(here, *its));
    return 0;
  });
}

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

int shmem_team_sync(shmem_team_t team) {
  return on_team(team, __func__, [](const group& g) { synchronise(g); });
}

// clang-format off
#define DEFINE_COLLECTIVES(PREFIX, SUFFIX, ELEMENT, SIZE) \
  int shmem_##PREFIX##broadcast##SUFFIX(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                                        std::size_t nelems, int root) { \
    return on_team(team, __func__, [&](const group& g) { \
      broadcast(g, dest, source, bytes_of(nelems, SIZE), root, true); \
    }); \
  } \
  int shmem_##PREFIX##collect##SUFFIX(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                                      std::size_t nelems) { \
    return on_team(team, __func__, [&](const group& g) { \
      collect(g, dest, source, bytes_of(nelems, SIZE)); \
    }); \
  } \
  int shmem_##PREFIX##fcollect##SUFFIX(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                                       std::size_t nelems) { \
    return on_team(team, __func__, [&](const group& g) { \
      fcollect(g, dest, source, bytes_of(nelems, SIZE)); \
    }); \
  } \
  int shmem_##PREFIX##alltoall##SUFFIX(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                                       std::size_t nelems) { \
    return on_team(team, __func__, [&](const group& g) { \
      alltoall(g, dest, source, {1, 1, nelems, SIZE}); \
    }); \
  } \
  int shmem_##PREFIX##alltoalls##SUFFIX(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                                        std::ptrdiff_t dst, std::ptrdiff_t sst, \
                                        std::size_t nelems) { \
    return on_team(team, __func__, [&](const group& g) { \
      alltoall(g, dest, source, {dst, sst, nelems, SIZE}); \
    }); \
  }
DEFINE_COLLECTIVES(, mem, void, 1)
#define DEFINE_TYPED_COLLECTIVES(OP, NAME, TYPE) \
  DEFINE_COLLECTIVES(NAME##_, , TYPE, sizeof(TYPE))
BOXCAR_SHMEM_RMA_TYPES(DEFINE_TYPED_COLLECTIVES, )

#define DEFINE_REDUCE(OP, NAME, TYPE) \
  int shmem_##NAME##OP##_reduce(shmem_team_t team, TYPE* dest, const TYPE* source, \
                                std::size_t nreduce) { \
    return on_team(team, __func__, [&](const group& g) { \
      reduce(g, dest, source, nreduce, sizeof(TYPE), combine_elements<TYPE, operator##OP>); \
    }); \
  }
BOXCAR_SHMEM_BITS_TYPES(DEFINE_REDUCE, _and)
BOXCAR_SHMEM_BITS_TYPES(DEFINE_REDUCE, _or)
BOXCAR_SHMEM_BITS_TYPES(DEFINE_REDUCE, _xor)
BOXCAR_SHMEM_RMA_TYPES(DEFINE_REDUCE, _max)
BOXCAR_SHMEM_RMA_TYPES(DEFINE_REDUCE, _min)
BOXCAR_SHMEM_SUM_TYPES(DEFINE_REDUCE, _sum)
BOXCAR_SHMEM_SUM_TYPES(DEFINE_REDUCE, _prod)
// clang-format on
