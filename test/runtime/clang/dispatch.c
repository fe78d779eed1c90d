/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops whose chunks are asked for: by all numbers of schedules, also those that clang does not
 * use; with bounds of all four types up to the ends of these; with the call that ends a loop since
 * clang 19, without it, and left before their end. How long chunks are for simd instructions, and
 * what schedule(runtime) is where nothing says it.
 */
#include <dlfcn.h>

#include "kmp-calls.h"

enum { STATIC_CHUNKED = 33, DYNAMIC = 35, RUNTIME = 37, ORDERED = 32, UNMERGED = 128 };
enum { MONOTONIC = 1 << 29, NONMONOTONIC = 1 << 30 };
enum { ITERATIONS_AT_MOST = 400 };

void __kmpc_dispatch_deinit(struct ident *, int32_t gtid);
void __kmpc_ordered(struct ident *, int32_t gtid);
void __kmpc_end_ordered(struct ident *, int32_t gtid);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int executed[ITERATIONS_AT_MOST + 1], lasts, next_ordered;

static const int schedules[] = {33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    35 | MONOTONIC, 35 | NONMONOTONIC, 36 | NONMONOTONIC, 37 | NONMONOTONIC, 37 | MONOTONIC,
    35 + UNMERGED, 36 + UNMERGED, 0, 99};
static const int chunks[] = {0, 1, 3, 7, INT32_MAX};
static const int counts[] = {0, 1, 7, 100, ITERATIONS_AT_MOST};

enum end { ENDS_WITH_CALL, ENDS_WITH_ANSWER, ENDS_EARLY };

/*
 * The iterations of a loop, counted from 0, are those that the chunks name; a member whose chunk
 * has the last one hears of that, and of no other chunk after it.
 */
#define FOR_TYPE(suffix, type, step, lowest, highest)                                              \
	void __kmpc_dispatch_init_##suffix(struct ident *, int32_t gtid, int32_t schedule,         \
	    type lower, type upper, step increment, step chunk);                                   \
	int32_t __kmpc_dispatch_next_##suffix(                                                     \
	    struct ident *, int32_t gtid, int32_t *last, type *lower, type *upper, step *stride);  \
	void __kmpc_dispatch_fini_##suffix(struct ident *, int32_t gtid);                          \
                                                                                                   \
	struct loop_##suffix {                                                                     \
		int schedule, chunk;                                                               \
		enum end end;                                                                      \
		type first, last;                                                                  \
		step increment;                                                                    \
	};                                                                                         \
                                                                                                   \
	static void chunk_##suffix(                                                                \
	    int32_t gtid, const struct loop_##suffix *loop, type lower, type upper, bool ordered)  \
	{                                                                                          \
		bool up = loop->increment > 0;                                                     \
		uint64_t size = up ? (uint64_t)loop->increment : -(uint64_t)loop->increment;       \
                                                                                                   \
		for (type i = lower;; i = (type)((uint64_t)i + (uint64_t)loop->increment)) {       \
			uint64_t number = (up ? (uint64_t)i - (uint64_t)loop->first                \
					      : (uint64_t)loop->first - (uint64_t)i) /             \
					  size;                                                    \
			if (!CHECK(number < ITERATIONS_AT_MOST))                                   \
				return;                                                            \
			count(&executed[number]);                                                  \
			if (ordered && number % 3 != 1) {                                          \
				__kmpc_ordered(&here, gtid);                                       \
				CHECK(next_ordered <= (int)number);                                \
				next_ordered = (int)number + 1;                                    \
				__kmpc_end_ordered(&here, gtid);                                   \
			}                                                                          \
			if (ordered)                                                               \
				__kmpc_dispatch_fini_##suffix(&here, gtid);                        \
			if (i == upper)                                                            \
				return;                                                            \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	static void member_##suffix(int32_t *gtid, int32_t *number, void *data)                    \
	{                                                                                          \
		const struct loop_##suffix *loop = data;                                           \
		bool ordered = loop->schedule >= 65 && loop->schedule < 80, had_last = false;      \
		type lower = 0, upper = 0;                                                         \
		int32_t last = 0;                                                                  \
		step stride = 0;                                                                   \
                                                                                                   \
		(void)number;                                                                      \
		__kmpc_dispatch_init_##suffix(&here, *gtid, loop->schedule, loop->first,           \
		    loop->last, loop->increment, (step)loop->chunk);                               \
		while (                                                                            \
		    __kmpc_dispatch_next_##suffix(&here, *gtid, &last, &lower, &upper, &stride)) { \
			CHECK(!had_last);                                                          \
			CHECK(stride == loop->increment);                                          \
			CHECK_EQUAL(last != 0, upper == loop->last);                               \
			had_last = last != 0;                                                      \
			chunk_##suffix(*gtid, loop, lower, upper, ordered);                        \
			if (loop->end == ENDS_EARLY)                                               \
				break;                                                             \
		}                                                                                  \
		CHECK_EQUAL(last != 0, had_last);                                                  \
		if (last)                                                                          \
			count(&lasts);                                                             \
		if (loop->end == ENDS_WITH_CALL)                                                   \
			__kmpc_dispatch_deinit(&here, *gtid);                                      \
		if (loop->end != ENDS_EARLY)                                                       \
			CHECK(!__kmpc_dispatch_next_##suffix(                                      \
			    &here, *gtid, &last, &lower, &upper, &stride));                        \
	}                                                                                          \
                                                                                                   \
	static void check_##suffix(                                                                \
	    int schedule, int chunk, type first, int iterations, step increment, enum end end)     \
	{                                                                                          \
		uint64_t way = (uint64_t)increment * (uint64_t)(iterations - 1);                   \
		type last = (type)((uint64_t)first + way);                                         \
		struct loop_##suffix loop = {schedule, chunk, end, first, last, increment};        \
                                                                                                   \
		if (iterations > 0 && (increment > 0 ? last < first : last > first))               \
			return;                                                                    \
		if (iterations == 0 && (increment > 0 ? last >= first : last <= first))            \
			return;                                                                    \
		memset(executed, 0, sizeof(executed));                                             \
		lasts = next_ordered = 0;                                                          \
		fork_threads(0, member_##suffix, &loop);                                           \
		if (end == ENDS_EARLY)                                                             \
			return;                                                                    \
		CHECK_ALL(executed, iterations, 1);                                                \
		CHECK_EQUAL(executed[iterations], 0);                                              \
		CHECK_EQUAL(lasts, iterations > 0);                                                \
	}                                                                                          \
                                                                                                   \
	static void loops_##suffix(void)                                                           \
	{                                                                                          \
		static const type firsts[] = {                                                     \
		    0, (lowest), (highest), (type)((highest) - (type)99)};                         \
		static const step increments[] = {1, -1, 3};                                       \
		unsigned turn = 0;                                                                 \
                                                                                                   \
		for (size_t i = 0; i < COUNT(schedules) * COUNT(chunks) * COUNT(counts); i++) {    \
			int schedule = schedules[i % COUNT(schedules)];                            \
			int chunk = chunks[i / COUNT(schedules) % COUNT(chunks)];                  \
			int iterations = counts[i / COUNT(schedules) / COUNT(chunks)];             \
			for (size_t j = 0; j < COUNT(firsts) * COUNT(increments); j++) {           \
				type first = firsts[j % COUNT(firsts)];                            \
				step increment = increments[j / COUNT(firsts)];                    \
				check_##suffix(schedule, chunk, first, iterations, increment,      \
				    (enum end)(turn++ % 3));                                       \
				if (j == 0 && schedule >= 33 && schedule <= 39)                    \
					check_##suffix(schedule + ORDERED, chunk, first,           \
					    iterations, increment, (enum end)(turn++ % 2));        \
			}                                                                          \
		}                                                                                  \
	}

FOR_TYPE(4, int32_t, int32_t, INT32_MIN, INT32_MAX)
FOR_TYPE(4u, uint32_t, int32_t, 0, UINT32_MAX)
FOR_TYPE(8, int64_t, int64_t, INT64_MIN, INT64_MAX)
FOR_TYPE(8u, uint64_t, int64_t, 0, UINT64_MAX)

/* One after the other in one region without a barrier, far more than the team has slots for. */
static void many(int32_t *gtid, int32_t *number, void *data)
{
	int *sum = data;

	for (int i = 0; i < 100; i++) {
		int32_t lower, upper, last = 0, stride;
		if (*number == 0 && i % 10 == 0)
			dawdle(20000);
		__kmpc_dispatch_init_4(&here, *gtid, DYNAMIC | NONMONOTONIC, 1, 200, 1, 1);
		while (__kmpc_dispatch_next_4(&here, *gtid, &last, &lower, &upper, &stride))
			__atomic_add_fetch(&sum[i], upper - lower + 1, __ATOMIC_RELAXED);
		if (i % 2 == 0)
			__kmpc_dispatch_deinit(&here, *gtid);
	}
}

/* All except one leave the loop with their first chunk, and the region continues. */
static void early(int32_t *gtid, int32_t *number, void *data)
{
	for (int i = 0; i < 20; i++) {
		int32_t lower, upper, last = 0, stride;
		__kmpc_dispatch_init_4(&here, *gtid, DYNAMIC, 1, 40, 1, 1);
		while (__kmpc_dispatch_next_4(&here, *gtid, &last, &lower, &upper, &stride)) {
			count(data);
			if (*number != 0)
				break;
		}
		__kmpc_barrier(&here, *gtid);
	}
}

/* The same at the region's end, and the next region has fewer members. */
static void left_open(int32_t *gtid, int32_t *number, void *data)
{
	int32_t lower, upper, last = 0, stride;

	(void)number;
	__kmpc_dispatch_init_4(&here, *gtid, DYNAMIC, 1, 40, 1, 1);
	if (__kmpc_dispatch_next_4(&here, *gtid, &last, &lower, &upper, &stride))
		count(data);
}

static void regions_of_changing_size(void)
{
	int threads = omp_get_max_threads(), begun = 0, sums[100] = {0};

	for (int i = 0; i < 40; i++)
		fork_threads(i % 2 ? threads : 1 + threads / 2, left_open, &begun);
	CHECK(begun >= 40);
	fork_threads(0, many, sums);
	CHECK_ALL(sums, 100, 200);
}

void __kmpc_dist_dispatch_init_8u(struct ident *, int32_t gtid, int32_t schedule, int32_t *last,
    uint64_t lower, uint64_t upper, int64_t step, int64_t chunk);

static void composite(int32_t *gtid, int32_t *number, void *data)
{
	int32_t last = 0, found = 0;
	uint64_t lower, upper;
	int64_t stride;

	(void)number;
	__kmpc_dist_dispatch_init_8u(&here, *gtid, DYNAMIC, &last, 10, 99, 1, 7);
	CHECK_EQUAL(last, 1);
	while (__kmpc_dispatch_next_8u(&here, *gtid, &found, &lower, &upper, &stride)) {
		for (uint64_t i = lower; i <= upper; i++)
			count(&((int *)data)[i - 10]);
	}
	__kmpc_dispatch_deinit(&here, *gtid);
	if (found)
		count(&lasts);
}

/* The chunks of one loop of LENGTH iterations, in the order in which they were given. */
enum { BALANCED_CHUNKED = 45, GUIDED_SIMD = 46, RUNTIME_SIMD = 47, WIDTH = 8, LENGTH = 1003 };

struct chunks {
	int schedule, chunk, count;
	int32_t lower[LENGTH], upper[LENGTH];
};

static void take_chunks(int32_t *gtid, int32_t *number, void *data)
{
	struct chunks *chunks = data;
	int32_t lower, upper, last, stride;

	(void)number;
	__kmpc_dispatch_init_4(&here, *gtid, chunks->schedule, 0, LENGTH - 1, 1, chunks->chunk);
	while (__kmpc_dispatch_next_4(&here, *gtid, &last, &lower, &upper, &stride)) {
		int place = count(&chunks->count);
		if (!CHECK(place < LENGTH))
			break;
		chunks->lower[place] = lower;
		chunks->upper[place] = upper;
	}
	__kmpc_dispatch_deinit(&here, *gtid);
}

/* All but the loop's last one are multiples of `unit`; the shortest of them. A team of one: 0. */
static int shortest_chunk(int schedule, int chunk, int unit)
{
	static struct chunks chunks;
	int shortest = LENGTH;

	chunks = (struct chunks){.schedule = schedule, .chunk = chunk};
	fork_threads(0, take_chunks, &chunks);
	if (omp_get_max_threads() == 1)
		return 0;
	for (int i = 0; i < chunks.count; i++) {
		int length = chunks.upper[i] - chunks.lower[i] + 1;
		if (chunks.upper[i] == LENGTH - 1)
			continue;
		CHECK_EQUAL(length % unit, 0);
		shortest = length < shortest ? length : shortest;
	}
	return shortest;
}

static int rounded(int length, int unit)
{
	return (length + unit - 1) / unit * unit;
}

static void simd_schedules(void)
{
	static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
	int threads = omp_get_max_threads();
	int part = rounded((LENGTH + threads - 1) / threads, WIDTH);

	if (threads == 1)
		return;
	CHECK_EQUAL(shortest_chunk(BALANCED_CHUNKED, WIDTH, WIDTH), part);
	CHECK(shortest_chunk(GUIDED_SIMD, WIDTH, WIDTH) >= WIDTH);
	CHECK_EQUAL(shortest_chunk(RUNTIME_SIMD, WIDTH, WIDTH), part);
	for (int i = 0; i < 3; i++) {
		omp_set_schedule(kinds[i], 3);
		CHECK(shortest_chunk(RUNTIME_SIMD, WIDTH, 3 * WIDTH) >= 3 * WIDTH);
		CHECK(shortest_chunk(RUNTIME, 1, 1) >= 3);
	}
	omp_set_schedule(omp_sched_static, 0);
	CHECK_EQUAL(shortest_chunk(RUNTIME_SIMD, WIDTH, WIDTH), part);
}

/* Where nothing sets it: static for this code, dynamic for gcc's, and so the routine answers each.
 */
static void default_schedule(void)
{
	void *symbol = dlvsym(RTLD_DEFAULT, "omp_get_schedule", "VERSION");
	void (*get_for_clang)(omp_sched_t *, int *);
	omp_sched_t kind;
	int chunk, threads = omp_get_max_threads();

	omp_get_schedule(&kind, &chunk);
	CHECK_EQUAL(kind, omp_sched_dynamic);
	CHECK_EQUAL(chunk, 1);
	if (!CHECK(symbol != NULL))
		return;
	memcpy(&get_for_clang, &symbol, sizeof(symbol));
	get_for_clang(&kind, &chunk);
	CHECK_EQUAL(kind, omp_sched_static);
	CHECK_EQUAL(chunk, 0);
	if (threads > 1)
		CHECK(shortest_chunk(RUNTIME | NONMONOTONIC, 1, 1) >= LENGTH / threads);
}

int main(void)
{
	int sums[100] = {0}, chunks_begun = 0, marks[90] = {0};

	default_schedule();
	simd_schedules();

	loops_4();
	loops_4u();
	loops_8();
	loops_8u();
	fork_threads(0, many, sums);
	CHECK_ALL(sums, 100, 200);
	fork_threads(0, early, &chunks_begun);
	CHECK(chunks_begun <= 20 * 40);
	regions_of_changing_size();
	lasts = 0;
	fork_threads(0, composite, marks);
	CHECK_ALL(marks, 90, 1);
	CHECK_EQUAL(lasts, 1);
	return check_result();
}
