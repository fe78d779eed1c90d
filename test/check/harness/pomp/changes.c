/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A filter changes while threads have events: each visit is measured as a whole or not at all, and
 * what a thread does by the new filter (a task that is left out when it is created) no other thread
 * takes by the old one. Bounds: two threads with two visits; three with one task.
 */
#include "check.h"
#include "library.h"
#include "settings-change.h"

static OMPRegDescr task = {"task", "", 0, "file.c", 1, 1, 2, 2, {0}, 0};

/* As pomp_control() does, with rules that leave this region out. */
static void leave_out(uint64_t id)
{
	pomp_lock_process();
	struct pomp_region *region = pomp_region_find(id);
	store_relaxed(&region->was_left_out, 1);
	store_relaxed(&region->filter, POMP_FILTER_ALL);
	pomp_change_announce("");
	pomp_unlock_process();
}

static void visit_twice(void *argument)
{
	(void)argument;
	struct pomp_thread *thread = library_thread();

	for (int i = 0; i < 2 && thread != NULL; i++) {
		pomp_for_enter(&library_loop[0]);
		pomp_for_exit(&library_loop[0]);
		EXPECT(thread->top == thread->stack);
	}
	EXPECT(thread == NULL || thread->lost_events == 0);
}

static void visits(void)
{
	library_measures();
	pomp_register_regions(&library_loop[0]);
	check_start(visit_twice, NULL);
	leave_out(1);
	check_join();
	EXPECT(library_visits(1) <= 2);
}
HARNESS(pomp_changes_visits, "a filter changes beside visits") = {.run = visits, .preemptions = 3};

static void visit_inside(void *argument)
{
	(void)argument;
	if (library_thread() == NULL)
		return;
	pomp_for_enter(&library_loop[0]);
	pomp_for_enter(&library_loop[0]);
	pomp_for_exit(&library_loop[0]);
	pomp_for_exit(&library_loop[0]);
	EXPECT(pomp_self->top == pomp_self->stack);
	EXPECT(pomp_self->lost_events == 0);
}

static void nested(void)
{
	library_measures();
	pomp_register_regions(&library_loop[0]);
	check_start(visit_inside, NULL);
	leave_out(1);
	check_join();
	/* The outer visit decides for the inner one, unless only it was left out. */
	EXPECT(library_visits(1) != 1);
}
HARNESS(pomp_changes_nested, "a filter changes beside nested visits") = {
    .run = nested, .preemptions = 3};

static _Atomic uint64_t created;

static void execute(void *argument)
{
	(void)argument;
	if (library_thread() == NULL)
		return;
	/* As a runtime hands a task over. */
	uint64_t number = load_acquire(&created);
	if (number == 0)
		return;
	pomp_task_begin(&task, number);
	pomp_task_end(&task, number);
}

/* Prepared by an event of the thread: the region is plain there. */
static void create(void *argument)
{
	(void)argument;
	if (library_thread() == NULL)
		return;
	uint64_t number = pomp_task_create_begin(&task);
	pomp_task_create_end(&task, number);
	store_release(&created, number);
}

static void tasks(void)
{
	library_measures();
	pomp_register_regions(&task);
	check_start(execute, NULL);
	check_start(create, NULL);
	leave_out(1);
	check_join();
	uint64_t number = load_acquire(&created);
	bool is_left_out = number >> 63 != 0;
	EXPECT(library_visits(1) <= (number != 0 && !is_left_out));
}
HARNESS(
    pomp_changes_tasks, "a task is left out when it is created, and another thread executes it") = {
    .run = tasks, .preemptions = 2};
