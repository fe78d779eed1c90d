/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in which tasks take part. The program's code describes each variable. A task asks for
 * the calling thread's copy of a variable, which is made at the first request. The thread that ends
 * the group combines the copies: all tasks of the group are then completed.
 *
 * They are the runtime's reductions (reduction.h) with more data after them, so that a task of
 * gcc's code finds them, too. (A task of clang's code cannot take part in a reduction that gcc's
 * code describes: gcc stores after each copy whether there is one, and clang does not tell how long
 * a copy is.) Each thread's block contains the copies, each on its own line, and then a byte for
 * each copy that tells whether it has been made.
 *
 * With the modifier `task` of a region's or work-sharing construct's reduction each member has its
 * own group, whose copies are combined into the member's private variable.
 */
#include <stdlib.h>

#include "kmp-task.h"
#include "message.h"
#include "processor-code.h"
#include "reduction.h"
#include "team.h"
#include "with-tool.h"

typedef void kmp_init_fn(void *copy, void *original);
typedef void kmp_end_fn(void *copy);
typedef void kmp_combine_fn(void *to, void *from);

/* A variable as clang describes it; before version 11 without the original. */
struct kmp_reduction {
	void *shared, *original;
	size_t bytes;
	kmp_init_fn *init; /* NULL: with zeros */
	kmp_end_fn *end;   /* or NULL */
	kmp_combine_fn *combine;
	uint32_t flags;
};

struct kmp_old_reduction {
	void *shared;
	size_t bytes;
	kmp_init_fn *init;
	kmp_end_fn *end;
	kmp_combine_fn *combine;
	uint32_t flags;
};

/* The words of reduction.h. */
enum { COUNT = 0, SIZE = 1, BASE = 2, NEXT = 4, OWNER = 5, FIRST = 7, WORDS = 3 };

/* From malloc(): the words first, then the descriptions. */
struct group_reduction {
	uint32_t threads;
	struct kmp_reduction *items; /* after the words */
	uintptr_t words[];
};

static struct group_reduction *of_words(uintptr_t *words)
{
	return (struct group_reduction *)((char *)words - offsetof(struct group_reduction, words));
}

static struct group_reduction *new_reduction(struct rt_thread *self, size_t count)
{
	size_t words = FIRST + WORDS * count;
	struct group_reduction *group = calloc(
	    1, sizeof(*group) + words * sizeof(uintptr_t) + count * sizeof(struct kmp_reduction));

	if (group == NULL)
		rt_fatal("no memory for a task reduction of %zu variables; the program ends here",
		    count);
	group->threads = self->team->size;
	group->items = (struct kmp_reduction *)(group->words + words);
	group->words[COUNT] = count;
	return group;
}

/* Computes where each copy is in a block, and how long a block is. */
static void lay_out(struct group_reduction *group)
{
	size_t count = group->words[COUNT], offset = 0;

	for (size_t i = 0; i < count; i++) {
		group->words[FIRST + WORDS * i] = (uintptr_t)group->items[i].shared;
		group->words[FIRST + WORDS * i + 1] = offset;
		offset += rt_padded_size(group->items[i].bytes);
	}
	group->words[SIZE] = offset + rt_padded_size(count);
	group->words[BASE] = PROCESSOR_APART; /* the alignment, until it is registered */
}

static char *block_of(const struct group_reduction *group, uint32_t number)
{
	return (char *)(group->words[BASE] + number * group->words[SIZE]);
}

static char *made_of(const struct group_reduction *group, uint32_t number)
{
	return block_of(group, number + 1) - rt_padded_size(group->words[COUNT]);
}

static void *copy_of(const struct group_reduction *group, uint32_t number, size_t item)
{
	return block_of(group, number) + group->words[FIRST + WORDS * item + 1];
}

static void make(uintptr_t *words, uint32_t number, size_t item)
{
	const struct group_reduction *group = of_words(words);
	const struct kmp_reduction *description = &group->items[item];
	char *made = &made_of(group, number)[item];

	if (*made)
		return;
	*made = 1;
	if (description->init != NULL)
		description->init(copy_of(group, number, item), description->original);
}

static void *begin(struct rt_thread *self, struct group_reduction *group)
{
	lay_out(group);
	rt_reduction_register_made(self, group->words, make);
	return group->words;
}

static struct group_reduction *describe(
    struct rt_thread *self, int32_t count, const struct kmp_reduction *items)
{
	struct group_reduction *group = new_reduction(self, (size_t)count);

	for (int32_t i = 0; i < count; i++)
		group->items[i] = items[i];
	return group;
}

static struct group_reduction *describe_old(
    struct rt_thread *self, int32_t count, const struct kmp_old_reduction *items)
{
	struct group_reduction *group = new_reduction(self, (size_t)count);

	for (int32_t i = 0; i < count; i++)
		group->items[i] = (struct kmp_reduction){items[i].shared, items[i].shared,
		    items[i].bytes, items[i].init, items[i].end, items[i].combine, items[i].flags};
	return group;
}

/* Combines the copies in the order of the threads; all tasks that had copies are completed. */
static void combine(struct group_reduction *group)
{
	for (uint32_t number = 0; number < group->threads; number++) {
		for (size_t i = 0; i < group->words[COUNT]; i++) {
			const struct kmp_reduction *item = &group->items[i];
			void *copy = copy_of(group, number, i);

			if (!made_of(group, number)[i])
				continue;
			item->combine(item->shared, copy);
			if (item->end != NULL)
				item->end(copy);
		}
	}
	rt_reduction_unregister(group->words);
	free(group);
}

/* The reductions of the group that the calling task is about to end. */
static uintptr_t *open_reductions(const struct rt_thread *self)
{
	return self->task->group != NULL ? self->task->group->reductions : NULL;
}

/* gcc's code may have opened the group: it combines the copies of such a group itself. */
static void combine_all(uintptr_t *words)
{
	while (words != NULL) {
		uintptr_t *next = (uintptr_t *)words[NEXT];
		if (words[OWNER] == RT_REDUCTION_MAKES)
			combine(of_words(words));
		words = next;
	}
}

KMP_ENTRY_PLAIN(void, __kmpc_end_taskgroup)
{
	struct rt_thread *self = rt_self();
	uintptr_t *words = open_reductions(self);

	KMP_UNUSED();
	if (rt_note_call(&self)) {
		rt_taskgroup_end_with_tool(self);
		if (words == NULL)
			return;
		combine_all(words);
		rt_reduction_combine_end_with_tool(self);
		return;
	}
	rt_taskgroup_end(self);
	combine_all(words);
}

LONE_ENTRY(
    void *, __kmpc_taskred_init, int32_t gtid, int32_t count, const struct kmp_reduction *items)
{
	struct rt_thread *self = rt_self();

	(void)gtid;
	return begin(self, describe(self, count, items));
}

LONE_ENTRY(void *, __kmpc_task_reduction_init, int32_t gtid, int32_t count,
    const struct kmp_old_reduction *items)
{
	struct rt_thread *self = rt_self();

	(void)gtid;
	return begin(self, describe_old(self, count, items));
}

static void *begin_in_group(struct rt_thread *self, struct group_reduction *group)
{
	rt_taskgroup_begin(self);
	self->task->group->is_workshare = true;
	return begin(self, group);
}

KMP_ENTRY(void *, __kmpc_taskred_modifier_init, int32_t is_workshare, int32_t count,
    const struct kmp_reduction *items)
{
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	(void)is_workshare;
	return begin_in_group(self, describe(self, count, items));
}

KMP_ENTRY(void *, __kmpc_task_reduction_modifier_init, int32_t is_workshare, int32_t count,
    const struct kmp_old_reduction *items)
{
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	(void)is_workshare;
	return begin_in_group(self, describe_old(self, count, items));
}

KMP_ENTRY(void, __kmpc_task_reduction_modifier_fini, int32_t is_workshare)
{
	struct rt_thread *self = rt_self();
	uintptr_t *words = open_reductions(self);

	KMP_UNUSED();
	(void)is_workshare;
	rt_taskgroup_end(self);
	combine_all(words);
}

/*
 * Finds the variable of which this is the address, or the address of a thread's copy. False: not
 * here.
 */
static bool find(const struct group_reduction *group, uintptr_t address, size_t *item)
{
	uintptr_t base = group->words[BASE], size = group->words[SIZE];
	bool is_copy = address >= base && address < base + group->threads * size;

	for (size_t i = 0; i < group->words[COUNT]; i++) {
		const uintptr_t *variable = &group->words[FIRST + WORDS * i];

		*item = i;
		if (is_copy ? (address - base) % size == variable[1] : address == variable[0])
			return true;
	}
	return false;
}

static void *calling_threads_copy(struct rt_thread *self, uintptr_t *words, size_t item)
{
	rt_tsan_acquire(self->member); /* the thread's earlier tasks released it */
	make(words, self->number, item);
	return copy_of(of_words(words), self->number, item);
}

/* words: of the group that the program names, NULL: the innermost group that has the variable. */
LONE_ENTRY(void *, __kmpc_task_reduction_get_th_data, int32_t gtid, uintptr_t *words, void *address)
{
	struct rt_thread *self = rt_self();
	size_t item;

	(void)gtid;
	if (words != NULL && find(of_words(words), (uintptr_t)address, &item))
		return calling_threads_copy(self, words, item);
	for (struct rt_taskgroup *group = self->task->group; group != NULL; group = group->outer)
		for (words = group->reductions; words != NULL; words = (uintptr_t *)words[NEXT])
			if (words[OWNER] == RT_REDUCTION_MAKES &&
			    find(of_words(words), (uintptr_t)address, &item))
				return calling_threads_copy(self, words, item);
	rt_fatal("in_reduction: no enclosing construct of clang's code reduces the variable at %p "
		 "(a task of clang's code cannot take part in a reduction of gcc's); the program "
		 "ends here",
	    address);
}
