/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of the constructs that GCC 17 executes by calls of its own, at each level of
 * -fopenmp-ompt: which events each member of a team has, in their order, and where in the program
 * they come from. Where the construct's end is not called it ends before the next barrier,
 * construct or end of the region; where its begin is not called, with the first chunk or its end.
 *
 * The events of a member are written as text, each begin as a letter and "(", each end as the
 * letter and ")":
 *
 *   L loop  D distribute  S single, executes it  O single, does not  C scope  M masked  R reduction
 *   I W E P   a barrier of the implementation, of a work-share, explicit, at the region's end
 *   .         a chunk
 */
#include <omp.h>

#include "check.h"
#include "gcc17.h"
#include "recorder.h"

enum { LENGTH = 96 };

static int executed[LENGTH];

static char letter_of_work(int kind)
{
	switch (kind) {
	case ompt_work_loop_static:
		return 'L';
	case ompt_work_distribute:
		return 'D';
	case ompt_work_single_executor:
		return 'S';
	case ompt_work_single_other:
		return 'O';
	case ompt_work_scope:
		return 'C';
	default:
		return '?';
	}
}

static char letter_of_barrier(int kind)
{
	switch (kind) {
	case ompt_sync_region_barrier_implementation:
		return 'I';
	case ompt_sync_region_barrier_implicit_workshare:
		return 'W';
	case ompt_sync_region_barrier_explicit:
		return 'E';
	case ompt_sync_region_barrier_implicit_parallel:
		return 'P';
	default:
		return '?';
	}
}

/* 0: no event of these. */
static char letter_of(const struct record *record)
{
	switch (record->callback) {
	case ompt_callback_work:
		return letter_of_work(record->kind);
	case ompt_callback_masked:
		return 'M';
	case ompt_callback_reduction:
		return 'R';
	case ompt_callback_sync_region:
		return letter_of_barrier(record->kind);
	case ompt_callback_dispatch:
		return '.';
	default:
		return '\0';
	}
}

static const char *events_of(uint64_t task)
{
	static char text[1000];
	size_t length = 0;

	for (unsigned i = 0; i < record_count() && length + 3 < sizeof(text); i++) {
		const struct record *record = record_at(i);
		char letter = record->task == task ? letter_of(record) : '\0';

		if (letter == '\0')
			continue;
		text[length++] = letter;
		if (letter != '.')
			text[length++] = record->endpoint == ompt_scope_begin ? '(' : ')';
	}
	text[length] = '\0';
	return text;
}

/* `ones` implicit tasks have the first events, all others of the teams since begin() the second. */
static void check_events(const char *name, unsigned ones, const char *one, const char *others)
{
	unsigned found = 0;

	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);
		const char *events;

		if (record->callback != ompt_callback_implicit_task ||
		    record->endpoint != ompt_scope_begin)
			continue;
		events = events_of(record->task);
		if (found < ones && strcmp(events, one) == 0)
			found++;
		else if (!CHECK(strcmp(events, others) == 0))
			fprintf(stderr, "  %s: a member has %s, expected %s or %s\n", name, events,
			    one, others);
	}
	CHECK_EQUAL(found, ones);
}

/* All codes lie in the function or what was outlined from it; the counts are known or 0. */
static void check_places(const char *function, gcc17_count count)
{
	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);

		if (record->callback == ompt_callback_work && letter_of_work(record->kind) == 'L')
			CHECK(record->count == count || record->count == 0);
	}
	record_check(function);
}

static void begin(void)
{
	memset(executed, 0, sizeof(executed));
	record_clear();
}

/* Of the chunks of one loop or distribute: each iteration is in one. */
static void check_chunks(int kind)
{
	int covered[LENGTH] = {0};

	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);

		if (record->callback != ompt_callback_dispatch)
			continue;
		CHECK_EQUAL(record->kind, kind);
		for (uint64_t k = 0; k < record->count && record->start + k < LENGTH; k++)
			covered[record->start + k]++;
	}
	CHECK_ALL(covered, LENGTH, 1);
}

static __attribute__((noinline)) void one_loop(enum gcc17_level level)
{
#pragma omp parallel
	{
		GCC17_LOOP(level, LENGTH, 0, i, count(&executed[i]));
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void last_loop(enum gcc17_level level)
{
#pragma omp parallel
	{
		GCC17_LOOP(level, LENGTH, 0, i, count(&executed[i]));
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

/* Two loops from one announcement, with two chunks each: the second is seen where it can be. */
static __attribute__((noinline)) void two_loops(enum gcc17_level level)
{
	gcc17_count size = (gcc17_count)omp_get_max_threads(), chunk = LENGTH / size / 2;

#pragma omp parallel
	{
		gcc17_numbers numbers;

		__real__ numbers = (int)size;
		__imag__ numbers = omp_get_thread_num();
		GCC17_LOOP(level, 2 * size * chunk, chunk, i, count(&executed[i]));
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		GCC17_LOOP_AGAIN(level, numbers, 2 * size * chunk, chunk, i, count(&executed[i]));
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

/* Over unsigned numbers from which nothing is left: only its end is called. */
static __attribute__((noinline)) void empty_loop(enum gcc17_level level)
{
#pragma omp parallel
	{
		if (level != GCC17_NONE)
			GOMP_loop_static_worksharing_end();
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void sharing_loop(enum gcc17_level level)
{
#pragma omp parallel
	{
		GCC17_SHARING_LOOP(level, LENGTH, i, count(&executed[i]));
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static void check_loops(enum gcc17_level level)
{
	static const char *const one[] = {"L(L)W(W)P(P)", "L(L)W(W)P(P)", "L(.L)W(W)P(P)"},
				 *const last[] = {"L(L)P(P)", "L(L)P(P)", "L(.L)P(P)"},
				 *const two[] = {"L(L)W(W)W(W)P(P)", "L(L)W(W)L(L)W(W)P(P)",
				     "L(..L)W(W)L(..L)W(W)P(P)"},
				 *const empty[] = {"W(W)P(P)", "L(L)W(W)P(P)", "L(L)W(W)P(P)"};

	begin();
	one_loop(level);
	CHECK_ALL(executed, LENGTH, 1);
	check_events("one_loop", 0, "", one[level]);
	check_places("one_loop", LENGTH);
	if (level == GCC17_EXTENDED)
		check_chunks(ompt_dispatch_ws_loop_chunk);
	begin();
	last_loop(level);
	check_events("last_loop", 0, "", last[level]);
	check_places("last_loop", LENGTH);
	begin();
	two_loops(level);
	check_events("two_loops", 0, "", two[level]);
	check_places("two_loops", LENGTH);
	begin();
	empty_loop(level);
	check_events("empty_loop", 0, "", empty[level]);
	check_places("empty_loop", 0);
	begin();
	sharing_loop(level);
	check_events("sharing_loop", 0, "", one[level]);
	check_places("sharing_loop", LENGTH);
}

static __attribute__((noinline)) void one_single(enum gcc17_level level)
{
#pragma omp parallel
	{
		GCC17_SINGLE(level, true, count(&executed[0]));
		GOMP_barrier_ext(GCC17_EXPLICIT);
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

/* Its end is known before the next event only where it is called. */
static __attribute__((noinline)) void single_nowait(enum gcc17_level level)
{
#pragma omp parallel
	{
		GCC17_SINGLE(level, false, count(&executed[0]));
		GCC17_REDUCTION(executed[1]++);
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void masked_blocks(enum gcc17_level level)
{
#pragma omp parallel
	{
		GCC17_MASKED(level, 0, GCC17_MASKED(level, 0, count(&executed[0])));
		GCC17_MASKED(level, -1, count(&executed[0]));
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void scopes(enum gcc17_level level)
{
#pragma omp parallel
	{
		GCC17_SCOPE(level, true, {
			GCC17_LOOP(level, LENGTH, 0, i, count(&executed[i]));
			GOMP_barrier_ext(GCC17_EXPLICIT);
			GCC17_SCOPE(level, false, count(&executed[0]));
		});
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static __attribute__((noinline)) void barriers(enum gcc17_level level)
{
#pragma omp parallel
	{
		(void)level;
		GOMP_barrier_ext(GCC17_OF_PARALLEL);
		GOMP_barrier_ext(GCC17_EXPLICIT);
		GOMP_barrier_cancel_ext(GCC17_OF_WORKSHARE);
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

/* Left where it is, so its end is not called. */
static __attribute__((noinline)) void cancelled_scope(enum gcc17_level level)
{
#pragma omp parallel
	{
		if (level != GCC17_NONE)
			GOMP_scope_start_with_end(NULL);
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
		if (!GOMP_barrier_cancel_ext(GCC17_EXPLICIT))
			CHECK(false);
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static void check_blocks(enum gcc17_level level)
{
	static const char *const nowait[] = {"S(R(R)S)P(P)", "S(S)R(R)P(P)", "S(S)R(R)P(P)"};
	static const char *const masked[] = {"P(P)", "M(M(M)M)P(P)", "M(M(M)M)P(P)"};
	static const char *const scope[] = {
	    "L(L)E(E)W(W)P(P)", "C(L(L)E(E)C(C)C)W(W)P(P)", "C(L(.L)E(E)C(C)C)W(W)P(P)"};

	begin();
	one_single(level);
	check_events("one_single", 1, "S(S)W(W)E(E)P(P)", "O(O)W(W)E(E)P(P)");
	check_places("one_single", 0);
	begin();
	single_nowait(level);
	CHECK_EQUAL(executed[1], omp_get_max_threads());
	check_events("single_nowait", 1, nowait[level], "O(O)R(R)P(P)");
	check_places("single_nowait", 0);
	begin();
	masked_blocks(level);
	check_events("masked_blocks", 1, masked[level], "P(P)");
	check_places("masked_blocks", 0);
	begin();
	scopes(level);
	check_events("scopes", 0, "", scope[level]);
	begin();
	cancelled_scope(level);
	check_events("cancelled_scope", 1, level == GCC17_NONE ? "P(P)" : "C(C)P(P)",
	    level == GCC17_NONE ? "E(E)P(P)" : "C(E(E)C)P(P)");
	begin();
	barriers(level);
	check_events("barriers", 0, "", "I(I)E(E)W(W)P(P)");
	check_places("barriers", 0);
}

static __attribute__((noinline)) void league(enum gcc17_level level)
{
#pragma omp teams num_teams(3)
	{
		GCC17_DISTRIBUTE(level, LENGTH, 0, i, count(&executed[i]));
		RETURNS_HERE;
	}
	RETURNS_HERE;
}

static void check_league(enum gcc17_level level)
{
	begin();
	league(level);
	CHECK_ALL(executed, LENGTH, 1);
	check_events("league", 0, "", level == GCC17_EXTENDED ? "D(.D)" : "D(D)");
	check_places("league", 0);
	if (level == GCC17_EXTENDED)
		check_chunks(ompt_dispatch_distribute_chunk);
}

int main(int argc, char **arguments)
{
	(void)argc;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	omp_set_dynamic(0);
	if (!record_is_on() || !CHECK(gcc17_has_entries()))
		return check_result();
	for (enum gcc17_level level = GCC17_NONE; level < GCC17_LEVELS; level++) {
		check_loops(level);
		check_blocks(level);
		check_league(level);
	}
	CHECK_EQUAL(record_answer[ompt_callback_masked], ompt_set_sometimes_paired);
	return check_result();
}
