/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on tasks: generate, execute, wait for and complete them. struct rt_task is the record.
 */
#ifndef RT_TASKS_H
#define RT_TASKS_H
#include "task.h"
#include "tsan.h"

enum rt_task_shown {
	RT_TASK_SHOWN_MERGEABLE = 1,
	RT_TASK_SHOWN_TASKWAIT = 2, /* it represents a taskwait construct with depend and nowait */
	RT_TASK_SHOWN_TARGET = 4,   /* it executes a target region */
};

/* What the entry points of task and taskloop request. */
struct rt_task_request {
	rt_task_fn *fn;
	void *data;
	rt_copy_fn *copy; /* NULL: memcpy */
	size_t size, align;
	bool deferrable; /* if clause */
	uint8_t flags;   /* by its clauses: RT_TASK_UNTIED, RT_TASK_FINAL, RT_TASK_DETACHABLE */
	uint8_t shown;   /* enum rt_task_shown: only for tools */
	int32_t priority;
	void **depend; /* NULL: none */
	/*
	 * taskloop: two words that replace the first two of the data; with a tool two more, the
	 * logical number of the first iteration and the number of iterations.
	 */
	const uint64_t *bounds;
	rt_task_fn *code; /* the program's code that fn calls, NULL: fn is it; for tools */
	void **event; /* RT_TASK_DETACHABLE, unless it is made: where to store the event handle */
	/*
	 * A task from rt_task_new(), which has its memory and arguments: `data`, `copy` and `event`
	 * have no meaning. NULL: none.
	 */
	struct rt_task *made;
	/*
	 * For debuggers and tools: the address in the object of fn where the program generates the
	 * task; NULL: unknown. Read only while rt_watched(RT_AT_TASKS).
	 */
	const void *site;
};

/*
 * Generates the task that is requested: queues it, or executes it at once where it may not or need
 * not be queued. False: its region or group is cancelled; a task that was made before still belongs
 * to the caller.
 */
bool rt_task_generate(struct rt_thread *self, const struct rt_task_request *request);

/*
 * Makes a task whose arguments the program itself stores where they stay: memory for it, with room
 * for `bytes` of arguments at its `data`, aligned to a cache line. The program then has it
 * generated, executes it in place, or gives it back.
 */
struct rt_task *rt_task_new(struct rt_thread *self, size_t bytes);
void rt_task_give_back(struct rt_thread *self, struct rt_task *task);

/* The task's completion waits for rt_task_fulfill() with the handle that this returns. */
uintptr_t rt_task_make_detachable(struct rt_task *task);

/* The task is executed even if it is cancelled: its code checks for that itself. */
static inline void rt_task_must_run(struct rt_task *task)
{
	task->flags |= RT_TASK_MUST_RUN;
}

/* Has the task's region or group been cancelled? */
bool rt_task_is_cancelled(const struct rt_task *task);

/* The task's dependences are fulfilled: queues it where threads of its team find it. */
void rt_task_make_ready(struct rt_thread *self, struct rt_task *task);

/* Completes a task created with detach; `event` is its omp_event_handle_t. Any thread may call. */
void rt_task_fulfill(struct rt_thread *self, uintptr_t event);

/* taskwait, taskwait depend (word: see rt_depend_wait()), taskyield, taskgroup. */
void rt_task_wait(struct rt_thread *self);
void rt_task_wait_depend(struct rt_thread *self, void **depend, ompt_data_t *word);
void rt_task_yield(struct rt_thread *self);
void rt_taskgroup_begin(struct rt_thread *self);
void rt_taskgroup_end(struct rt_thread *self);

/*
 * Executes tasks that may run above `below` until done(subject) is true; sleeps if there are none.
 * done reads with load_sequential(), and the thread that makes it true notifies the team's event.
 */
typedef bool rt_done_fn(const void *subject);
void rt_task_help_until(
    struct rt_thread *self, rt_done_fn *done, const void *subject, const struct rt_task *below);

/*
 * Executes one ready task of the calling thread's team that may run above `below` (NULL at a
 * barrier: any may). False: there is none now.
 */
bool rt_task_run_one(struct rt_thread *self, const struct rt_task *below);

/* Executes tasks that may run above `below` until no descendant of the calling task is left. */
void rt_task_drain(struct rt_thread *self, const struct rt_task *below);

/* Executes a task that the caller took from a queue or just made, and completes it. */
void rt_task_execute(struct rt_thread *self, struct rt_task *task);

/* What a tool sees at the end of a task; DISCARDED: the task has not begun. */
enum rt_task_outcome { RT_TASK_UNSEEN, RT_TASK_FINISHED, RT_TASK_DISCARDED };

/* Shows a tool that the task was created. undeferred: the parent continues after it. */
void rt_task_show_created(struct rt_thread *self, struct rt_task *task,
    const struct rt_task_request *request, bool undeferred);

/* Runs the task between the events of tools and the breakpoints, unless it is cancelled. */
enum rt_task_outcome rt_task_run_watched(
    struct rt_task *task, struct rt_task *outer, rt_task_fn *fn, void *data);

/* Shows that the thread switches from `outer` to the task, whose code is about to begin. */
void rt_task_show_begin(struct rt_task *task, struct rt_task *outer);

/*
 * Two steps complete a detachable task: its body and its event. Records that one of them has
 * happened; true if it is the second.
 */
bool rt_task_detach_step_is_last(struct rt_task *task);

/* Completes a task; its record is released with its last child. */
void rt_task_complete(struct rt_thread *self, struct rt_task *task);

/*
 * The task's code has returned, and the thread is back in `outer`: completes the task, unless its
 * event is yet to be fulfilled. The second function by RT_BY_TOOL.
 */
static inline void rt_task_end(struct rt_thread *self, struct rt_task *task)
{
	if (likely(!(task->flags & RT_TASK_DETACHABLE)) || rt_task_detach_step_is_last(task))
		rt_task_complete(self, task);
}

void rt_task_end_with_tool(struct rt_thread *self, struct rt_task *task, struct rt_task *outer,
    enum rt_task_outcome outcome);

/* Called by the thread that executes the parent. */
static inline void rt_task_count_child(struct rt_task *parent)
{
	store_relaxed(&parent->created, load_relaxed(&parent->created) + 1);
}

/*
 * Counts a task with RT_TASK_COUNTED, before another thread may complete it. Relaxed: the thread
 * that waits for the group counts its tasks itself, or waits for the tasks that do.
 */
static inline void rt_task_count(struct rt_task *parent)
{
	rt_task_count_child(parent);
	if (parent->group != NULL)
		add_relaxed(&parent->group->pending, 1);
}

/* Threads do not switch to the task of a taskwait construct; its only event is its completion. */
static inline bool rt_task_is_taskwait(const struct rt_task *task)
{
	return (task->tool.flags & ompt_task_taskwait) != 0;
}

/* Informs ThreadSanitizer that all that the descendants did comes before what follows. */
void rt_task_acquire_descendants_now(const struct rt_task *task);

static inline void rt_task_acquire_descendants(const struct rt_task *task)
{
	if (unlikely(rt_tsan_is_present()))
		rt_task_acquire_descendants_now(task);
}

/* Frees what an implicit or initial task collected; its children are released. */
void rt_task_finish(struct rt_task *task);

/*
 * Frees the copies of ICVs that the task has replaced, and with `all` also its current ones. No
 * thread reads them any more.
 */
void rt_task_free_icvs(struct rt_task *task, bool all);

#endif
