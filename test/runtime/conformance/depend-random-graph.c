/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences of any shape: random tasks on random addresses with random types are generated, and
 * each task checks against a sequential model that all it must follow is complete, and nothing that
 * must follow it has started. OpenMP 5.1, 2.19.11.
 */
#include <omp.h>

#include "check.h"

#define ADDRESSES 6
#define TASKS     150
#define USES      3

enum use { NONE, IN, OUT, MUTEX };

struct step {
	enum use uses[ADDRESSES]; /* at most USES of them */
};

static struct step steps[TASKS];
static int finished[TASKS];
static int started[TASKS];
static int cells[ADDRESSES];

static unsigned next_random(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static bool conflict(const struct step *earlier, const struct step *later)
{
	for (int i = 0; i < ADDRESSES; i++) {
		enum use one = earlier->uses[i];
		enum use two = later->uses[i];

		/* Readers and the members of a mutexinoutset are unordered among themselves. */
		if (one != NONE && two != NONE && (one != two || one == OUT))
			return true;
	}
	return false;
}

static void body(int me)
{
	started[me] = 1;
	for (int i = 0; i < me; i++)
		if (conflict(&steps[i], &steps[me]))
			CHECK(is_raised(&finished[i], 1));
	for (int i = me + 1; i < TASKS; i++)
		if (conflict(&steps[me], &steps[i]))
			CHECK(!is_raised(&finished[i], 1));
	for (int i = 0; i < ADDRESSES; i++)
		if (steps[me].uses[i] == OUT || steps[me].uses[i] == MUTEX)
			cells[i]++; /* plain: writers and mutexes exclude each other */
	raise_flag(&finished[me]);
}

/* The iterators make as many dependences of each type as the step has, none included. */
static void spawn(int me)
{
	int *in[ADDRESSES];
	int *out[ADDRESSES];
	int *mutex[ADDRESSES];
	int ins = 0;
	int outs = 0;
	int mutexes = 0;

	for (int i = 0; i < ADDRESSES; i++) {
		if (steps[me].uses[i] == IN)
			in[ins++] = &cells[i];
		else if (steps[me].uses[i] == OUT)
			out[outs++] = &cells[i];
		else if (steps[me].uses[i] == MUTEX)
			mutex[mutexes++] = &cells[i];
	}
#pragma omp task firstprivate(me) depend(iterator(i = 0                                            \
						  : ins),                                          \
					 in                                                        \
					 : *in[i]) depend(iterator(i = 0                           \
								   : outs),                        \
							  out                                      \
							  : *out[i]) depend(iterator(i = 0         \
										     : mutexes),   \
									    mutexinoutset          \
									    : *mutex[i])
	body(me);
}

static void one_graph(unsigned seed)
{
	unsigned state = seed;
	int expected[ADDRESSES] = {0};

	memset(steps, 0, sizeof(steps));
	memset(finished, 0, sizeof(finished));
	memset(started, 0, sizeof(started));
	memset(cells, 0, sizeof(cells));
	for (int me = 0; me < TASKS; me++) {
		for (int use = 0; use < USES; use++) {
			int address = (int)(next_random(&state) % ADDRESSES);

			steps[me].uses[address] = (enum use)(1 + next_random(&state) % 3);
		}
		for (int i = 0; i < ADDRESSES; i++)
			expected[i] += steps[me].uses[i] == OUT || steps[me].uses[i] == MUTEX;
	}
#pragma omp parallel
#pragma omp single
	for (int me = 0; me < TASKS; me++)
		spawn(me);
	CHECK_ALL(finished, TASKS, 1);
	CHECK_ALL(started, TASKS, 1);
	for (int i = 0; i < ADDRESSES; i++)
		CHECK_EQUAL(cells[i], expected[i]);
	if (check_failures)
		fprintf(stderr, "the graph's seed was %u\n", seed);
}

int main(void)
{
	omp_set_dynamic(0);
	for (unsigned seed = 1; seed <= 15 && !check_failures; seed++)
		one_graph(seed);
	return check_result();
}
