/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_get_schedule() for programs that clang or flang links. If run-sched-var was not set, their
 * loops with schedule(runtime) have a static schedule, as in LLVM's library, and those of gcc have
 * a dynamic one, as in GNU's.
 */
#include "initial-thread.h"
#include "omp-api.h"
#include "versions.h"

void clang_omp_get_schedule(omp_sched_t *kind, int *chunk);
void clang_omp_get_schedule_(omp_sched_t *kind, int32_t *chunk);
void clang_omp_get_schedule_8_(omp_sched_t *kind, int64_t *chunk);

void clang_omp_get_schedule(omp_sched_t *kind, int *chunk)
{
	omp_get_schedule(kind, chunk);
	if (rt_icvs()->run_sched_is_default) {
		*kind = RT_SCHEDULE_STATIC;
		*chunk = 0;
	}
}

/* Without the modifier, like Fortran's omp_get_schedule_() for programs of gfortran. */
void clang_omp_get_schedule_(omp_sched_t *kind, int32_t *chunk)
{
	clang_omp_get_schedule(kind, chunk);
	*kind &= ~RT_SCHEDULE_MONOTONIC;
}

void clang_omp_get_schedule_8_(omp_sched_t *kind, int64_t *chunk)
{
	int32_t narrow;

	clang_omp_get_schedule_(kind, &narrow);
	*chunk = narrow;
}

ONLY_IN_LIBOMP(omp_get_schedule, clang_omp_get_schedule);
ONLY_IN_LIBOMP(omp_get_schedule_, clang_omp_get_schedule_);
ONLY_IN_LIBOMP(omp_get_schedule_8_, clang_omp_get_schedule_8_);
