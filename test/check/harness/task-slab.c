/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for tasks: other threads give blocks back to the slab of one thread, which takes them from
 * there again. Each block has one user at a time, and the next user sees the last use.
 */
#include "slab.h"

#include "check.h"
#include "task-pair.h"

static struct rt_slab *slab;

static int *use_of(struct rt_task *task)
{
	return rt_slab_arguments(task);
}

static void give(void *task)
{
	(*use_of(task))++;
	rt_slab_give(NULL, task);
}

/* Takes what has come back, without new memory. */
static struct rt_task *take(void)
{
	if (slab->free == NULL && load_relaxed(&slab->returned) == NULL)
		return NULL;
	return rt_slab_take(slab);
}

/* Blocks for the other threads; the slab has no further ones. */
static void begin(struct rt_task **blocks, int count)
{
	slab = rt_slab_new();
	for (int i = 0; i < count; i++) {
		blocks[i] = rt_slab_take(slab);
		*use_of(blocks[i]) = 0;
	}
	while (slab->free != NULL)
		rt_slab_take(slab);
}

static void two_give(void)
{
	struct rt_task *blocks[2], *first, *second;

	begin(blocks, 2);
	check_start(give, blocks[0]);
	check_start(give, blocks[1]);
	first = take();
	if (first != NULL)
		EXPECT((*use_of(first))++ == 1);
	second = take();
	if (second != NULL)
		EXPECT((*use_of(second))++ == 1);
	EXPECT(first == NULL || first != second);
	check_join();
	first = first != NULL ? first : take();
	second = second != NULL ? second : take();
	EXPECT(first != NULL && second != NULL && first != second && take() == NULL);
}
HARNESS(task_slab_two_give, "two threads give blocks back while their owner takes them") = {
    .run = two_give};

/* The block comes back twice while another thread is about to put its own in front of it. */
static void taken_again(void)
{
	struct rt_task *blocks[2], *other = NULL, *first, *again;

	begin(blocks, 2);
	rt_slab_give(NULL, blocks[0]);
	check_start(give, blocks[1]);
	first = take();
	if (first != blocks[0]) { /* the other one stood in front of it */
		other = first;
		first = take();
	}
	EXPECT(first == blocks[0]);
	rt_slab_give(NULL, first);
	check_join();
	first = take();
	again = other != NULL ? other : take();
	EXPECT(first != NULL && again != NULL && first != again && take() == NULL);
}
HARNESS(task_slab_taken_again, "a block comes back while another thread has it as the first") = {
    .run = taken_again};
