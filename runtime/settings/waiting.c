/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lengths of waits: turns before a thread sleeps, with and without processors for all threads,
 * and a time limit. Called when the environment has been read, and by the routines of clang's
 * omp.h; waits read the result by relaxed loads, hints that order nothing.
 */
#include "waiting.h"

#include "atomics.h"
#include "process.h"

#define NS_OF_MS UINT64_C(1000000)

struct lengths {
	uint64_t turns, oversubscribed, ns;
};

/* the lengths of a policy, unless a count is given */
static struct lengths of_policy(enum rt_wait_policy policy)
{
	switch (policy) {
	case RT_WAIT_ACTIVE:
		return (struct lengths){RT_SPIN_ACTIVE, 1, UINT64_MAX};
	case RT_WAIT_PASSIVE:
		return (struct lengths){RT_SPIN_PASSIVE, 0, UINT64_MAX};
	default:
		/* The other thread may need the waiter's processor. */
		return (struct lengths){RT_SPIN_DEFAULT, 1, RT_SPIN_LONGEST_NS};
	}
}

static struct lengths of_block_time(int32_t milliseconds)
{
	if (milliseconds == RT_BLOCK_TIME_INFINITE)
		return of_policy(RT_WAIT_ACTIVE);
	if (milliseconds == 0)
		return of_policy(RT_WAIT_PASSIVE);
	if (milliseconds == RT_BLOCK_TIME_DEFAULT)
		return of_policy(RT_WAIT_UNSET);
	return (struct lengths){RT_SPIN_ACTIVE, 1, (uint64_t)milliseconds * NS_OF_MS};
}

static void set(struct rt_process *process, struct lengths lengths)
{
	store_relaxed(&process->spin_ns, lengths.ns);
	store_relaxed(&process->spin_count, lengths.turns);
	store_relaxed(&process->spin_oversubscribed,
	    lengths.oversubscribed < lengths.turns ? lengths.oversubscribed : lengths.turns);
}

void rt_waiting_settle(struct rt_process *process)
{
	struct lengths lengths = process->wait_policy == RT_WAIT_UNSET
				     ? of_block_time(load_relaxed(&process->block_time))
				     : of_policy(process->wait_policy);

	if (process->spin_count_given)
		lengths = (struct lengths){
		    load_relaxed(&process->spin_count), lengths.oversubscribed, UINT64_MAX};
	set(process, lengths);
}

void rt_waiting_set_block_time(int32_t milliseconds)
{
	store_relaxed(&rt_process.block_time, milliseconds);
	set(&rt_process, of_block_time(milliseconds));
}
