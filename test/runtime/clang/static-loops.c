/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static schedules as clang's and flang's code uses them: every iteration is executed once, by the
 * member that its number belongs to, and one member is given the last one. Bounds of all four
 * types, up to the ends of these; steps of both signs.
 */
#include "kmp-calls.h"

enum { CHUNKED = 33, STATIC = 34, BALANCED = 45, ORDERED_CHUNKED = 65, ORDERED = 66 };
enum { MONOTONIC = 1 << 29, NONMONOTONIC = 1 << 30 };
enum { ITERATIONS_AT_MOST = 1000 };

void __kmpc_for_static_fini(struct ident *, int32_t gtid);

static int executed[ITERATIONS_AT_MOST + 1], lasts;

static const struct {
	int schedule, chunk;
} schedules[] = {
    {STATIC, 0},
    {STATIC | NONMONOTONIC, 1},
    {ORDERED, 1},
    {CHUNKED, 1},
    {CHUNKED | MONOTONIC, 3},
    {CHUNKED, 0},
    {CHUNKED, 1000},
    {CHUNKED, INT32_MAX},
    {ORDERED_CHUNKED, 2},
    {BALANCED, 4},
    {BALANCED, 64},
    {BALANCED, INT32_MAX},
};

static const int counts[] = {0, 1, 2, 7, 32, 33, ITERATIONS_AT_MOST};

#define FIRSTS(lowest, highest)                                                                    \
	{                                                                                          \
		0, 1, (lowest), (lowest) + 1, (highest) / 2, (highest)                             \
	}

/*
 * member_*: marks the iterations as clang's code executes them; `number` counts from the loop's
 * begin. check_*: one loop. A first value from which the loop would leave its type is left out.
 */
#define FOR_TYPE(suffix, type, step, lowest, highest)                                              \
	void __kmpc_for_static_init_##suffix(struct ident *, int32_t gtid, int32_t schedule,       \
	    int32_t *last, type *lower, type *upper, step *stride, step increment, step chunk);    \
                                                                                                   \
	struct loop_##suffix {                                                                     \
		int schedule, chunk;                                                               \
		type first, last;                                                                  \
		step increment;                                                                    \
	};                                                                                         \
                                                                                                   \
	static void member_##suffix(int32_t *gtid, int32_t *number, void *data)                    \
	{                                                                                          \
		const struct loop_##suffix *loop = data;                                           \
		type lower = loop->first, upper = loop->last;                                      \
		bool up = loop->increment > 0, chunked;                                            \
		step stride = 1;                                                                   \
		int32_t last = 0, executed_last = 0;                                               \
                                                                                                   \
		(void)number;                                                                      \
		__kmpc_for_static_init_##suffix(&here, *gtid, loop->schedule, &last, &lower,       \
		    &upper, &stride, loop->increment, (step)loop->chunk);                          \
		chunked = (loop->schedule & 0xff) != STATIC && (loop->schedule & 0xff) != ORDERED; \
		for (;;) {                                                                         \
			bool ends;                                                                 \
			if (up ? upper > loop->last : upper < loop->last)                          \
				upper = loop->last;                                                \
			if (up ? lower > upper : lower < upper)                                    \
				break;                                                             \
			for (type i = lower;;                                                      \
			     i = (type)((uint64_t)i + (uint64_t)loop->increment)) {                \
				uint64_t distance = up ? (uint64_t)i - (uint64_t)loop->first       \
						       : (uint64_t)loop->first - (uint64_t)i;      \
				uint64_t size =                                                    \
				    (uint64_t)(up ? loop->increment : -loop->increment);           \
				if (!CHECK(distance / size < ITERATIONS_AT_MOST))                  \
					return;                                                    \
				count(&executed[distance / size]);                                 \
				executed_last |= i == loop->last;                                  \
				if (i == upper)                                                    \
					break;                                                     \
			}                                                                          \
			/* Where the next bounds would wrap clang's code needs not be right. */    \
			ends = !chunked || (up ? stride > 0 && lower > (highest) - (type)stride    \
					       : stride < 0 && lower < (lowest) - (type)stride);   \
			if (ends)                                                                  \
				break;                                                             \
			lower = (type)((uint64_t)lower + (uint64_t)stride);                        \
			upper = (up ? upper > (highest) - (type)stride                             \
				    : upper < (lowest) - (type)stride)                             \
				    ? loop->last                                                   \
				    : (type)((uint64_t)upper + (uint64_t)stride);                  \
		}                                                                                  \
		__kmpc_for_static_fini(&here, *gtid);                                              \
		CHECK_EQUAL(last, executed_last);                                                  \
		if (last)                                                                          \
			count(&lasts);                                                             \
		__kmpc_barrier(&here, *gtid);                                                      \
	}                                                                                          \
                                                                                                   \
	static void check_##suffix(type first, int iterations, step increment)                     \
	{                                                                                          \
		uint64_t way = (uint64_t)increment * (uint64_t)(iterations - 1);                   \
		type last = (type)((uint64_t)first + way);                                         \
                                                                                                   \
		if (iterations > 0 && (increment > 0 ? last < first : last > first))               \
			return;                                                                    \
		if (iterations == 0 && (increment > 0 ? last >= first : last <= first))            \
			return;                                                                    \
		for (size_t i = 0; i < sizeof(schedules) / sizeof(schedules[0]); i++) {            \
			struct loop_##suffix loop = {                                              \
			    schedules[i].schedule, schedules[i].chunk, first, last, increment};    \
			memset(executed, 0, sizeof(executed));                                     \
			lasts = 0;                                                                 \
			fork_threads(0, member_##suffix, &loop);                                   \
			CHECK_ALL(executed, iterations, 1);                                        \
			CHECK_EQUAL(executed[iterations], 0);                                      \
			CHECK_EQUAL(lasts, iterations > 0);                                        \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	static void loops_##suffix(void)                                                           \
	{                                                                                          \
		static const type firsts[] = FIRSTS(lowest, highest);                              \
		static const step increments[] = {1, -1, -3, 1000};                                \
                                                                                                   \
		for (size_t f = 0; f < sizeof(firsts) / sizeof(firsts[0]); f++) {                  \
			for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {          \
				for (size_t i = 0; i < sizeof(increments) / sizeof(step); i++)     \
					check_##suffix(firsts[f], counts[c], increments[i]);       \
			}                                                                          \
		}                                                                                  \
		for (size_t c = 1; c < sizeof(counts) / sizeof(counts[0]); c++)                    \
			check_##suffix((type)((highest) - (type)(counts[c] - 1)), counts[c], 1);   \
	}

FOR_TYPE(4, int32_t, int32_t, INT32_MIN, INT32_MAX)
FOR_TYPE(4u, uint32_t, int32_t, 0, UINT32_MAX)
FOR_TYPE(8, int64_t, int64_t, INT64_MIN, INT64_MAX)
FOR_TYPE(8u, uint64_t, int64_t, 0, UINT64_MAX)

/* So long a loop that only its parts can be looked at: they follow one another and end with it. */
static int32_t lowers[64], uppers[64];

static void whole_type(int32_t *gtid, int32_t *number, void *data)
{
	int32_t lower = INT32_MIN, upper = INT32_MAX - 1, stride, last;

	if (*number == 0)
		*(int *)data = omp_get_num_threads();
	__kmpc_for_static_init_4(&here, *gtid, STATIC, &last, &lower, &upper, &stride, 1, 1);
	__kmpc_for_static_fini(&here, *gtid);
	lowers[*number] = lower;
	uppers[*number] = upper;
	CHECK_EQUAL(last, *number == omp_get_num_threads() - 1);
}

static void parts_follow(void)
{
	int threads = 0;

	fork_threads(0, whole_type, &threads);
	CHECK_EQUAL(lowers[0], INT32_MIN);
	for (int i = 1; i < threads; i++)
		CHECK_EQUAL(lowers[i], (int64_t)uppers[i - 1] + 1);
	CHECK_EQUAL(uppers[threads - 1], INT32_MAX - 1);
}

/* flang counts from 0 to one less than the number of iterations, also if that is 0. */
static void no_iterations(int32_t *gtid, int32_t *number, void *data)
{
	uint32_t lower = 0, upper = UINT32_MAX;
	int32_t stride, last = 1;

	(void)number;
	__kmpc_for_static_init_4u(&here, *gtid, STATIC, &last, &lower, &upper, &stride, 1, 0);
	__kmpc_for_static_fini(&here, *gtid);
	CHECK_EQUAL((uint32_t)(upper - lower + 1), 0);
	CHECK_EQUAL(last, 0);
	count(data);
}

/* Composite constructs in a league of one team, which is any thread's. */
void __kmpc_dist_for_static_init_8(struct ident *, int32_t gtid, int32_t schedule, int32_t *last,
    int64_t *lower, int64_t *upper, int64_t *team_upper, int64_t *stride, int64_t, int64_t chunk);
void __kmpc_team_static_init_4u(struct ident *, int32_t gtid, int32_t *last, uint32_t *lower,
    uint32_t *upper, int32_t *stride, int32_t increment, int32_t chunk);

static void composite(int32_t *gtid, int32_t *number, void *data)
{
	int64_t lower = 10, upper = 99, team_upper = 0, stride = 0;
	int32_t last = 0;

	(void)number;
	__kmpc_dist_for_static_init_8(
	    &here, *gtid, CHUNKED, &last, &lower, &upper, &team_upper, &stride, 1, 7);
	CHECK_EQUAL(team_upper, 99);
	for (; lower <= team_upper; lower += stride, upper += stride) {
		for (int64_t i = lower; i <= upper && i <= team_upper; i++)
			count(&((int *)data)[i - 10]);
	}
	__kmpc_for_static_fini(&here, *gtid);
}

static void chunks_of_teams(int32_t *gtid, int32_t *number, void *data)
{
	uint32_t lower = 5, upper = 24;
	int32_t last = 0, stride = 0, found = 0;

	(void)number;
	__kmpc_team_static_init_4u(&here, *gtid, &last, &lower, &upper, &stride, 1, 6);
	CHECK_EQUAL(last, 1);
	for (; lower <= 24; lower += (uint32_t)stride, upper += (uint32_t)stride) {
		CHECK(upper - lower == 5 || lower == 23);
		found += (int)((upper < 24 ? upper : 24) - lower) + 1;
	}
	CHECK_EQUAL(found, 20);
	count(data);
}

int main(void)
{
	int threads = 0, teams = 0, marks[90] = {0};

	loops_4();
	loops_4u();
	loops_8();
	loops_8u();
	parts_follow();
	fork_threads(0, no_iterations, &threads);
	fork_threads(0, composite, marks);
	CHECK_ALL(marks, 90, 1);
	fork_threads(0, chunks_of_teams, &teams);
	CHECK_EQUAL(teams, threads);
	return check_result();
}
