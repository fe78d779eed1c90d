/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A path whose threads were read in parts leads along the same steps as one that was read as a
 * whole, and so does one of which two processes have some threads each, with what ended waits
 * across processes said at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"

static int failures;

static void expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "FAIL: %s\n", what);
	failures++;
}

/* Two processes of two threads each; thread 2 p + 1 waits for thread 2 p, which waits for the
 * other. */
enum { THREADS = 4, TURNS = 30000, TURN = 100, STEPS_MOST = 8 * TURNS };

struct steps {
	struct path_step list[STEPS_MOST];
	size_t count;
};

static void add_step(void *context, const struct path_step *step)
{
	struct steps *steps = context;

	if (steps->count < STEPS_MOST)
		steps->list[steps->count++] = *step;
}

static unsigned some(uint64_t seed, unsigned below)
{
	return (unsigned)((seed * 2654435761U >> 7) % below);
}

/* What thread 2 p + 1 does in a turn, and then what thread 2 p does. */
static void add_turn(struct path *path, uint32_t process, uint64_t turn)
{
	uint32_t main = 2 * process, other = main + 1;
	uint64_t begin = TURN * turn, met = begin + 40 + some(turn + process, 20);
	uint32_t cause = path_new_cause(path, PATH_NONE, 0, PATH_NONE);

	path_add(path, other, ACTIVITY_WORK, turn % 5, begin + 10 + some(turn, 10));
	path_add(path, other, ACTIVITY_BARRIER, 1, met);
	path_end_wait(path, other, ACTIVITY_BARRIER, met, cause);
	path_add(path, main, ACTIVITY_WORK, turn % 3, met - 2);
	*path_cause(path, cause) = (struct path_cause){
	    .at = met - 2, .thread = turn % 11 ? main : other, .construct = PATH_NONE};
	path_add(path, main, ACTIVITY_BARRIER, 1, met);
	path_end_wait(path, main, ACTIVITY_BARRIER, met,
	    path_new_cause(path, turn % 4 ? PATH_NONE : other, begin + 30, PATH_NONE));
	path_add(path, main, ACTIVITY_MPI, 7, begin + 95);
	expect(path_end_wait(path, main, ACTIVITY_MPI, begin + 95, PATH_REMOTE), "it ended so");
	expect(!path_end_wait(path, main, ACTIVITY_MPI, begin + 95, PATH_REMOTE), "but once");
}

/* In most turns the other process's first thread ends the wait in MPI, or its second. */
static struct remote_end end_of(uint32_t process, uint64_t turn)
{
	return (struct remote_end){TURN * turn + 95, TURN * turn + 60 + some(turn, 30),
	    turn % 5 == process ? PATH_NONE : 2 * (1 - process) + (turn % 13 == 0)};
}

static void add_ends(struct path *path)
{
	for (uint64_t turn = 0; turn < TURNS; turn++) {
		for (uint32_t process = 0; process < 2; process++) {
			struct remote_end end = end_of(process, turn);

			remote_ends_add(path->remote, 2 * process, &end);
		}
	}
	remote_ends_finish(path->remote);
}

/* All threads in the order of time. */
static struct path *make_whole(void)
{
	struct path *path = path_new(THREADS, 0);

	for (uint64_t turn = 0; turn < TURNS; turn++) {
		add_turn(path, 0, turn);
		add_turn(path, 1, turn);
	}
	add_ends(path);
	return path;
}

static void read_process(struct path *part, uint32_t process)
{
	for (uint64_t turn = 0; turn < TURNS; turn++)
		add_turn(part, process, turn);
	path_close_thread(part, 2 * process);
	path_close_thread(part, 2 * process + 1);
}

/* Each process in a part, which has read another process before. */
static struct path *make_parts(bool one_part)
{
	struct path *path = path_new(THREADS, 0);
	struct path *first = path_new_part(path, 2), *second = path_new_part(path, 2);

	read_process(first, 1);
	read_process(one_part ? first : second, 0);
	path_join(path, first);
	path_join(path, second);
	add_ends(path);
	return path;
}

static void walk(const struct path *path, struct steps *steps)
{
	steps->count = 0;
	path_walk(path, 0, 7, TURN * TURNS, add_step, steps);
}

static bool are_same(const struct steps *one, const struct steps *other)
{
	bool same = one->count == other->count;

	for (size_t i = 0; same && i < one->count; i++) {
		const struct path_step *a = &one->list[i], *b = &other->list[i];

		same = a->from == b->from && a->to == b->to && a->thread == b->thread &&
		       a->construct == b->construct && a->activity == b->activity &&
		       a->ended_by == b->ended_by && a->waited == b->waited;
	}
	return same;
}

struct ends {
	size_t count;
	uint64_t sum;
};

static void add_end(void *context, const struct path_segment *wait, const struct path_cause *cause)
{
	struct ends *ends = context;

	ends->count++;
	ends->sum = ends->sum * 31 + wait->to * 7 + cause->at + cause->thread;
}

static void test_parts(const struct steps *wanted, const struct path *whole)
{
	static struct steps steps;

	for (int one_part = 0; one_part < 2; one_part++) {
		struct path *path = make_parts(one_part);

		walk(path, &steps);
		expect(are_same(&steps, wanted), "parts have the steps of the whole");
		for (uint32_t thread = 0; thread < THREADS; thread++) {
			struct ends found = {0}, expected = {0};

			expect(!path->lanes[thread].segments, "what is closed is packed");
			path_for_each_end(path, thread, add_end, &found);
			path_for_each_end(whole, thread, add_end, &expected);
			expect(found.count == expected.count && found.sum == expected.sum &&
				   found.count > TURNS / 5,
			    "and its ends");
		}
		path_free(path);
	}
}

/* The part of one of two processes of the report. */
static struct path *make_share(uint32_t process)
{
	struct path *path = path_new(THREADS, 0);
	struct path *part = path_new_part(path, 1);

	path->elsewhere = calloc(THREADS, sizeof(path->elsewhere[0]));
	for (uint32_t thread = 0; thread < THREADS; thread++)
		path->elsewhere[thread] = thread / 2 != process;
	read_process(part, process);
	path_join(path, part);
	add_ends(path);
	return path;
}

static void test_shares(const struct steps *wanted)
{
	static struct steps steps;
	struct path *paths[2] = {make_share(0), make_share(1)};
	struct path_walker *walkers[2] = {path_walker_new(paths[0]), path_walker_new(paths[1])};
	struct path_position position = {.time = TURN * TURNS};
	size_t legs = 0;

	while (position.time > 7) {
		path_walker_go(walkers[position.thread / 2], &position, 7, add_step, &steps);
		legs++;
	}
	expect(are_same(&steps, wanted), "two processes find the steps of one");
	expect(legs > TURNS / 4, "in turns");
	for (size_t i = 0; i < 2; i++) {
		path_walker_free(walkers[i]);
		path_free(paths[i]);
	}
}

/* Two threads, each with another process, end each other's wait at the same time. */
static void test_circle(void)
{
	struct path *paths[2];
	struct path_walker *walkers[2];
	struct path_position position = {.time = 50};
	struct steps *steps = calloc(1, sizeof(*steps));

	for (uint32_t i = 0; i < 2; i++) {
		paths[i] = path_new(2, 0);
		paths[i]->elsewhere = calloc(2, sizeof(paths[i]->elsewhere[0]));
		paths[i]->elsewhere[1 - i] = true;
		path_add(paths[i], i, ACTIVITY_MPI, 2, 50);
		path_end_wait(paths[i], i, ACTIVITY_MPI, 50, PATH_REMOTE);
		remote_ends_add(paths[i]->remote, i, &(struct remote_end){50, 50, 1 - i});
		walkers[i] = path_walker_new(paths[i]);
	}
	for (size_t legs = 0; position.time > 10 && legs < 100; legs++)
		path_walker_go(walkers[position.thread], &position, 10, add_step, steps);
	expect(position.time == 10 && steps->count < 6, "a circle of processes ends");
	for (size_t i = 0; i < 2; i++) {
		path_walker_free(walkers[i]);
		path_free(paths[i]);
	}
	free(steps);
}

/* Threads of all lengths around that of a piece can be closed. */
static void test_lengths(void)
{
	static struct steps steps;

	for (uint64_t length = 0; length < 2 * PATH_SEGMENTS + 3; length++) {
		struct path *path = path_new(1, 0);

		for (uint64_t i = 0; i < length; i++)
			path_add(path, 0, ACTIVITY_WORK, (uint32_t)i, 10 * i + 10);
		path_close_thread(path, 0);
		steps.count = 0;
		path_walk(path, 0, 0, 10 * length + 5, add_step, &steps);
		expect(steps.count == length + 1, "a closed thread has all segments");
		path_free(path);
	}
}

int main(void)
{
	static struct steps wanted;
	struct path *whole = make_whole();

	walk(whole, &wanted);
	expect(wanted.count > 3 * TURNS && wanted.count < STEPS_MOST, "a path of many steps");
	test_parts(&wanted, whole);
	test_shares(&wanted);
	test_circle();
	test_lengths();
	path_free(whole);
	return failures > 0;
}
