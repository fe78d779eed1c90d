/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two functions that take 75 and 25 % of the processor time, after waits that end at the same point
 * between two of the kernel's ticks each time: a tick always comes in the second one.
 *
 *     aligned SECONDS
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BILLION = 1000000000, TICKS = 16 };

static volatile int ticks;
static volatile uint64_t at[TICKS];

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * BILLION + (uint64_t)time.tv_nsec;
}

#define WORK(steps)                                                                                \
	volatile double value = 1;                                                                 \
	for (long i = 0; i < (steps); i++)                                                         \
	value = value * 1.0000001 + 0.1

static __attribute__((noinline)) void three_parts(long steps)
{
	WORK(3 * steps);
}

static __attribute__((noinline)) void one_part(long steps)
{
	WORK(steps);
}

static __attribute__((noinline)) void prepare(long steps)
{
	WORK(steps);
}

static void note_tick(int number)
{
	(void)number;
	if (ticks < TICKS)
		at[ticks++] = now(CLOCK_MONOTONIC);
}

/* A timer of the processor's time expires at ticks. Returns how long one is. */
static uint64_t find_ticks(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	const struct itimerspec each = {{0, 1000}, {0, 1000}};
	uint64_t shortest = BILLION;
	timer_t timer;

	signal(SIGUSR1, note_tick);
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0 ||
	    timer_settime(timer, 0, &each, NULL) != 0)
		exit(2);
	while (ticks < TICKS)
		prepare(1000);
	timer_delete(timer);
	/* The other processor's may be a little later. */
	for (int i = 1; i < TICKS; i++)
		if (at[i] - at[i - 1] > 700000 && at[i] - at[i - 1] < shortest)
			shortest = at[i] - at[i - 1];
	return (shortest + 500000) / 1000000 * 1000000;
}

static void wait_until(uint64_t time)
{
	const struct timespec end = {(time_t)(time / BILLION), (long)(time % BILLION)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

int main(int count, char **argument)
{
	uint64_t tick = find_ticks(), period = tick < 4000000 ? 4 * tick : tick;
	uint64_t work = tick < 1000000 ? tick : 1000000, next = at[TICKS - 1] % period;
	uint64_t begin = now(CLOCK_MONOTONIC), parts[2] = {0, 0};
	double seconds = count > 1 ? atof(argument[1]) : 1;

	/* How many steps take a part's time. */
	uint64_t before = now(CLOCK_THREAD_CPUTIME_ID);
	prepare(1000000);
	uint64_t took = now(CLOCK_THREAD_CPUTIME_ID) - before;
	long steps = (long)(1000000 * (work / 4) / took);
	next += begin - begin % period + period - work * 7 / 8;
	while (now(CLOCK_MONOTONIC) - begin < (uint64_t)(seconds * BILLION)) {
		uint64_t late = now(CLOCK_MONOTONIC);
		while (next < late)
			next += period;
		wait_until(next);
		uint64_t first = now(CLOCK_THREAD_CPUTIME_ID);
		three_parts(steps);
		uint64_t second = now(CLOCK_THREAD_CPUTIME_ID);
		one_part(steps);
		parts[0] += second - first;
		parts[1] += now(CLOCK_THREAD_CPUTIME_ID) - second;
	}
	printf("%.4f\n", (double)parts[0] / (double)(parts[0] + parts[1]));
	return 0;
}
