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

static struct sums walk(const struct path *path, uint64_t end)
{
	struct sums sums = {0};

	path_walk(path, 0, 10, end, add, &sums);
	return sums;
}

/* Thread 0 works up to 20 and waits up to 50; thread 1 works. `at` is when it ends that wait. */
static struct sums walk_wait(uint64_t at)
{
	struct path *path = path_new(2, 100);
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
	struct path *path = path_new(2, 100);
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
	struct path *path = path_new(2, 3);
	struct sums sums;

	for (uint64_t i = 0; i < 100; i++)
		path_add(path, 0, ACTIVITY_WORK, 1, 20 + i);
	expect(path->kept == 1 && !path->full, "the same again takes no room");
	path_add(path, 0, ACTIVITY_BARRIER, 1, 150);
	sums = walk(path, 160);
	expect(sums.total == 150 && sums.idle == 10, "after the thread's last event");
	expect(path_new_cause(path, 1, 130, PATH_NONE) == 0, "a cause");
	expect(path_new_cause(path, 1, 130, PATH_NONE) == PATH_NONE && path->full, "no room");
	path_add(path, 0, ACTIVITY_WORK, 1, 170);
	path_end_wait(path, 0, ACTIVITY_WORK, 170, 0);
	sums = walk(path, 160);
	expect(sums.total == 150 && sums.idle == 150, "nothing is known when there was no room");
	path_free(path);
}

int main(void)
{
	test_waits();
	test_circle();
	test_bounds();
	return failures > 0;
}
