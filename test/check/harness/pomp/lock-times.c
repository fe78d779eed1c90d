/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks whose release a runtime reports after it has happened: if two threads hold such a lock one
 * after the other, the second thread's acquisition counts as later than the first thread's release,
 * whatever their clocks say within the time of the first. The runtime's own lock is a mutex.
 */
#include "check.h"
#include "library.h"

#include <pthread.h>

/* Ticks. The first thread acquires, has another event, and releases. */
enum { ACQUIRED = 10, LATEST = 20, LATE = 40, LONG = 30 };

static struct pomp_lock lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t released, acquired;

/* As code/call-code-mutex.c does it, with the lock held. */
static uint64_t note_acquisition(uint64_t now, uint64_t *order)
{
	*order = load_relaxed(&lock.acquisitions) + 1;
	now = pomp_lock_time_following(&lock, *order, now);
	pomp_lock_acquired_once(&lock);
	EXPECT(pomp_lock_acquired(&lock, now, now, 0) == *order);
	return now;
}

/* Holds the lock, once or several times. */
static void hold(uint64_t times)
{
	uint64_t order;

	for (uint64_t i = 0; i < times; i++) {
		pthread_mutex_lock(&mutex);
		uint64_t at = note_acquisition(LATEST + LONG * i, &order);
		if (i == 0)
			acquired = at;
		pthread_mutex_unlock(&mutex);
		if (times > 1)
			pomp_lock_was_released(&lock, order, at, at, at + LONG - 2);
	}
}

static void next_holder(void *times)
{
	hold(*(const uint64_t *)times);
}

/* The first holder has given the lock back and reports it while others follow. */
static void follow(uint64_t times, uint64_t now)
{
	uint64_t order, at;

	pthread_mutex_lock(&mutex);
	at = note_acquisition(ACQUIRED, &order);
	check_start(next_holder, &times);
	pthread_mutex_unlock(&mutex);
	released = pomp_lock_was_released(&lock, order, at, LATEST, now);
	check_join();
	EXPECT(released >= LATEST);
	EXPECT(released < acquired);
}

static void once(void)
{
	follow(1, check_choose(2) == 0 ? LATE : LATEST);
	EXPECT(load_relaxed(&lock.acquisitions) == 2);
}
HARNESS(pomp_lock_times_once, "a lock is acquired while its release is reported") = {.run = once};

static void released_meanwhile(void)
{
	follow(2, LATE);
}
HARNESS(pomp_lock_times_released, "and released before the earlier release is reported") = {
    .run = released_meanwhile};

static void often(void)
{
	follow(POMP_LOCK_FOLLOWED + 1, LATE);
}
HARNESS(pomp_lock_times_often, "and acquired so often that the note of it is reused") = {
    .run = often, .preemptions = 2};
