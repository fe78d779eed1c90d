/* SPDX-License-Identifier: BSD-3-Clause */
/* The extensions on a target of which everything is known: what they return, and bad input. */
#include "ompd-extensions.h"

#include <stdio.h>

#include "calls.h"
#include "fake-image.h"

enum { ALL_STATES = ~0, ROOM = 16 };

static const ompdx_task_t *find(const ompdx_task_t *rows, ompd_size_t count, uint64_t task)
{
	for (ompd_size_t i = 0; i < count; i++)
		if (rows[i].task == task)
			return &rows[i];
	fail("no task at %llx", (unsigned long long)task);
	return &rows[0];
}

static void test_task_list(const struct scene *scene)
{
	const struct fake_target *target = scene->target;
	ompdx_task_t rows[ROOM];
	const ompdx_task_t *row;
	ompd_size_t count = 0;

	EXPECT(ompdx_get_tasks(scene->space, ALL_STATES, 1, rows, ROOM, &count) == ompd_rc_ok);
	EXPECT(count == 8); /* three implicit, one running, four in the slab */
	row = find(rows, count, target->explicit_task);
	EXPECT(row->state == ompdx_task_running && row->thread == MAIN_ID + 100);
	EXPECT(row->generating == target->implicit[0] && row->region == target->team);
	EXPECT(row->function == TASK_FUNCTION && row->level == 1 && row->flags == ompdx_task_final);
	row = find(rows, count, target->implicit[0]);
	EXPECT(row->state == ompdx_task_suspended && row->above == 1 && row->number == 0);
	EXPECT(row->flags == ompdx_task_implicit && row->function == REGION_FUNCTION);
	row = find(rows, count, target->implicit[1]);
	EXPECT(
	    row->state == ompdx_task_running && row->thread == MAIN_ID + 101 && row->number == 1);
	row = find(rows, count, target->initial_task);
	EXPECT(row->state == ompdx_task_suspended && row->above == 2 && row->function == 0);
	row = find(rows, count, target->ready);
	EXPECT(row->state == ompdx_task_ready && row->thread == 0);
	EXPECT(row->function == QUEUED_FUNCTION && row->generating == target->implicit[0]);
	EXPECT(row->creator == REGION_FUNCTION && row->site == QUEUED_SITE);
	EXPECT(row->count == 1);
	row = find(rows, count, target->range);
	EXPECT(row->state == ompdx_task_ready && row->count == 7);
	EXPECT(row->function == QUEUED_FUNCTION && row->generating == target->implicit[0]);
	row = find(rows, count, target->blocked);
	EXPECT(row->state == ompdx_task_blocked && row->blockers == 1 && row->site == 0);
	row = find(rows, count, target->detached);
	EXPECT(row->state == ompdx_task_detached && row->flags == ompdx_task_detachable);
}

static const ompdx_thread_t *find_thread(
    const ompdx_thread_t *rows, ompd_size_t count, uint64_t thread)
{
	for (ompd_size_t i = 0; i < count; i++)
		if (rows[i].thread == thread)
			return &rows[i];
	fail("no thread %llu", (unsigned long long)thread);
	return &rows[0];
}

/* Then number 1's record of its team is damaged, which leaves the others as they are. */
static void test_threads(struct scene *scene)
{
	struct fake_target *target = scene->target;
	ompdx_thread_t rows[ROOM];
	const ompdx_thread_t *row;
	ompd_size_t count = 0;

	EXPECT(ompdx_get_threads(scene->space, rows, ROOM, &count) == ompd_rc_ok && count == 3);
	row = find_thread(rows, count, MAIN_ID + 100);
	EXPECT(row->state == ompt_state_work_parallel && row->object == 0 && row->problem == 0);
	EXPECT(row->region == target->team && row->function == REGION_FUNCTION);
	EXPECT(row->level == 1 && row->number == 0 && row->size == 2);
	EXPECT(row->task == target->explicit_task);
	row = find_thread(rows, count, MAIN_ID + 101);
	EXPECT(row->state == ompt_state_wait_lock && row->object == target->lock);
	EXPECT(row->region == target->team && row->number == 1);
	row = find_thread(rows, count, MAIN_ID + 102);
	EXPECT(row->state == ompt_state_idle && row->region == 0 && row->task == 0);
	rows[1].thread = 7;
	EXPECT(ompdx_get_threads(scene->space, rows, 1, &count) == ompd_rc_ok && count == 3);
	EXPECT(rows[1].thread == 7);
	fake_put(target, target->worker, "rt_thread.team", 3);
	EXPECT(ompdx_get_threads(scene->space, rows, ROOM, &count) == ompd_rc_ok && count == 3);
	row = find_thread(rows, count, MAIN_ID + 101);
	EXPECT(row->problem == ompd_rc_error && row->state == 0 && row->region == 0);
	EXPECT(find_thread(rows, count, MAIN_ID + 100)->region == target->team);
	fake_put(target, target->worker, "rt_thread.team", target->team);
}

/* Less is asked for, or there is less room than tasks. */
static void test_choice(const struct scene *scene)
{
	ompdx_task_t rows[ROOM] = {{.task = 1}, {.task = 2}};
	ompd_size_t count = 0;
	uint32_t blocked = 1u << ompdx_task_blocked;

	EXPECT(ompdx_get_tasks(scene->space, blocked, 0, rows, ROOM, &count) == ompd_rc_ok);
	EXPECT(count == 1 && rows[0].task == scene->target->blocked && rows[1].task == 2);
	EXPECT(ompdx_get_tasks(scene->space, ALL_STATES, 0, rows, 1, &count) == ompd_rc_ok);
	EXPECT(count == 5 && rows[1].task == 2);
	EXPECT(ompdx_get_tasks(scene->space, ALL_STATES, 0, NULL, 0, &count) == ompd_rc_ok);
	EXPECT(count == 5);
}

static void test_groups(const struct scene *scene)
{
	ompdx_task_group_t groups[2];
	ompd_size_t count = 0;
	int queued;

	EXPECT(ompdx_get_task_groups(scene->space, groups, 2, &count) == ompd_rc_ok && count == 2);
	queued = groups[1].function == QUEUED_FUNCTION;
	EXPECT(groups[queued].function == QUEUED_FUNCTION);
	EXPECT(groups[queued].count[ompdx_task_ready] == 8);
	EXPECT(groups[queued].count[ompdx_task_blocked] == 1);
	EXPECT(groups[queued].count[ompdx_task_detached] == 1);
	EXPECT(groups[queued].count[ompdx_task_running] == 0);
	EXPECT(groups[!queued].count[ompdx_task_running] == 1);
}

static void test_dependences(const struct scene *scene)
{
	ompdx_dependence_t rows[2];
	ompd_size_t count = 0;

	EXPECT(ompdx_get_dependences(scene->space, rows, 2, &count) == ompd_rc_ok && count == 1);
	EXPECT(rows[0].task == scene->target->blocked);
	EXPECT(rows[0].waits_for == scene->target->explicit_task);
}

static void test_bad_input(const struct scene *scene)
{
	ompdx_task_t row;
	ompdx_task_group_t group;
	ompdx_thread_t thread;
	ompdx_dependence_t dependence;
	ompd_size_t count = 7;
	ompd_address_space_handle_t *stale = (ompd_address_space_handle_t *)scene->region;

	EXPECT(ompdx_get_tasks(NULL, 1, 1, &row, 1, &count) == ompd_rc_stale_handle);
	EXPECT(ompdx_get_tasks(stale, 1, 1, &row, 1, &count) == ompd_rc_stale_handle);
	EXPECT(ompdx_get_tasks(scene->space, 1, 1, NULL, 1, &count) == ompd_rc_bad_input);
	EXPECT(ompdx_get_tasks(scene->space, 1, 1, &row, 1, NULL) == ompd_rc_bad_input);
	EXPECT(ompdx_get_threads(NULL, &thread, 1, &count) == ompd_rc_stale_handle);
	EXPECT(ompdx_get_threads(scene->space, NULL, 1, &count) == ompd_rc_bad_input);
	EXPECT(ompdx_get_threads(scene->space, &thread, 1, NULL) == ompd_rc_bad_input);
	EXPECT(ompdx_get_task_groups(NULL, &group, 1, &count) == ompd_rc_stale_handle);
	EXPECT(ompdx_get_task_groups(scene->space, NULL, 1, &count) == ompd_rc_bad_input);
	EXPECT(ompdx_get_task_groups(scene->space, &group, 1, NULL) == ompd_rc_bad_input);
	EXPECT(ompdx_get_dependences(NULL, &dependence, 1, &count) == ompd_rc_stale_handle);
	EXPECT(ompdx_get_dependences(scene->space, NULL, 1, &count) == ompd_rc_bad_input);
	EXPECT(ompdx_get_dependences(scene->space, &dependence, 1, NULL) == ompd_rc_bad_input);
	EXPECT(ompdx_get_waits(NULL, 0, NULL, NULL, 0, &count, NULL, 0, &count) ==
	       ompd_rc_stale_handle);
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, NULL, 1, &count, NULL, 0, &count) ==
	       ompd_rc_bad_input);
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, NULL, 0, &count, NULL, 1, &count) ==
	       ompd_rc_bad_input);
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, NULL, 0, &count, NULL, 0, NULL) ==
	       ompd_rc_bad_input);
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, NULL, 0, NULL, NULL, 0, &count) ==
	       ompd_rc_bad_input);
	EXPECT(ompdx_get_waits(scene->space, 0, &(ompdx_observed_t){.jumped_count = 1}, NULL, 0,
		   &count, NULL, 0, &count) == ompd_rc_bad_input);
	EXPECT(ompdx_get_waits(scene->space, 0, &(ompdx_observed_t){.acting_count = 1}, NULL, 0,
		   &count, NULL, 0, &count) == ompd_rc_bad_input);
	EXPECT(ompdx_get_waits(scene->space, OMPDX_WITH_BLOCKED,
		   &(ompdx_observed_t){.blocked_count = 1}, NULL, 0, &count, NULL, 0,
		   &count) == ompd_rc_bad_input);
	EXPECT(ompdx_get_waits(scene->space, OMPDX_WITH_BLOCKED, NULL, NULL, 0, &count, NULL, 0,
		   &count) == ompd_rc_bad_input);
	EXPECT(count == 7);
}

/*
 * Number 1 waits for the lock, which number 0 holds: it executes. When it waits for number 1's lock
 * in turn, both are stuck; when that word is free meanwhile, neither is.
 */
static void test_waits(struct scene *scene)
{
	struct fake_target *target = scene->target;
	ompdx_wait_t rows[4];
	ompdx_need_t needs[4];
	ompd_size_t count = 0, need_count = 0;
	int first;

	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 1 && need_count == 1 && rows[0].thread == MAIN_ID + 101);
	EXPECT(rows[0].task == target->implicit[1] && rows[0].region == target->team);
	EXPECT(rows[0].object == target->lock && rows[0].state == ompt_state_wait_lock);
	EXPECT(rows[0].need_count == 1 && needs[rows[0].first_need].id == MAIN_ID + 100);
	EXPECT(needs[0].thread == MAIN_ID + 100 && needs[0].function == 0);
	EXPECT(needs[0].kind == ompdx_need_thread && !rows[0].is_stuck && !rows[0].is_over);
	fake_wait(target, target->main_thread, target->explicit_task, target->door);
	fake_put(target, target->door, "rt_mutex.state", (MAIN_ID + 101) << 2 | 3);
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 2 && need_count == 2 && rows[0].is_stuck && rows[1].is_stuck);
	first = rows[1].thread == MAIN_ID + 100;
	EXPECT(rows[first].object == target->door &&
	       needs[rows[first].first_need].id == MAIN_ID + 101);
	/* A signal handler of either may release what the other waits for. */
	for (ompd_thread_id_t i = 0; i < 3; i++) {
		ompd_thread_id_t acting = MAIN_ID + 100 + i;
		ompdx_observed_t observed = {.acting = &acting, .acting_count = 1};
		EXPECT(ompdx_get_waits(scene->space, 0, &observed, rows, 4, &count, needs, 4,
			   &need_count) == ompd_rc_ok);
		EXPECT(count == 2 && rows[0].is_stuck == (i == 2) && rows[1].is_stuck == (i == 2));
	}
	/* Taken while the process had one thread, for which the number 1 stands. */
	fake_put(target, target->door, "rt_mutex.state", 1 << 2 | 1);
	fake_put(target, target->list, "rt_thread_list.loader", MAIN_ID + 101);
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 2 && rows[first].is_stuck);
	EXPECT(needs[rows[first].first_need].id == MAIN_ID + 101);
	/* What no lock has: a number that the kernel does not give, or no mark of a holder. */
	for (int i = 0; i < 2; i++) {
		fake_put(target, target->door, "rt_mutex.state", i == 0 ? 0x01010101 : 0x2a2a);
		EXPECT(ompdx_get_waits(scene->space, OMPDX_ALL_THREADS_KNOWN, NULL, rows, 4, &count,
			   needs, 4, &need_count) == ompd_rc_ok);
		EXPECT(count == 2 && rows[first].is_stuck);
		EXPECT(needs[rows[first].first_need].kind == ompdx_need_no_lock);
		EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4,
			   &need_count) == ompd_rc_ok);
		EXPECT(count == 2 && !rows[first].is_stuck);
	}
	fake_put(target, target->door, "rt_mutex.state", 0);
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 2 && need_count == 1 && !rows[0].is_stuck && !rows[1].is_stuck);
	EXPECT(rows[first].is_over && !rows[!first].is_over);
	fake_wait(target, target->main_thread, 0, 0);
}

/*
 * Number 0 holds the lock that number 1 waits for, and is blocked outside of OpenMP until another
 * thread acts: number 1, a thread that the runtime does not know, none, any.
 */
static void test_blocked(struct scene *scene)
{
	enum { FIRST = MAIN_ID + 100, SECOND, STRANGER = MAIN_ID + 500 };
	static const struct {
		ompd_thread_id_t by, stranger_by; /* 0: the stranger is not blocked */
		uint32_t flags;
		bool is_stuck, stranger_is_stuck;
	} cases[] = {
	    {SECOND, 0, 0, true, false},
	    {STRANGER, 0, 0, false, false},
	    {STRANGER, SECOND, 0, true, true},
	    {STRANGER, STRANGER, 0, true, true},
	    {FIRST, 0, 0, true, false},
	    {0, 0, 0, false, false},
	    {0, 0, OMPDX_ALL_THREADS_KNOWN, true, false},
	    {0, FIRST, OMPDX_ALL_THREADS_KNOWN, true, true},
	};
	ompdx_wait_t rows[4];
	ompdx_need_t needs[4];
	ompd_size_t count = 0, need_count = 0;

	fake_put(scene->target, scene->target->lock, "rt_mutex.state", FIRST << 2 | 3);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ompdx_blocked_t blocked[] = {
		    {FIRST, cases[i].by, 7, 0}, {STRANGER, cases[i].stranger_by, 7, 0}};
		ompdx_observed_t observed = {
		    .blocked = blocked, .blocked_count = cases[i].stranger_by != 0 ? 2 : 1};
		EXPECT(ompdx_get_waits(scene->space, cases[i].flags | OMPDX_WITH_BLOCKED, &observed,
			   rows, 4, &count, needs, 4, &need_count) == ompd_rc_ok);
		EXPECT(count == 1 && rows[0].thread == SECOND);
		EXPECT(rows[0].is_stuck == cases[i].is_stuck);
		EXPECT(blocked[0].is_stuck == (uint32_t)cases[i].is_stuck);
		EXPECT(cases[i].stranger_by == 0 ||
		       blocked[1].is_stuck == (uint32_t)cases[i].stranger_is_stuck);
		EXPECT(ompdx_get_waits(scene->space, cases[i].flags, &observed, rows, 4, &count,
			   needs, 4, &need_count) == ompd_rc_ok);
		EXPECT(count == 1 && !rows[0].is_stuck);
	}
}

/* Number 0 holds the lock that number 1 waits for, and has ended: that wait is stuck, and nothing
 * else. */
static void test_ended_holder(struct scene *scene)
{
	ompdx_wait_t rows[4];
	ompdx_need_t needs[4];
	ompd_size_t count = 0, need_count = 0;

	fake_reset();
	fake.ended = MAIN_ID + 100;
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 1 && need_count == 1 && rows[0].is_stuck);
	EXPECT(needs[0].kind == ompdx_need_ended && needs[0].state == 0);
	EXPECT(needs[0].id == MAIN_ID + 100 && needs[0].thread == MAIN_ID + 100);
	fake.ended = MAIN_ID + 101; /* the waiting thread has ended: there is no wait */
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 0);
	fake.ended = 0;
}

/* Number 1 waits at the team's barrier for number 0's implicit task, whose thread has ended, or
 * jumped away. */
static void test_missing_member(struct scene *scene)
{
	struct fake_target *target = scene->target;
	uint64_t note = fake_member(target->worker, "rt_thread.waiting");
	uint64_t barrier = fake_member(target->team, "rt_team.barrier");
	ompdx_wait_t rows[4];
	ompdx_need_t needs[4];
	ompd_size_t count = 0, need_count = 0;

	fake_put(target, note, "rt_waiting.state", ompt_state_wait_barrier);
	fake_put(target, note, "rt_waiting.id", barrier);
	fake_put(target, note, "rt_waiting.until", 1);
	fake_reset();
	for (int jumped = 0; jumped < 2; jumped++) {
		fake.ended = jumped ? 0 : MAIN_ID + 100;
		ompdx_observed_t observed = {
		    .jumped = &target->implicit[0], .jumped_count = (ompd_size_t)jumped};
		EXPECT(ompdx_get_waits(scene->space, 0, &observed, rows, 4, &count, needs, 4,
			   &need_count) == ompd_rc_ok);
		EXPECT(count == 1 && need_count == 1 && rows[0].is_stuck);
		EXPECT(needs[0].kind == (jumped ? ompdx_need_jumped : ompdx_need_ended));
		EXPECT(needs[0].id == target->implicit[0] && needs[0].thread == MAIN_ID + 100);
	}
	/* Number 0 has not begun the region yet: it can act, and is named. */
	fake_put(target, target->main_thread, "rt_thread.task", target->initial_task);
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 1 && need_count == 1 && !rows[0].is_stuck);
	EXPECT(needs[0].kind == ompdx_need_unknown && needs[0].thread == MAIN_ID + 100);
	fake_put(target, target->main_thread, "rt_thread.task", target->explicit_task);
	fake_put(target, note, "rt_waiting.until", 0);
	fake_wait(target, target->worker, target->implicit[1], target->lock);
}

/*
 * Number 1 waits for number 0's lock in a signal handler, which has interrupted its wait at the
 * barrier. The outer note is where the idler's was.
 */
static void test_interrupted_wait(struct scene *scene)
{
	struct fake_target *target = scene->target;
	uint64_t note = fake_member(target->worker, "rt_thread.waiting");
	uint64_t barrier = fake_member(target->team, "rt_team.barrier");
	uint64_t outer = fake_member(target->idler, "rt_thread.waiting");
	ompdx_wait_t rows[4];
	ompdx_need_t needs[4];
	ompd_size_t count = 0, need_count = 0;

	fake_put(target, outer, "rt_waiting.state", ompt_state_wait_barrier);
	fake_put(target, outer, "rt_waiting.id", barrier);
	fake_put(target, outer, "rt_waiting.until", 1);
	fake_put(target, outer, "rt_waiting.task", target->implicit[1]);
	fake_put(target, note, "rt_waiting.outer", outer);
	fake_reset();
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 2 && rows[0].task == target->implicit[1] && rows[1].task == rows[0].task);
	EXPECT(rows[0].interrupted == 0 && rows[0].object == target->lock);
	EXPECT(rows[1].interrupted == 1 && rows[1].object == barrier);
	EXPECT(!rows[0].is_stuck && !rows[1].is_stuck);
	/* Number 0 has ended at the lock: the handler is stuck, and what it interrupted is. */
	fake.ended = MAIN_ID + 100;
	EXPECT(ompdx_get_waits(scene->space, 0, NULL, rows, 4, &count, needs, 4, &need_count) ==
	       ompd_rc_ok);
	EXPECT(count == 2 && rows[0].is_stuck && rows[1].is_stuck);
	fake.ended = 0;
	fake_put(target, note, "rt_waiting.outer", 0);
	fake_put(target, outer, "rt_waiting.id", 0);
	fake_put(target, outer, "rt_waiting.until", 0);
	fake_wait(target, target->idler, 0, 0);
	fake_put(target, outer, "rt_waiting.state", ompt_state_idle);
}

/* A worker whose team is being ended is in no region, though it has seen the word that says so. */
static void test_dismissed(struct scene *scene)
{
	struct fake_target *target = scene->target;
	uint64_t member = target->implicit[1] - fake_member(0, "rt_member.implicit");
	ompd_parallel_handle_t *region = NULL;

	fake_put(target, target->team, "rt_team.region", 1);
	fake_put(target, member, "rt_member.seen", 1);
	EXPECT(ompd_get_curr_parallel_handle(scene->worker, &region) == ompd_rc_unavailable);
	fake_put(target, target->team, "rt_team.region", UINT64_C(2) << 32);
	fake_put(target, member, "rt_member.seen", UINT64_C(2) << 32);
}

/* A slab whose chunks are a circle: an error, and soon. */
static void test_circle(struct scene *scene)
{
	struct fake_target *target = scene->target;
	uint64_t chunk = target->slab_chunk;
	ompdx_task_t rows[ROOM];
	ompd_size_t count = 7;

	fake_put(target, chunk, "rt_slab_chunk.next", chunk);
	fake_reset();
	EXPECT(ompdx_get_tasks(scene->space, ALL_STATES, 1, rows, ROOM, &count) == ompd_rc_error);
	EXPECT(count == 7 && fake.reads < 100);
	fake_put(target, chunk, "rt_slab_chunk.next", 0);
}

static void test_scene(struct scene *scene)
{
	test_task_list(scene);
	test_threads(scene);
	test_choice(scene);
	test_groups(scene);
	test_dependences(scene);
	test_waits(scene);
	test_blocked(scene);
	test_ended_holder(scene);
	test_missing_member(scene);
	test_interrupted_wait(scene);
	test_dismissed(scene);
	test_bad_input(scene);
	test_circle(scene);
}

int main(void)
{
	return test_each_shape(test_scene);
}
