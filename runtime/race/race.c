/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `ompinst race run` requested. Each thread has its own sequence of random numbers, from the
 * seed and its number: the same seed gives the same choices, but other work of the machine can
 * still change the order.
 */
#include "race.h"

#include <stdlib.h>

#include "process.h"
#include "race-thread.h"
#include "shared/precondition.h"
#include "shared/race-log.h"
#include "tsan.h"

/* Constant after rt_race_begin(). */
static struct {
	uint32_t seed; /* 0: no order is forced */
	uint32_t chunk;
	bool strands, memory;
} wishes;

static _Atomic uint32_t threads_named;

_Atomic uint32_t rt_race_threads;

void rt_race_begin(void)
{
	const char *words = rt_process.race_words, *word;

	word = race_find_word(words, RACE_MEMORY);
	wishes.memory = word != NULL && *word == '1';
	if (words[0] == '\0' || !(rt_tsan_is_present() || wishes.memory))
		return;
	rt_watch(RT_BY_RACE);
	word = race_find_word(words, RACE_SEED);
	wishes.seed = word != NULL ? (uint32_t)strtoul(word, NULL, 10) : 0;
	word = race_find_word(words, RACE_CHUNK);
	wishes.chunk = word != NULL ? (uint32_t)strtoul(word, NULL, 10) : 0;
	word = race_find_word(words, RACE_STRANDS);
	wishes.strands = word != NULL && *word == '1' && !wishes.memory;
}

bool rt_race_is_for_memory(void)
{
	return wishes.memory;
}

uint32_t rt_race_seed(void)
{
	return wishes.seed;
}

uint32_t rt_race_loop_chunk(void)
{
	return wishes.chunk;
}

bool rt_race_wants_strands(void)
{
	return wishes.strands;
}

uint32_t rt_race_new_number(void)
{
	return add_relaxed(&threads_named, 1);
}

uint32_t rt_race_random(struct rt_race_thread *thread)
{
	CHECK(thread->random != 0, "the generator has a state");

	uint32_t x = thread->random;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return thread->random = x;
}
