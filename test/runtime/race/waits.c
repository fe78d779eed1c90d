/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long threads wait for others to take some of the work: a millisecond while threads of the
 * team are just being made, and less when all of them have begun. The function that waits is this
 * program's own, as are the sanitizer's, so that the runtime looks for races.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { LONG_NS = 1000000 };

static _Atomic long longest;

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
	long last = atomic_load(&longest);

	(void)clock;
	(void)flags;
	(void)rest;
	while (
	    last < time->tv_nsec && !atomic_compare_exchange_weak(&longest, &last, time->tv_nsec))
		;
	return 0;
}

void __tsan_acquire(void *address)
{
	(void)address;
}

void __tsan_release(void *address)
{
	(void)address;
}

static void loop(void)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 8; i++)
		;
}

int main(void)
{
	loop(); /* makes the threads */
	atomic_store(&longest, 0);
	loop();
	const long found = atomic_load(&longest);
	if (found > 0 && found < LONG_NS)
		return 0;
	fprintf(stderr, "expected waits below %d ns when threads have begun, found %ld\n", LONG_NS,
	    found);
	return 1;
}
