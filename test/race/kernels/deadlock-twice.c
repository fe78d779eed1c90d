/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a function sets a lock that its caller has set.
 * The task that owns a simple lock must not set it again (OpenMP 5.2, 18.9.4). The fixed one has a
 * nestable lock.
 */
#include <omp.h>

#ifdef FIXED
#define KIND(name) omp_##name##_nest_lock
static omp_nest_lock_t queue;
#else
#define KIND(name) omp_##name##_lock
static omp_lock_t queue;
#endif
static int length, changes;

static void note_change(void)
{
	KIND(set)(&queue); /* deadlock: lock queue */
	changes++;
	KIND(unset)(&queue);
}

int main(void)
{
	KIND(init)(&queue);
#pragma omp parallel
	{
		KIND(set)(&queue); /* deadlock: lock queue */
		length++;
		note_change();
		KIND(unset)(&queue);
	}
	KIND(destroy)(&queue);
	return 0;
}
