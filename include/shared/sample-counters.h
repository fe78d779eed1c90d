/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the processor and the kernel can count beside samples: POMP_SAMPLE_COUNTERS. The counters of
 * a run are a set, a bit for each; values are in the order of the bits.
 */
#ifndef SHARED_SAMPLE_COUNTERS_H
#define SHARED_SAMPLE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* COUNTER(id, name, key): the setting's name of it, and that in reports and archives. */
#define SAMPLE_COUNTERS(COUNTER)                                                                   \
	COUNTER(INSTRUCTIONS, "instructions", "instructions")                                      \
	COUNTER(CYCLES, "cycles", "cycles")                                                        \
	COUNTER(BRANCHES, "branches", "branches")                                                  \
	COUNTER(BRANCH_MISSES, "branch-misses", "branch_misses")                                   \
	COUNTER(CACHE_REFERENCES, "cache-references", "cache_references")                          \
	COUNTER(CACHE_MISSES, "cache-misses", "cache_misses")                                      \
	COUNTER(PAGE_FAULTS, "page-faults", "page_faults")

enum sample_counter {
#define SAMPLE_COUNTER_ID(id, name, key) SAMPLE_##id,
	SAMPLE_COUNTERS(SAMPLE_COUNTER_ID)
#undef SAMPLE_COUNTER_ID
	    SAMPLE_COUNTER_COUNT
};

/* Of one run: those that count beside samples, and one more whose events have samples. */
enum { SAMPLE_COUNTERS_BESIDE = 3, SAMPLE_COUNTERS_MOST = SAMPLE_COUNTERS_BESIDE + 1 };

/* A counter, each so many events of which are a sample. */
struct sample_event {
	enum sample_counter counter;
	uint64_t period; /* 0: none */
};

/*
 * In archives the counters are metrics of one class, in the order of the bits: sums since the
 * thread began, right before the sample to which their growth belongs.
 */
#define SAMPLE_COUNTER_METRIC(key) "sampled_" key

/* A set of counters. */
static inline bool sample_counter_is_in(uint64_t set, enum sample_counter counter)
{
	return set >> counter & 1;
}

/* Takes the first counter out of a set that is not empty, and returns it. */
static inline enum sample_counter sample_counter_take(uint64_t *set)
{
	enum sample_counter first = (enum sample_counter)__builtin_ctzll(*set);

	*set &= *set - 1;
	return first;
}

/* Returns how many there are. */
static inline unsigned sample_counters_number(uint64_t set)
{
	return (unsigned)__builtin_popcountll(set);
}

#endif
