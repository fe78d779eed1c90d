/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For libpomp.a: refers to the runtime's routines directly, because a static program has no symbols
 * to search. The references also bring the members of the runtime's archive into the link.
 * libpomp.so's weak references would not, and a program may call a routine only through us (its
 * locks are measured here). The two routines that take a hint are weak here too, because gcc's
 * runtime lacks them.
 */
#include "runtime-routine.h"

#include <stddef.h>
#include <string.h>

#define ROUTINES(ROUTINE)                                                                          \
	ROUTINE(omp_init_lock)                                                                     \
	ROUTINE(omp_destroy_lock)                                                                  \
	ROUTINE(omp_set_lock)                                                                      \
	ROUTINE(omp_unset_lock)                                                                    \
	ROUTINE(omp_test_lock)                                                                     \
	ROUTINE(omp_init_nest_lock)                                                                \
	ROUTINE(omp_destroy_nest_lock)                                                             \
	ROUTINE(omp_set_nest_lock)                                                                 \
	ROUTINE(omp_unset_nest_lock)                                                               \
	ROUTINE(omp_test_nest_lock)                                                                \
	ROUTINE(omp_get_thread_num)                                                                \
	ROUTINE(omp_get_num_threads)                                                               \
	ROUTINE(omp_get_max_threads)                                                               \
	ROUTINE(omp_set_num_threads)                                                               \
	ROUTINE(omp_get_level)                                                                     \
	ROUTINE(omp_get_ancestor_thread_num)                                                       \
	ROUTINE(omp_get_schedule)                                                                  \
	ROUTINE(omp_set_schedule)                                                                  \
	ROUTINE(omp_get_cancellation)                                                              \
	ROUTINE(omp_init_lock_with_hint)                                                           \
	ROUTINE(omp_init_nest_lock_with_hint)

#define DECLARE(name) extern void name(void);
#define NAME(name)    {#name, name},

ROUTINES(DECLARE)
#pragma weak omp_init_lock_with_hint
#pragma weak omp_init_nest_lock_with_hint

runtime_routine *pomp_runtime_routine(const char *name, const void *caller)
{
	(void)caller;
	static const struct {
		const char *name;
		runtime_routine *routine;
	} routines[] = {ROUTINES(NAME)};

	for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
		if (strcmp(routines[i].name, name) == 0)
			return routines[i].routine;
	return NULL;
}
