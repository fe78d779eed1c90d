/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked into the stress tests' build of the runtime: delays before and after its atomic operations
 * (runtime/base/atomics.h), seeded by RUNTIME_DELAYS (a number; unset or 0: none).
 *
 * Delays everywhere would only make everything slower together. So at any time most operations are
 * let through and some, chosen by a hash of the seed and of their place in the source, are slow: a
 * thread computes there, yields, or now and then sleeps for longer than the others need for whole
 * regions. Which are slow changes as a thread goes on.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPERATIONS_OF_A_CHOICE = 1 << 14,
	SLOW_OF = 12,        /* one in so many places is slow */
	SHORTEST_SLEEP = 10, /* us; the longest is 2^9 times that */
};

void rt_delay(const char *file, unsigned line);

static uint64_t seed; /* 0: no delays */
static uint64_t threads;
static _Thread_local uint64_t state, operations;

__attribute__((constructor(101))) static void read_seed(void)
{
	const char *text = getenv("RUNTIME_DELAYS");

	seed = text != NULL ? strtoull(text, NULL, 10) : 0;
}

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static bool is_slow(const char *file, unsigned line)
{
	uint64_t place = (uint64_t)line << 32 | (uint64_t)strlen(file) << 8 |
			 (unsigned char)strrchr(file, '/')[1];

	return mix(mix(seed + operations / OPERATIONS_OF_A_CHOICE) ^ place) % SLOW_OF == 0;
}

static void wait_a_little(uint64_t draw)
{
	int error = errno;

	if (draw % 256 == 0)
		usleep((useconds_t)SHORTEST_SLEEP << (draw >> 32) % 10);
	else if (draw % 8 < 2)
		sched_yield();
	else if (draw % 8 < 4)
		for (volatile unsigned turns = (unsigned)(draw >> 32) % 400; turns > 0;)
			turns = turns - 1;
	errno = error;
}

void rt_delay(const char *file, unsigned line)
{
	if (seed == 0)
		return;
	if (state == 0)
		state = seed + (__atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) << 48);
	operations++;
	if (is_slow(file, line))
		wait_a_little(mix(state += 0x9e3779b97f4a7c15u));
}
