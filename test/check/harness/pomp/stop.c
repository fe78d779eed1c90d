/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of measuring against a thread's first two events, one on the slow path and one on the
 * fast: each event either sees the stop, or the stopping thread waits for it. Afterwards the
 * thread's block belongs to the stopping thread. Blocks contain plain data, so two owners at once
 * are a data race.
 */
#include "check.h"
#include "fast-path.h"
#include "library.h"

static void work(void *argument)
{
	(void)argument;
	if (library_thread() == NULL)
		return;
	pomp_for_enter(&library_loop[0]);
	pomp_for_exit(&library_loop[0]);
}

/* Reads and writes all blocks, as the report does. */
static void stop(void)
{
	EXPECT(pomp_measurement_stop() == 0);
	pomp_lock_process();
	for (struct pomp_thread *thread = pomp_threads.alive; thread; thread = thread->next) {
		EXPECT(thread->top == thread->stack);
		EXPECT(thread->calls <= 4);
		thread->calls = 0;
		thread->more_events = 0;
		thread->time = UINT64_MAX;
	}
	pomp_unlock_process();
}

static void events(void)
{
	library_measures();
	pomp_register_regions(&library_loop[0]);
	library_thread();
	check_start(work, NULL);
	stop();
	check_join();
}
HARNESS(pomp_stop_events, "events while measuring ends") = {.run = events};

static void events_of_old_system(void)
{
	events();
}
HARNESS(pomp_stop_events_of_old_system, "the same where the system has no membarrier") = {
    .run = events_of_old_system, .lacks_membarrier = true};

/* The last event of these notes the lock's release and is not counted by itself. */
static void lock_and_unlock(void *lock)
{
	if (library_thread() == NULL)
		return;
	pomp_set_lock(lock);
	pomp_unset_lock(lock);
}

static void locks(void)
{
	static char lock;

	library_measures();
	pomp_lock_of_address(&lock);
	library_thread();
	check_start(lock_and_unlock, &lock);
	stop();
	check_join();
}
HARNESS(pomp_stop_locks, "a lock is released while measuring ends") = {
    .run = locks, .preemptions = 2};
