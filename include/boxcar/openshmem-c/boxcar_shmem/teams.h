/* The header declares teams of PEs. A team has evenly spaced PEs of the program. Source: OpenSHMEM
 * 1.5, section 9.4. */
#ifndef BOXCAR_SHMEM_TEAMS_H
#define BOXCAR_SHMEM_TEAMS_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* Return -1 if the calling PE is not in the team. */
int shmem_team_my_pe(shmem_team_t team);
int shmem_team_n_pes(shmem_team_t team);
/* Returns the number in `dest_team` of PE `src_pe` of `src_team`; -1 if the PE is not there. */
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
/* Returns 0; other values if the team is invalid. */
int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config);
/* Acts as shmem_ptr, with the PE's number in the team. */
void* shmem_team_ptr(shmem_team_t team, const void* dest, int pe);

/* Collective over the parent team. The new team has `size` PEs of the parent: `start`, and further
 * ones `stride` apart. Returns 0 and writes the new team on its PEs; writes SHMEM_TEAM_INVALID, and
 * returns another value if the arguments do not fit, elsewhere. */
int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t* config, long config_mask,
                             shmem_team_t* new_team);
/* Collective over the parent team. The PEs of the parent are laid out in rows of `xrange` PEs; each
 * PE gets the team of its row and the team of its column. Returns 0, or another value. */
int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                        const shmem_team_config_t* xaxis_config, long xaxis_mask,
                        shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                        long yaxis_mask, shmem_team_t* yaxis_team);
/* Collective over the team. Destroys the team and the contexts that were made from the team. */
void shmem_team_destroy(shmem_team_t team);

BOXCAR_SHMEM_END

#endif
