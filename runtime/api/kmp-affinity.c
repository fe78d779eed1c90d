/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets of processors for the calling thread, by the routines of clang's omp.h. A mask is the
 * address of a set with room for all processors of the machine, whichever the process may use.
 * Results are 0, -1 for a number that is not that of a processor, or a value of errno.
 */
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "initial-thread.h"
#include "kmp-api.h"
#include "process.h"
#include "versions.h"

int kmp_get_affinity_max_proc(void)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	return configured > 0 ? (int)configured : 1;
}

/*
 * The kernel needs room for as many processors as it could have, which the process's own mask
 * shows.
 */
static size_t mask_processors(void)
{
	size_t processors = (size_t)kmp_get_affinity_max_proc();
	size_t capacity = rt_processors_capacity(&rt_process.allowed);

	return capacity > processors ? capacity : processors;
}

static size_t mask_bytes(void)
{
	return CPU_ALLOC_SIZE(mask_processors());
}

void kmp_create_affinity_mask(kmp_affinity_mask_t *mask)
{
	cpu_set_t *set = CPU_ALLOC(mask_processors());

	if (set)
		CPU_ZERO_S(mask_bytes(), set);
	*mask = set;
}

void kmp_destroy_affinity_mask(kmp_affinity_mask_t *mask)
{
	CPU_FREE((cpu_set_t *)*mask);
	*mask = NULL;
}

/* Makes the thread known to the runtime first, so that its place does not change this later. */
int kmp_set_affinity(kmp_affinity_mask_t *mask)
{
	(void)rt_self();
	if (!*mask)
		return EINVAL;
	return sched_setaffinity(0, mask_bytes(), *mask) == 0 ? 0 : errno;
}

int kmp_get_affinity(kmp_affinity_mask_t *mask)
{
	(void)rt_self();
	if (!*mask)
		return EINVAL;
	CPU_ZERO_S(mask_bytes(), (cpu_set_t *)*mask);
	return sched_getaffinity(0, mask_bytes(), *mask) == 0 ? 0 : errno;
}

static bool is_processor(int processor, const kmp_affinity_mask_t *mask)
{
	return *mask && processor >= 0 && processor < kmp_get_affinity_max_proc();
}

int kmp_set_affinity_mask_proc(int processor, kmp_affinity_mask_t *mask)
{
	if (!is_processor(processor, mask))
		return -1;
	CPU_SET_S((size_t)processor, mask_bytes(), (cpu_set_t *)*mask);
	return 0;
}

int kmp_unset_affinity_mask_proc(int processor, kmp_affinity_mask_t *mask)
{
	if (!is_processor(processor, mask))
		return -1;
	CPU_CLR_S((size_t)processor, mask_bytes(), (cpu_set_t *)*mask);
	return 0;
}

int kmp_get_affinity_mask_proc(int processor, kmp_affinity_mask_t *mask)
{
	if (!is_processor(processor, mask))
		return -1;
	return CPU_ISSET_S((size_t)processor, mask_bytes(), (cpu_set_t *)*mask) != 0;
}

int kmp_set_affinity_mask_proc_(const int *processor, kmp_affinity_mask_t *mask)
{
	return kmp_set_affinity_mask_proc(*processor, mask);
}

int kmp_unset_affinity_mask_proc_(const int *processor, kmp_affinity_mask_t *mask)
{
	return kmp_unset_affinity_mask_proc(*processor, mask);
}

int kmp_get_affinity_mask_proc_(const int *processor, kmp_affinity_mask_t *mask)
{
	return kmp_get_affinity_mask_proc(*processor, mask);
}

#define ALIAS(of) __attribute__((alias(#of)))
void kmp_create_affinity_mask_(kmp_affinity_mask_t *mask) ALIAS(kmp_create_affinity_mask);
void kmp_destroy_affinity_mask_(kmp_affinity_mask_t *mask) ALIAS(kmp_destroy_affinity_mask);
int kmp_set_affinity_(kmp_affinity_mask_t *mask) ALIAS(kmp_set_affinity);
int kmp_get_affinity_(kmp_affinity_mask_t *mask) ALIAS(kmp_get_affinity);
int kmp_get_affinity_max_proc_(void) ALIAS(kmp_get_affinity_max_proc);

ONLY_IN_LIBOMP(kmpc_set_affinity_mask_proc, kmp_set_affinity_mask_proc);
ONLY_IN_LIBOMP(kmpc_unset_affinity_mask_proc, kmp_unset_affinity_mask_proc);
ONLY_IN_LIBOMP(kmpc_get_affinity_mask_proc, kmp_get_affinity_mask_proc);
