/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lock that is held for some dozen instructions, and waits for nothing that the program has. A
 * thread that a signal ends may have interrupted itself while it had the lock, and takes it then.
 */
#ifndef SHARING_SPIN_LOCK_H
#define SHARING_SPIN_LOCK_H

#include "noting-thread.h"

#include <sched.h>
#include <unistd.h>

enum { SPIN_LOCK_TRIES = 200, SPIN_LOCK_PAUSE = 1000 /* microseconds */ };

struct spin_lock {
	_Atomic bool taken;
};

/* acquires what spin_lock_give() releases */
static inline void spin_lock_take(struct spin_lock *lock)
{
	unsigned tries = 0;

	while (exchange_acquire(&lock->taken, true))
		while (load_relaxed(&lock->taken)) {
			if (noting_self.is_ending && ++tries == SPIN_LOCK_TRIES)
				return;
			if (noting_self.is_ending)
				usleep(SPIN_LOCK_PAUSE);
			else
				sched_yield();
		}
}

static inline void spin_lock_give(struct spin_lock *lock)
{
	store_release(&lock->taken, false);
}

#endif
