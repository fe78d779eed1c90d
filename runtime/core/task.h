/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks: explicit ones and the implicit task of each member.
 *
 * Counting. A task waits for its children in two ways: taskwait until they are completed, and the
 * end of a region until their descendants are gone too. `created` is written by the task's own
 * thread only; `joins` holds two counters that children add to:
 *   low half   children completed
 *   high half  children released: completed and without descendants that still need them
 * A task is released when it is completed and all its children are. The memory of a released task
 * is reused, the children's `parent` pointers are valid until then.
 */
#ifndef RT_TASK_H
#define RT_TASK_H
#include <stddef.h>

#include "atomics.h"
#include "icv.h"
#include "omp-tools.h"
#include "processor.h"
#include "wait.h"

struct rt_team;
struct rt_thread;
struct rt_taskgroup;
struct rt_depend_node;
struct rt_depend_table;

/* ICVs that a task wrote, with the copies that it replaced and its children may still read. */
struct rt_icvs_copy {
	struct rt_icvs_copy *older;
	bool has_group;        /* it stays as long as the task: the task's ICVs point to `busy` */
	_Atomic uint32_t busy; /* threads of the group that begins with the task */
	struct rt_task_icvs icvs;
};

typedef void rt_task_fn(void *data);
typedef void rt_copy_fn(void *to, void *from);

enum rt_task_flags {
	RT_TASK_IMPLICIT = 1, /* also initial tasks */
	RT_TASK_UNTIED = 2,
	RT_TASK_FINAL = 4,
	RT_TASK_DETACHABLE = 8,
	RT_TASK_COUNTED = 16,   /* in its parent's `created` */
	RT_TASK_OWNS_DATA = 32, /* its arguments are in memory from malloc() */
	RT_TASK_NAMED = 64,     /* its record is kept while its node may be named to a tool */
	RT_TASK_MUST_RUN = 128, /* its arguments were constructed and only the body destroys them */
};

/* `created` is constant while its thread waits, so children can determine when to wake it. */
enum rt_task_wait { RT_WAIT_NONE, RT_WAIT_COMPLETED, RT_WAIT_RELEASED };

#define RT_JOIN_COMPLETED UINT64_C(1)
#define RT_JOIN_RELEASED  (UINT64_C(1) << 32)

/*
 * What a tool (OpenMP 5.2, chapter 19) sees of a task. Written by the thread that makes the task,
 * then by the one that executes it; the tool owns `data`. A tool can be attached before the first
 * task only.
 */
struct rt_task_tool {
	ompt_data_t data;
	ompt_frame_t frame;          /* see rt_task_note_exit_frame(), rt_task_set_enter_frame() */
	int flags;                   /* ompt_task_flag_t */
	bool yields;                 /* it is in taskyield */
	bool cancelled;              /* it leaves its code early */
	bool discarded;              /* it has not begun, and does not */
	rt_task_fn *code;            /* explicit task: the program's */
	size_t memory_bytes;         /* explicit task: of its `data` */
	ompt_dispatch_chunk_t chunk; /* taskloop: what the task executes; else 0 iterations */
};

struct rt_task {
	struct rt_task_icvs *icvs; /* its ICVs; may belong to an ancestor, see rt_icvs_write() */
	bool icvs_shared;          /* another task may read *icvs */
	uint8_t flags;             /* enum rt_task_flags */
	_Atomic uint8_t
	    waiting; /* enum rt_task_wait: what its thread waits for; children read it */
	int32_t priority;
	uint32_t depth;           /* distance from the initial task; ancestors have less */
	_Atomic uint32_t created; /* children counted; written by the task's own thread, see
				     notify_parent() for other readers. Zero when free */
	_Atomic uint64_t joins; /* see above; the waiter sees what children wrote. Zero when free */
	/*
	 * NULL: initial task. What lies between is left out when it has ended, see
	 * leave_out_ended(); until the task has ended itself it is the one that generated it.
	 */
	_Atomic(struct rt_task *) parent;
	struct rt_team *team;
	struct rt_taskgroup *group; /* innermost group that it is in, or that it has open */
	rt_task_fn *fn;
	void *data;
	struct rt_slab *slab; /* where the memory goes back to */
	/*
	 * In lists of ready and of free tasks. Executing, for debuggers: what its thread suspended
	 * for it; its parent where it is not RT_TASK_COUNTED, which is not stored.
	 */
	struct rt_task *next;
	void *frame; /* for debuggers, once begun: an address in the frame of the caller of fn */
	/* The rest is zero in most tasks, and in a free block. */
	struct rt_depend_node *node;      /* its dependences, NULL: none */
	struct rt_depend_table *table;    /* dependences among its children, NULL: none yet */
	struct rt_icvs_copy *icvs_copies; /* copies that this task made, the current one first */
	_Atomic uint32_t detach;          /* what completion still needs: the body, the event */
	int32_t site; /* with debug-var, of counted tasks: where it was generated, from fn */
	/* Last, and in lines of its own: without a tool it is not even initialised. */
	struct rt_task_tool tool;
};

/* taskgroup and the groups that carry task reductions. */
struct rt_taskgroup {
	struct rt_taskgroup *outer;
	const struct rt_task *owner; /* the task that opened it, and ends it */
	_Atomic uint32_t pending;    /* tasks of the group that are not completed */
	_Atomic uint32_t cancelled;
	uintptr_t *reductions; /* newest registered array, chained; see rt_reduction_register() */
	bool is_workshare;     /* opened by a work-sharing construct or a parallel region */
	bool is_combined;      /* by a work-sharing construct: a tool has seen that begin */
	const void *codeptr;   /* with a tool: where the program opened it */
};

/*
 * cancel taskgroup: what constructs opened for reductions of their own does not count as a group.
 */
static inline struct rt_taskgroup *rt_taskgroup_of_user(struct rt_taskgroup *group)
{
	while (group != NULL && group->is_workshare)
		group = group->outer;
	return group;
}

static inline bool rt_taskgroup_is_cancelled(struct rt_taskgroup *group)
{
	group = rt_taskgroup_of_user(group);
	return group != NULL && load_acquire(&group->cancelled) != 0;
}

/* Prepares the implicit task of a member or an initial task. */
static inline void rt_task_init_implicit(struct rt_task *task, struct rt_team *team,
    struct rt_task *parent, uint32_t depth, struct rt_task_icvs *icvs)
{
	/* Member by member, because a late child of the last region may still look at `waiting`. */
	task->icvs = icvs;
	task->icvs_shared = true;
	task->flags = RT_TASK_IMPLICIT;
	store_relaxed(&task->waiting, RT_WAIT_NONE);
	task->priority = 0;
	task->depth = depth; /* the parent's and one; not read there, its line is busy */
	store_relaxed(&task->created, 0);
	store_relaxed(&task->joins, 0);
	store_relaxed(&task->parent, parent);
	task->team = team;
	task->group = NULL;
	task->fn = NULL;
	task->data = NULL;
	task->slab = NULL;
	task->next = NULL;
	task->frame = NULL;
	task->node = NULL;
	task->table = NULL;
	task->icvs_copies = NULL;
	store_relaxed(&task->detach, 0);
}

/* When a task is made, with a tool: it has no data and no frames yet. flags: ompt_task_flag_t. */
static inline void rt_task_tool_init(struct rt_task *task, int flags)
{
	task->tool = (struct rt_task_tool){.flags = flags};
}

/*
 * Frames (OpenMP 5.2, 19.4.4.29), where a tool is attached. Both addresses are canonical frame
 * addresses, what the stack pointer was before the call: they need no frame pointers and lie in the
 * order of the stack.
 *   exit_frame   of the program's function that is the task's code; while that is called
 *   enter_frame  of the runtime's entry that the task's code called; while that works. Each entry
 *                that can reach a callback sets it to RT_CALLERS_FRAME, and at its end to NULL
 */
#define RT_CALLERS_FRAME __builtin_dwarf_cfa()

static inline void rt_task_set_enter_frame(struct rt_task *task, void *address)
{
	task->tool.frame.enter_frame.ptr = address;
	task->tool.frame.enter_frame_flags =
	    address != NULL ? ompt_frame_runtime | ompt_frame_cfa : 0;
}

/* For an address in a frame of the runtime below the code; NULL: the code has returned. */
static inline void rt_task_set_exit_frame(struct rt_task *task, void *address)
{
	task->tool.frame.exit_frame.ptr = address;
	task->tool.frame.exit_frame_flags =
	    address != NULL ? ompt_frame_runtime | ompt_frame_cfa : 0;
}

/*
 * In the function that calls the task's code. Where the stack pointer then is the same as at the
 * call, it is the code's own canonical frame address.
 */
static inline __attribute__((always_inline)) void rt_task_note_exit_frame(struct rt_task *task)
{
#if RT_HAS_STACK_POINTER
	rt_note_stack_pointer(&task->tool.frame.exit_frame.ptr);
	task->tool.frame.exit_frame_flags = ompt_frame_application | ompt_frame_cfa;
#else
	rt_task_set_exit_frame(task, RT_CALLERS_FRAME);
#endif
}

static inline bool rt_task_children_completed(const struct rt_task *task)
{
	return (uint32_t)load_acquire(&task->joins) == load_relaxed(&task->created);
}

static inline bool rt_task_children_released(const struct rt_task *task)
{
	return (uint32_t)(load_acquire(&task->joins) >> 32) == load_relaxed(&task->created);
}

/*
 * Is the task a descendant of the ancestor, which has not ended? Asked of tasks that the caller
 * does not own, too; see rt_task_may_run().
 */
bool rt_task_descends(const struct rt_task *task, const struct rt_task *ancestor);

/* How often an ended task was left out of the line from its descendants to its ancestors. */
extern _Atomic uint32_t rt_ancestors_left_out;

/*
 * A task that is executed at once nests within the task that generates it, so a chain of tasks,
 * each of which generates the next and ends, would take stack without bound. Are the children of
 * this task therefore queued where there is a choice? In every RT_TASK_NESTING-th generation: they
 * are executed when the generations before have returned. A prime number, so that it is also met by
 * a chain in which there is a choice in every second or fourth generation only.
 */
enum { RT_TASK_NESTING = 127 };

static inline bool rt_task_queues_children(const struct rt_task *task)
{
	return unlikely(task->depth % RT_TASK_NESTING == RT_TASK_NESTING - 1);
}

/*
 * May `task` be executed by a thread that has suspended `below`? Only if it is a descendant of that
 * task; NULL: any may. OpenMP 5.2, 12.9, asks this of new tied tasks and of tied tasks that are
 * suspended. Here it holds for untied ones as well, because a suspended task continues only when
 * what its thread executes meanwhile has ended:
 *   - What a task waits for is then executed by its thread if no other thread does it. If an untied
 *     task were executed above a tied one that is no ancestor, its tied children would be allowed
 *     to no thread.
 *   - A task is suspended for its own descendants only, so it may hold a lock, or be what another
 *     task waits for in a loop of the program.
 * Thieves ask before they own the task, which may be gone. What they are told of one that is gone
 * has no meaning, and the compare-and-swap that follows then fails.
 */
static inline bool rt_task_may_run(const struct rt_task *task, const struct rt_task *below)
{
	return below == NULL || load_relaxed(&task->parent) == below ||
	       rt_task_descends(task, below);
}

#endif
