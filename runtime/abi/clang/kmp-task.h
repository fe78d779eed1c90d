/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A task as clang's code and the runtime share it. The program requests one, stores its arguments
 * there, and then has it generated. After struct kmp_task come a taskloop's bounds, the private
 * copies, whose size only the compiler knows, and last the addresses of shared variables.
 */
#ifndef RT_KMP_TASK_H
#define RT_KMP_TASK_H
#include "kmp.h"
#include "tasks.h"

struct kmp_task;

typedef int32_t kmp_routine_fn(int32_t gtid, struct kmp_task *task);

/* The part whose layout compilers know. */
struct kmp_task {
	void *shareds; /* NULL: there are none */
	kmp_routine_fn *routine;
	int32_t part; /* untied: where the routine continues; the compiler's */
	union {
		int32_t priority;
		kmp_routine_fn *destructors; /* with KMP_TASK_DESTRUCTORS */
	} data[2];                           /* the destructors, the priority */
};

enum kmp_task_flags {
	KMP_TASK_TIED = 1,
	KMP_TASK_FINAL = 2,
	KMP_TASK_MERGED = 4,
	KMP_TASK_DESTRUCTORS = 8,
	KMP_TASK_PROXY = 16,
	KMP_TASK_PRIORITY = 32,
	KMP_TASK_DETACHABLE = 64,
};

/* Precedes struct kmp_task in the same memory. */
struct kmp_task_head {
	_Alignas(16) struct rt_task *task; /* its record; NULL: several tasks use the arguments */
	struct rt_task *tied;              /* executed in place: self->tied before it */
	uint32_t flags;                    /* enum kmp_task_flags */
	uint32_t goes_on;   /* the routine wants to be called again, for its next part */
	uint32_t bytes;     /* size of struct kmp_task with all that follows it */
	uint32_t shared_at; /* offset of the shared variables' addresses; 0: none */
};

static inline struct kmp_task *kmp_task_of(const struct kmp_task_head *head)
{
	return (struct kmp_task *)(uintptr_t)(head + 1);
}

static inline struct kmp_task_head *kmp_head_of(struct kmp_task *task)
{
	return (struct kmp_task_head *)task - 1;
}

/* The code of such a task, for the runtime; `head` is a struct kmp_task_head. */
void kmp_task_run(void *head);

/* Destroys what the program has constructed in the task's arguments, if anything; in any thread. */
static inline void kmp_task_destroy(struct kmp_task_head *head)
{
	struct kmp_task *task = kmp_task_of(head);

	if (unlikely(head->flags & KMP_TASK_DESTRUCTORS))
		task->data[0].destructors((int32_t)rt_current->global_number, task);
}

/* What the task requests, except for its dependences. */
struct rt_task_request kmp_task_request(const struct kmp_task_head *head);

/* One of a task's dependences. */
struct kmp_dependence {
	void *address;
	size_t bytes;
	uint8_t kind;
};

/* The same in the form of the runtime's list; kmp_depend_finish() frees it. */
struct kmp_depend_list {
	void **words; /* NULL: there are none */
	void *few[48];
};

void kmp_depend_begin(struct kmp_depend_list *list, int32_t count,
    const struct kmp_dependence *items, int32_t more_count, const struct kmp_dependence *more);
void kmp_depend_finish(struct kmp_depend_list *list);

#endif
