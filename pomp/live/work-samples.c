/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the trees in which handlers count the samples. What events have added up would not do: a
 * construct counts when it is left, and one that takes minutes would look like no work.
 */
#include "work-samples.h"

#include "process-state.h"
#include "thread-block.h"

/* Acquire: the nodes that `count` includes are complete. */
static uint64_t work_in(const struct pomp_path_tree *tree, bool is_first)
{
	uint32_t count = load_acquire(&tree->count);
	uint64_t samples = load_relaxed(&tree->lost);

	for (uint32_t i = 1; i < count; i++) {
		uint64_t leaf = tree->node[i].word;
		if ((leaf & POMP_PATH_LEAF) && !pomp_path_waits(leaf) &&
		    (is_first || !pomp_path_is_serial(leaf)))
			samples += load_relaxed(&tree->node[i].samples);
	}
	return samples;
}

uint64_t pomp_work_samples(void)
{
	uint64_t samples = 0;

	pomp_lock_process();
	for (const struct pomp_thread *thread = pomp_threads.alive; thread; thread = thread->next)
		if (thread->paths != NULL)
			samples += work_in(thread->paths, thread->location == 0);
	pomp_unlock_process();
	return samples;
}

double pomp_work_share(
    uint64_t before, uint64_t now, uint64_t rate, uint64_t threads, uint64_t nanoseconds)
{
	double most = (double)(threads > 0 ? threads : 1) * (double)nanoseconds * 1e-9;
	double worked = rate > 0 ? (double)(now - before) / (double)rate : 0;

	if (rate == 0 || now < before || most <= 0)
		return -1;
	return worked < most ? worked / most : 1;
}
