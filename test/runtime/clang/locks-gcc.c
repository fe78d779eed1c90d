/* SPDX-License-Identifier: BSD-3-Clause */
/* gcc's half of locks.c. */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

#define GUARD UINT64_C(0x60cc60cc60cc60cc)

struct gcc_locks {
	omp_nest_lock_t nest;
	uint64_t between;
	omp_lock_t simple;
	uint32_t after;
};

_Static_assert(sizeof(omp_nest_lock_t) == 16 && sizeof(omp_lock_t) == 4, "gcc's layouts");

struct gcc_locks *gcc_new(void);
void gcc_add(struct gcc_locks *locks, long *plain);
void gcc_free(struct gcc_locks *locks, int *errors);

struct gcc_locks *gcc_new(void)
{
	struct gcc_locks *locks = malloc(sizeof(*locks));

	locks->between = GUARD;
	locks->after = (uint32_t)GUARD;
	omp_init_nest_lock(&locks->nest);
	omp_init_lock(&locks->simple);
	return locks;
}

void gcc_add(struct gcc_locks *locks, long *plain)
{
	omp_set_nest_lock(&locks->nest);
	omp_set_nest_lock(&locks->nest);
	omp_set_lock(&locks->simple);
	*plain += 1;
	omp_unset_lock(&locks->simple);
	omp_unset_nest_lock(&locks->nest);
	omp_unset_nest_lock(&locks->nest);
}

/* A task of gcc's counts the errors. */
void gcc_free(struct gcc_locks *locks, int *errors)
{
	omp_set_nest_lock(&locks->nest);
#pragma omp task if (0) shared(locks, errors)
	*errors += omp_test_nest_lock(&locks->nest) != 0;
	omp_unset_nest_lock(&locks->nest);
	*errors += locks->between != GUARD || locks->after != (uint32_t)GUARD;
	omp_destroy_nest_lock(&locks->nest);
	omp_destroy_lock(&locks->simple);
	free(locks);
}
