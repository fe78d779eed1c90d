/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doacross loops whose ranges come before their schedule: with upper bounds that are included, as
 * the interface has it, and with those of clang, which are one step behind; by values with steps of
 * both signs; with iterations named that the loop does not have, and left by cancellation.
 */
#include "kmp-calls.h"

enum { STATIC_CHUNKED = 33, STATIC = 34, DYNAMIC = 35, GUIDED = 36, CANCEL_LOOP = 2 };
enum { ROWS = 12, COLUMNS = 17, ROUNDS = 15 };

struct range {
	int64_t lower, upper, step;
};

void __kmpc_doacross_init(struct ident *, int32_t gtid, int32_t dimensions, const struct range *);
void __kmpc_doacross_post(struct ident *, int32_t gtid, const int64_t *iteration);
void __kmpc_doacross_wait(struct ident *, int32_t gtid, const int64_t *iteration);
void __kmpc_doacross_fini(struct ident *, int32_t gtid);
void __kmpc_for_static_init_8(struct ident *, int32_t gtid, int32_t schedule, int32_t *last,
    int64_t *lower, int64_t *upper, int64_t *stride, int64_t increment, int64_t chunk);
void __kmpc_for_static_fini(struct ident *, int32_t gtid);
void __kmpc_dispatch_init_8(struct ident *, int32_t gtid, int32_t schedule, int64_t lower,
    int64_t upper, int64_t step, int64_t chunk);
int32_t __kmpc_dispatch_next_8(
    struct ident *, int32_t gtid, int32_t *last, int64_t *lower, int64_t *upper, int64_t *stride);
int32_t __kmpc_cancel(struct ident *, int32_t gtid, int32_t kind);
int32_t __kmpc_cancellationpoint(struct ident *, int32_t gtid, int32_t kind);
int32_t __kmpc_cancel_barrier(struct ident *, int32_t gtid);

struct loop {
	int schedule, collapsed; /* dimensions that are divided as one */
	struct range ranges[2];
	long grid[ROWS][COLUMNS];
};

/* How many ways lead to a cell, from above, from the right above and from the left. */
static long ways(struct loop *loop, int row, int column)
{
	long sum = row == 0 || column == 0;

	if (row > 0)
		sum += loop->grid[row - 1][column];
	if (row > 0 && column + 1 < COLUMNS)
		sum += loop->grid[row - 1][column + 1];
	if (column > 0)
		sum += loop->grid[row][column - 1];
	return sum;
}

static void await(const struct loop *loop, int32_t gtid, int row, int column)
{
	int64_t iteration[2] = {loop->ranges[0].lower + row * loop->ranges[0].step,
	    loop->ranges[1].lower + column * loop->ranges[1].step};

	__kmpc_doacross_wait(&here, gtid, iteration);
}

static void cell(struct loop *loop, int32_t gtid, int row, int column)
{
	int64_t iteration[2] = {loop->ranges[0].lower + row * loop->ranges[0].step,
	    loop->ranges[1].lower + column * loop->ranges[1].step};

	await(loop, gtid, row - 1, column);
	await(loop, gtid, row - 1, column + 1);
	await(loop, gtid, row, column - 1);
	loop->grid[row][column] = ways(loop, row, column);
	__kmpc_doacross_post(&here, gtid, iteration);
}

static void rows(struct loop *loop, int32_t gtid, int64_t first, int64_t last)
{
	for (int64_t i = first; i <= last; i++) {
		if (loop->collapsed == 2) {
			cell(loop, gtid, (int)i / COLUMNS, (int)i % COLUMNS);
			continue;
		}
		for (int column = 0; column < COLUMNS; column++)
			cell(loop, gtid, (int)i, column);
	}
}

/* Without a barrier after it: the next loop has other posts. */
static void member(int32_t *gtid, int32_t *number, void *data)
{
	(void)number;
	for (int round = 0; round < ROUNDS; round++) {
		struct loop *loop = (struct loop *)data + round;
		int64_t lower = 0, upper = (loop->collapsed == 2 ? ROWS * COLUMNS : ROWS) - 1;
		int64_t end = upper, stride;
		int32_t last = 0;
		__kmpc_doacross_init(&here, *gtid, 2, loop->ranges);
		if (loop->schedule < DYNAMIC) {
			__kmpc_for_static_init_8(
			    &here, *gtid, loop->schedule, &last, &lower, &upper, &stride, 1, 2);
			for (; lower <= end; lower += stride, upper += stride)
				rows(loop, *gtid, lower, upper < end ? upper : end);
			__kmpc_for_static_fini(&here, *gtid);
		} else {
			__kmpc_dispatch_init_8(&here, *gtid, loop->schedule, lower, upper, 1, 2);
			while (__kmpc_dispatch_next_8(&here, *gtid, &last, &lower, &upper, &stride))
				rows(loop, *gtid, lower, upper);
		}
		__kmpc_doacross_fini(&here, *gtid);
	}
}

/* excess: how many steps the upper bounds are too far. */
static void check(int schedule, int collapsed, int64_t excess)
{
	static struct loop loops[ROUNDS], expected;

	memset(loops, 0, sizeof(loops));
	for (int row = 0; row < ROWS; row++) {
		for (int column = 0; column < COLUMNS; column++)
			expected.grid[row][column] = ways(&expected, row, column);
	}
	for (int i = 0; i < ROUNDS; i++) {
		int64_t step = excess != 0 ? 1 : i % 2 ? -3 : 2, first = excess != 0 ? 0 : i - 7;
		loops[i] = (struct loop){schedule, collapsed,
		    {{first, first + (ROWS - 1 + excess) * step, step},
			{-first, -first - (COLUMNS - 1 + excess) * -step, step}},
		    {{0}}};
	}
	fork_threads(0, member, loops);
	for (int i = 0; i < ROUNDS; i++)
		CHECK(memcmp(loops[i].grid, expected.grid, sizeof(expected.grid)) == 0);
}

/* The posts of a cancelled loop are freed after it. */
static void cancelled(int32_t *gtid, int32_t *number, void *data)
{
	static const struct range range = {0, 100, 1};

	(void)number;
	for (int round = 0; round < 3 * ROUNDS; round++) {
		int64_t lower, upper, stride;
		int32_t last = 0;
		bool left = false;
		__kmpc_doacross_init(&here, *gtid, 1, &range);
		__kmpc_dispatch_init_8(&here, *gtid, DYNAMIC, 0, 99, 1, 1);
		while (
		    !left && __kmpc_dispatch_next_8(&here, *gtid, &last, &lower, &upper, &stride)) {
			for (int64_t i = lower; i <= upper && !left; i++) {
				int64_t before = i - 1;
				__kmpc_doacross_wait(&here, *gtid, &before);
				count(data);
				__kmpc_doacross_post(&here, *gtid, &i);
				left = (i == 20 && __kmpc_cancel(&here, *gtid, CANCEL_LOOP)) ||
				       __kmpc_cancellationpoint(&here, *gtid, CANCEL_LOOP);
			}
		}
		CHECK_EQUAL(__kmpc_cancel_barrier(&here, *gtid), 0);
	}
}

int main(int arguments_count, char **arguments)
{
	static const int schedules[] = {STATIC_CHUNKED, STATIC, DYNAMIC, GUIDED};
	int begun = 0;

	(void)arguments_count;
	for (int i = 0; i < 4; i++) {
		for (int collapsed = 1; collapsed <= 2; collapsed++) {
			check(schedules[i], collapsed, 0);
			check(schedules[i], collapsed, 1);
		}
	}
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	fork_threads(0, cancelled, &begun);
	CHECK(begun >= 21 * 3 * ROUNDS && begun < 90 * 3 * ROUNDS);
	return check_result();
}
