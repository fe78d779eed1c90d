/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path through hand-written segments: what archives hardly have. */
#include "path.h"

#include <stdio.h>

static int failures;

static void expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "FAIL: %s\n", what);
	failures++;
}

struct sums {
	uint64_t total, of[2], idle, waited;
	unsigned jumps, steps;
};

static void add(void *context, const struct path_step *step)
{
	struct sums *sums = context;

	sums->total += step->to - step->from;
	sums->of[step->thread] += step->to - step->from;
	if (step->activity == ACTIVITY_NONE)
		sums->idle += step->to - step->from;
	sums->waited += step->waited;
	sums->jumps += step->ended_by != PATH_NONE;
	sums->steps++;
}

struct ends {
	uint64_t count, last, late;
	bool is_ordered;
};

static void add_end(void *context, const struct path_segment *wait, const struct path_cause *cause)
{
	struct ends *ends = context;

	ends->count++;
	ends->late += wait->to - cause->at;
	ends->is_ordered &= wait->to > ends->last;
	ends->last = wait->to;
}

static struct ends find_ends(const struct path *path, uint32_t thread)
{
	struct ends ends = {.is_ordered = true};

	path_for_each_end(path, thread, add_end, &ends);
	return ends;
}

static struct sums walk(const struct path *path, uint64_t end)
{
	struct sums sums = {0};

	path_walk(path, 0, 10, end, add, &sums);
	return sums;
}

/* Thread 0 works up to 20 and waits up to 50; thread 1 works. `at` is when it ends that wait. */
static struct sums walk_wait(uint64_t at)
{
	struct path *path = path_new(2, 0);
	struct sums sums;

	path_add(path, 0, ACTIVITY_WORK, 1, 20);
	path_add(path, 0, ACTIVITY_LOCK, 2, 50);
	path_add(path, 1, ACTIVITY_WORK, 1, 60);
	path_end_wait(path, 0, ACTIVITY_LOCK, 50, path_new_cause(path, 1, at, PATH_NONE));
	sums = walk(path, 50);
	path_free(path);
	return sums;
}

static void test_waits(void)
{
	struct sums sums = walk_wait(45);

	expect(sums.total == 40 && sums.of[1] == 35 && sums.waited == 25, "a wait is cut");
	sums = walk_wait(20);
	expect(sums.total == 40 && sums.of[1] == 0 && sums.jumps == 0, "the lock was not held");
	sums = walk_wait(51);
	expect(sums.total == 40 && sums.jumps == 0, "a cause after its effect");
	sums = walk_wait(50);
	expect(sums.total == 40 && sums.of[1] == 40 && sums.waited == 30, "at the same time");
}

/* Two threads that wait for each other, up to the same time. */
static void test_circle(void)
{
	struct path *path = path_new(2, 0);
	struct sums sums;

	for (uint32_t i = 0; i < 2; i++) {
		path_add(path, i, ACTIVITY_LOCK, 2, 50);
		path_end_wait(
		    path, i, ACTIVITY_LOCK, 50, path_new_cause(path, 1 - i, 50, PATH_NONE));
	}
	sums = walk(path, 50);
	expect(sums.total == 40 && sums.steps < 6, "a circle ends");
	path_free(path);
}

static void test_bounds(void)
{
	struct path *path = path_new(2, 0);
	struct sums sums;

	for (uint64_t i = 0; i < 100; i++)
		path_add(path, 0, ACTIVITY_WORK, 1, 20 + i);
	expect(path->lanes[0].count == 1, "the same again takes no room");
	path_add(path, 0, ACTIVITY_BARRIER, 1, 150);
	sums = walk(path, 160);
	expect(sums.total == 150 && sums.idle == 10, "after the thread's last event");
	expect(path_new_cause(path, 1, 130, PATH_NONE) == 0, "a cause");
	expect(path_cause(path, 1) == NULL && path_cause(path, PATH_NONE) == NULL, "no cause");
	path_free(path);
}

enum { TURNS = 200000 }; /* more than a block of packed segments, and of packed causes */

/*
 * In turn i a thread waits from 100 i + 10 to 100 i + 70 for what the other one does at 100 i + 60,
 * which is only said later by so many turns.
 */
static void test_many(uint32_t late)
{
	struct path *path = path_new(2, 0);
	struct sums sums;

	for (uint32_t i = 0; i < TURNS + late; i++) {
		uint64_t begin = 100 * (uint64_t)i;
		uint32_t waiting = i % 2, other = 1 - i % 2;

		if (i < TURNS) {
			uint32_t cause = path_new_cause(path, PATH_NONE, 0, PATH_NONE);

			path_add(path, waiting, ACTIVITY_WORK, i % 5, begin + 10);
			path_add(path, waiting, ACTIVITY_LOCK, 2, begin + 70);
			path_end_wait(path, waiting, ACTIVITY_LOCK, begin + 70, cause);
			path_add(path, other, ACTIVITY_WORK, PATH_NONE, begin + 99);
		}
		if (i >= late) {
			path_cause(path, i - late)->thread = 1 - (i - late) % 2;
			path_cause(path, i - late)->at = 100 * (uint64_t)(i - late) + 60;
		}
	}
	sums = walk(path, 100 * (uint64_t)(TURNS - 1) + 99);
	/* From the last turn's other thread: each turn has one of them wait, then work for both. */
	expect(sums.total == 100 * (uint64_t)(TURNS - 1) + 89, "no gap and no overlap");
	expect(sums.jumps == TURNS - 1, "each wait but the last is cut");
	expect(sums.waited == 50 * (uint64_t)(TURNS - 1) + 0, "for as long as it was one");
	for (uint32_t i = 0; i < 2; i++) {
		struct ends ends = find_ends(path, i);

		expect(ends.count == TURNS / 2 && ends.is_ordered, "each wait has an end");
		expect(ends.late == 10 * ends.count, "which came after what ended it");
	}
	path_free(path);
}

int main(void)
{
	test_waits();
	test_circle();
	test_bounds();
	test_many(0);
	test_many(100000);
	return failures > 0;
}
