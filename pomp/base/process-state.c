/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state that the whole library shares, and the lock for everything that belongs to no thread.
 */
#include "process-state.h"

#include "pomp-atomics.h"

#include <stddef.h>

struct pomp_process pomp_process = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Atomic int pomp_state = POMP_STATE_NEW;
_Thread_local bool pomp_process_lock_is_mine;

static void note_owner(bool is_mine)
{
#ifdef NDEBUG
	(void)is_mine;
#else
	pomp_process_lock_is_mine = is_mine;
#endif
}

/*
 * Under the lock, files are opened and memory is allocated. A thread can be cancelled there and
 * would never release the lock, so cancellation is disabled until the lock is free.
 */
void pomp_lock_process(void)
{
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_mutex_lock(&pomp_process.lock);
	note_owner(true);
	pomp_process.cancel_state = cancel_state;
}

void pomp_unlock_process(void)
{
	int cancel_state = pomp_process.cancel_state;

	note_owner(false);
	pthread_mutex_unlock(&pomp_process.lock);
	pthread_setcancelstate(cancel_state, NULL);
}

void pomp_out_of_memory(const char *what)
{
	const char *none = NULL;

	replace_relaxed(&pomp_process.memory_for, &none, what);
	fetch_add_relaxed(&pomp_process.memory_failures, 1);
}
