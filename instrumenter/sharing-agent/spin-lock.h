/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock that is held for some dozen instructions, and waits for nothing that the program has. */
#ifndef SHARING_SPIN_LOCK_H
#define SHARING_SPIN_LOCK_H

#include "agent-atomics.h"

#include <sched.h>
#include <stdbool.h>

struct spin_lock {
	_Atomic bool taken;
};

/* acquires what spin_lock_give() releases */
static inline void spin_lock_take(struct spin_lock *lock)
{
	while (exchange_acquire(&lock->taken, true))
		while (load_relaxed(&lock->taken))
			sched_yield();
}

static inline void spin_lock_give(struct spin_lock *lock)
{
	store_release(&lock->taken, false);
}

#endif
