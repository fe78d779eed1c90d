/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many fibers of ThreadSanitizer the runtime makes, and that a thread never becomes a fiber
 * that another one is. The functions of the sanitizer are this program's own, so that it sees each
 * call.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASKS = 500, MOST_STRANDS = 6, FIBERS = 256 };

/* Of the native threads, the first ones to be used; then those that are made. */
static struct fiber {
	_Atomic bool taken; /* it is a thread's current one, or that of a suspended function */
	bool hides;         /* the runtime does its own work on it */
	_Atomic int tasks;
} fibers[FIBERS];
static _Atomic int count, strands, hiding;
static _Thread_local struct fiber *own, *current;

static void fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	_Exit(1);
}

static struct fiber *next_fiber(void)
{
	const int number = atomic_fetch_add(&count, 1);

	if (number >= FIBERS)
		fail("expected fewer fibers than there is room for in this test");
	return &fibers[number];
}

void *__tsan_get_current_fiber(void)
{
	if (current == NULL)
		own = current = next_fiber();
	return current;
}

/* Strands are made by the runtime itself, hidden. */
void *__tsan_create_fiber(unsigned flags)
{
	const struct fiber *maker = __tsan_get_current_fiber();
	struct fiber *fiber = next_fiber();

	(void)flags;
	fiber->hides = !maker->hides;
	atomic_fetch_add(fiber->hides ? &hiding : &strands, 1);
	return fiber;
}

/* A thread leaves a fiber that hides when it is done, and a strand or itself at any time. */
void __tsan_switch_to_fiber(void *to, unsigned flags)
{
	struct fiber *next = to, *last = __tsan_get_current_fiber();

	(void)flags;
	if (last->hides)
		atomic_store(&last->taken, false);
	if (next->hides && atomic_exchange(&next->taken, true))
		fail("two threads hide their work on one fiber at the same time");
	current = next;
}

void __tsan_destroy_fiber(void *fiber)
{
	(void)fiber;
}

void __tsan_acquire(void *address)
{
	(void)address;
}

void __tsan_release(void *address)
{
	(void)address;
}

static void work(void)
{
	struct fiber *fiber = __tsan_get_current_fiber();

	if (fiber->hides)
		fail("a task is executed on a fiber that hides the runtime's work");
	atomic_fetch_add(&fiber->tasks, 1);
}

static int count_used(void)
{
	int used = 0;

	for (int i = 0; i < FIBERS; i++)
		used += atomic_load(&fibers[i].tasks) > 0;
	return used;
}

int main(void)
{
	char text[200];

#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		work();
	}
	snprintf(text, sizeof text,
	    "expected 2 to %d strands and tasks on 2 or more, found %d and tasks on %d",
	    MOST_STRANDS, strands, count_used());
	if (strands < 2 || strands > MOST_STRANDS || count_used() < 2)
		fail(text);
	if (hiding == 0)
		fail("expected a fiber that hides the runtime's work, found none");
	return 0;
}
