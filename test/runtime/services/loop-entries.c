/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every entry for loops, with the arguments that a compiler passes, also those that gcc no longer
 * calls: each gives each iteration of its loop to exactly one thread, the ordered ones in order,
 * the doacross ones after the iterations they wait for. Found by name, so that gcc cannot choose
 * others.
 *
 * An entry is described by its name and the shape of its arguments. The loop runs from 7 to 100 in
 * steps of 3; for unsigned long long also downwards and beyond the largest long.
 */
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>

#include "check.h"

typedef unsigned long long ull;

enum { BEGIN = 7, END = 100, STEP = 3, TRIPS = 31, CHUNK = 4, THREADS = 3 };

/* How arguments are passed: chunk or not, schedule as an argument (general). */
enum shape { WITH_CHUNK, WITHOUT_CHUNK, GENERAL };
enum kind { PLAIN, ORDERED, DOACROSS };

struct entry {
	const char *start, *next;
	enum shape shape;
	enum kind kind;
};

static const struct entry entries[] = {
    {"GOMP_loop_static_start", "GOMP_loop_static_next", WITH_CHUNK, PLAIN},
    {"GOMP_loop_dynamic_start", "GOMP_loop_dynamic_next", WITH_CHUNK, PLAIN},
    {"GOMP_loop_guided_start", "GOMP_loop_guided_next", WITH_CHUNK, PLAIN},
    {"GOMP_loop_runtime_start", "GOMP_loop_runtime_next", WITHOUT_CHUNK, PLAIN},
    {"GOMP_loop_nonmonotonic_dynamic_start", "GOMP_loop_nonmonotonic_dynamic_next", WITH_CHUNK,
	PLAIN},
    {"GOMP_loop_nonmonotonic_guided_start", "GOMP_loop_nonmonotonic_guided_next", WITH_CHUNK,
	PLAIN},
    {"GOMP_loop_nonmonotonic_runtime_start", "GOMP_loop_nonmonotonic_runtime_next", WITHOUT_CHUNK,
	PLAIN},
    {"GOMP_loop_maybe_nonmonotonic_runtime_start", "GOMP_loop_maybe_nonmonotonic_runtime_next",
	WITHOUT_CHUNK, PLAIN},
    {"GOMP_loop_ordered_static_start", "GOMP_loop_ordered_static_next", WITH_CHUNK, ORDERED},
    {"GOMP_loop_ordered_dynamic_start", "GOMP_loop_ordered_dynamic_next", WITH_CHUNK, ORDERED},
    {"GOMP_loop_ordered_guided_start", "GOMP_loop_ordered_guided_next", WITH_CHUNK, ORDERED},
    {"GOMP_loop_ordered_runtime_start", "GOMP_loop_ordered_runtime_next", WITHOUT_CHUNK, ORDERED},
    {"GOMP_loop_doacross_static_start", "GOMP_loop_static_next", WITH_CHUNK, DOACROSS},
    {"GOMP_loop_doacross_dynamic_start", "GOMP_loop_dynamic_next", WITH_CHUNK, DOACROSS},
    {"GOMP_loop_doacross_guided_start", "GOMP_loop_guided_next", WITH_CHUNK, DOACROSS},
    {"GOMP_loop_doacross_runtime_start", "GOMP_loop_runtime_next", WITHOUT_CHUNK, DOACROSS},
    {"GOMP_loop_start", "GOMP_loop_dynamic_next", GENERAL, PLAIN},
    {"GOMP_loop_ordered_start", "GOMP_loop_ordered_dynamic_next", GENERAL, ORDERED},
    {"GOMP_loop_doacross_start", "GOMP_loop_dynamic_next", GENERAL, DOACROSS},
};

static const struct entry ull_entries[] = {
    {"GOMP_loop_ull_static_start", "GOMP_loop_ull_static_next", WITH_CHUNK, PLAIN},
    {"GOMP_loop_ull_dynamic_start", "GOMP_loop_ull_dynamic_next", WITH_CHUNK, PLAIN},
    {"GOMP_loop_ull_guided_start", "GOMP_loop_ull_guided_next", WITH_CHUNK, PLAIN},
    {"GOMP_loop_ull_runtime_start", "GOMP_loop_ull_runtime_next", WITHOUT_CHUNK, PLAIN},
    {"GOMP_loop_ull_nonmonotonic_dynamic_start", "GOMP_loop_ull_nonmonotonic_dynamic_next",
	WITH_CHUNK, PLAIN},
    {"GOMP_loop_ull_nonmonotonic_guided_start", "GOMP_loop_ull_nonmonotonic_guided_next",
	WITH_CHUNK, PLAIN},
    {"GOMP_loop_ull_nonmonotonic_runtime_start", "GOMP_loop_ull_nonmonotonic_runtime_next",
	WITHOUT_CHUNK, PLAIN},
    {"GOMP_loop_ull_maybe_nonmonotonic_runtime_start",
	"GOMP_loop_ull_maybe_nonmonotonic_runtime_next", WITHOUT_CHUNK, PLAIN},
    {"GOMP_loop_ull_ordered_static_start", "GOMP_loop_ull_ordered_static_next", WITH_CHUNK,
	ORDERED},
    {"GOMP_loop_ull_ordered_dynamic_start", "GOMP_loop_ull_ordered_dynamic_next", WITH_CHUNK,
	ORDERED},
    {"GOMP_loop_ull_ordered_guided_start", "GOMP_loop_ull_ordered_guided_next", WITH_CHUNK,
	ORDERED},
    {"GOMP_loop_ull_ordered_runtime_start", "GOMP_loop_ull_ordered_runtime_next", WITHOUT_CHUNK,
	ORDERED},
    {"GOMP_loop_ull_doacross_static_start", "GOMP_loop_ull_static_next", WITH_CHUNK, DOACROSS},
    {"GOMP_loop_ull_doacross_dynamic_start", "GOMP_loop_ull_dynamic_next", WITH_CHUNK, DOACROSS},
    {"GOMP_loop_ull_doacross_guided_start", "GOMP_loop_ull_guided_next", WITH_CHUNK, DOACROSS},
    {"GOMP_loop_ull_doacross_runtime_start", "GOMP_loop_ull_runtime_next", WITHOUT_CHUNK, DOACROSS},
    {"GOMP_loop_ull_start", "GOMP_loop_ull_dynamic_next", GENERAL, PLAIN},
    {"GOMP_loop_ull_ordered_start", "GOMP_loop_ull_ordered_dynamic_next", GENERAL, ORDERED},
    {"GOMP_loop_ull_doacross_start", "GOMP_loop_ull_dynamic_next", GENERAL, DOACROSS},
};

void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
bool GOMP_loop_end_cancel(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_doacross_post(long *counts);
void GOMP_doacross_wait(long first, ...);
void GOMP_doacross_ull_post(ull *counts);
void GOMP_doacross_ull_wait(ull first, ...);

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

/* One loop's iterations by logical number: how often each ran, and in which order. */
static int hits[TRIPS], done[TRIPS], sequence;

static void begin_loop(void)
{
	memset(hits, 0, sizeof(hits));
	memset(done, 0, sizeof(done));
	sequence = 0;
}

static void end_loop(const char *name)
{
	for (int i = 0; i < TRIPS; i++)
		if (hits[i] != 1) {
			fprintf(stderr, "%s: iteration %d ran %d times\n", name, i, hits[i]);
			check_failed();
			return;
		}
}

/* The body of an iteration, except for what is done around it by its kind. */
static void run(const char *name, int trip, enum kind kind)
{
	if (trip < 0 || trip >= TRIPS) {
		fprintf(stderr, "%s: there is no iteration %d\n", name, trip);
		check_failed();
		return;
	}
	if (kind == ORDERED) {
		GOMP_ordered_start();
		CHECK_EQUAL(sequence++, trip);
		GOMP_ordered_end();
	}
	if (kind == DOACROSS && trip >= 2)
		CHECK(is_raised(&done[trip - 2], 1));
	count(&hits[trip]);
	raise_flag(&done[trip]);
}

static bool start_long(const struct entry *entry, void *start, long *low, long *high)
{
	long counts[] = {TRIPS};

	if (entry->kind == DOACROSS) {
		if (entry->shape == WITH_CHUNK)
			return ((bool (*)(unsigned, long *, long, long *, long *))start)(
			    1, counts, CHUNK, low, high);
		if (entry->shape == WITHOUT_CHUNK)
			return ((bool (*)(unsigned, long *, long *, long *))start)(
			    1, counts, low, high);
		return ((bool (*)(unsigned, long *, long, long, long *, long *, uintptr_t *,
		    void **))start)(1, counts, omp_sched_dynamic, CHUNK, low, high, NULL, NULL);
	}
	if (entry->shape == WITH_CHUNK)
		return ((bool (*)(long, long, long, long, long *, long *))start)(
		    BEGIN, END, STEP, CHUNK, low, high);
	if (entry->shape == WITHOUT_CHUNK)
		return ((bool (*)(long, long, long, long *, long *))start)(
		    BEGIN, END, STEP, low, high);
	return ((bool (*)(long, long, long, long, long, long *, long *, uintptr_t *,
	    void **))start)(BEGIN, END, STEP, omp_sched_dynamic, CHUNK, low, high, NULL, NULL);
}

static void test_long(const struct entry *entry)
{
	void *start = find(entry->start);
	bool (*next)(long *, long *) = find(entry->next);

	begin_loop();
#pragma omp parallel num_threads(THREADS)
	{
		long low, high;
		bool more = start_long(entry, start, &low, &high);
		for (; more; more = next(&low, &high)) {
			if (entry->kind != DOACROSS)
				for (long i = low; i < high; i += STEP)
					run(entry->start, (int)((i - BEGIN) / STEP), entry->kind);
			else
				for (long i = low; i < high; i++) {
					if (i >= 2)
						GOMP_doacross_wait(i - 2);
					run(entry->start, (int)i, DOACROSS);
					GOMP_doacross_post(&i);
				}
		}
		GOMP_loop_end();
	}
	end_loop(entry->start);
}

/* A loop of unsigned long long: from 7 up, from the largest number down, or around the sign bit. */
struct ull_loop {
	bool up;
	ull begin, end, step; /* the step downwards is the negative one, modulo 2^64 */
};

static const struct ull_loop ull_loops[] = {{true, BEGIN, END, STEP},
    {true, 0x7ffffffffffffff0ull, 0x7ffffffffffffff0ull + TRIPS * 5, 5},
    {false, UINT64_MAX - 2, UINT64_MAX - 2 - TRIPS * 7, -7ull}};

static bool start_ull(
    const struct entry *entry, const struct ull_loop *loop, void *start, ull *low, ull *high)
{
	ull counts[] = {TRIPS};

	if (entry->kind == DOACROSS) {
		if (entry->shape == WITH_CHUNK)
			return ((bool (*)(unsigned, ull *, ull, ull *, ull *))start)(
			    1, counts, CHUNK, low, high);
		if (entry->shape == WITHOUT_CHUNK)
			return ((bool (*)(unsigned, ull *, ull *, ull *))start)(
			    1, counts, low, high);
		return ((bool (*)(unsigned, ull *, long, ull, ull *, ull *, uintptr_t *,
		    void **))start)(1, counts, omp_sched_dynamic, CHUNK, low, high, NULL, NULL);
	}
	if (entry->shape == WITH_CHUNK)
		return ((bool (*)(bool, ull, ull, ull, ull, ull *, ull *))start)(
		    loop->up, loop->begin, loop->end, loop->step, CHUNK, low, high);
	if (entry->shape == WITHOUT_CHUNK)
		return ((bool (*)(bool, ull, ull, ull, ull *, ull *))start)(
		    loop->up, loop->begin, loop->end, loop->step, low, high);
	return ((bool (*)(
	    bool, ull, ull, ull, long, ull, ull *, ull *, uintptr_t *, void **))start)(loop->up,
	    loop->begin, loop->end, loop->step, omp_sched_dynamic, CHUNK, low, high, NULL, NULL);
}

static void test_ull(const struct entry *entry, const struct ull_loop *loop)
{
	void *start = find(entry->start);
	bool (*next)(ull *, ull *) = find(entry->next);
	ull magnitude = loop->up ? loop->step : -loop->step;

	begin_loop();
#pragma omp parallel num_threads(THREADS)
	{
		ull low, high;
		bool more = start_ull(entry, loop, start, &low, &high);
		for (; more; more = next(&low, &high)) {
			if (entry->kind == DOACROSS) {
				for (ull i = low; i < high; i++) {
					if (i >= 2)
						GOMP_doacross_ull_wait(i - 2);
					run(entry->start, (int)i, DOACROSS);
					GOMP_doacross_ull_post(&i);
				}
				continue;
			}
			ull first = loop->up ? low - loop->begin : loop->begin - low;
			ull length = loop->up ? high - low : low - high;
			for (ull i = 0; i < length; i += magnitude)
				run(entry->start, (int)((first + i) / magnitude), entry->kind);
		}
		GOMP_loop_end();
	}
	end_loop(entry->start);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		test_long(&entries[i]);
	for (size_t i = 0; i < sizeof(ull_entries) / sizeof(ull_entries[0]); i++)
		for (size_t j = 0; j < sizeof(ull_loops) / sizeof(ull_loops[0]); j++)
			test_ull(&ull_entries[i], &ull_loops[j]);
	return check_result();
}
