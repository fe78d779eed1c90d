/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks: explicit ones and the implicit task of each member.
 *
 * Counting. A task waits for its children in two ways: taskwait waits until they are completed, and
 * the end of a region waits until their descendants are gone too. Only the task's own thread writes
 * `created`; `joins` holds two counters that children add to:
 *   low half   children completed
 *   high half  children released: completed and without descendants that still need them
 * A task is released when it and all its children are completed and the children are released. Then
 * its memory is reused; until then the `parent` pointers of its children are valid.
 */
#ifndef RT_TASK_H
#define RT_TASK_H
#include <stddef.h>

#include "atomics.h"
#include "icv.h"
#include "omp-tools.h"
#include "processor-code.h"
#include "wait.h"

struct rt_team;
struct rt_thread;
struct rt_taskgroup;
struct rt_depend_node;
struct rt_depend_table;

/*
 * ICVs that a task wrote, chained to the older copies that they replace and that its children may
 * still read.
 */
struct rt_icvs_copy {
	struct rt_icvs_copy *older;
	bool has_group;        /* it lives as long as the task, whose ICVs point to `busy` */
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
	RT_TASK_COUNTED = 16,   /* its parent's `created` includes it */
	RT_TASK_OWNS_DATA = 32, /* its arguments are in memory from malloc() */
	RT_TASK_NAMED = 64,     /* its record is kept while a tool may be shown its node */
	RT_TASK_MUST_RUN = 128, /* the body must run, because only it destroys the arguments */
};

/* `created` is constant while its thread waits, so children can determine when to wake it. */
enum rt_task_wait { RT_WAIT_NONE, RT_WAIT_COMPLETED, RT_WAIT_RELEASED };

#define RT_JOIN_COMPLETED UINT64_C(1)
#define RT_JOIN_RELEASED  (UINT64_C(1) << 32)

/*
 * What a tool (OpenMP 5.2, chapter 19) sees of a task. The thread that makes the task writes it
 * first, then the one that executes the task; the tool owns `data`. A tool can be attached only
 * before the first task.
 */
struct rt_task_tool {
	ompt_data_t data;
	ompt_frame_t frame;          /* see rt_task_note_exit_frame(), rt_task_set_enter_frame() */
	int flags;                   /* ompt_task_flag_t */
	bool yields;                 /* it is in taskyield */
	bool cancelled;              /* it leaves its code early */
	bool discarded;              /* it has not begun, and will not */
	rt_task_fn *code;            /* explicit task: the program's */
	size_t memory_bytes;         /* explicit task: size of its `data` */
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
	 * NULL: initial task. Until the task has ended, this is the task that generated it; after
	 * that, ended ancestors in between may be left out, see leave_out_ended().
	 */
	_Atomic(struct rt_task *) parent;
	struct rt_team *team;
	struct rt_taskgroup *group; /* innermost group that it belongs to or has opened */
	rt_task_fn *fn;
	void *data;
	struct rt_slab *slab; /* where the memory goes back to */
	/*
	 * The next in the list of ready or of free tasks. For debuggers, while the task executes:
	 * the task that its thread suspended for it; not stored for a task without RT_TASK_COUNTED,
	 * where it is the parent.
	 */
	struct rt_task *next;
	void *frame; /* for debuggers, once begun: an address in the frame that calls fn */
	/* The rest is zero in most tasks, and in a free block. */
	struct rt_depend_node *node;      /* its dependences, NULL: none */
	struct rt_depend_table *table;    /* dependences among its children, NULL: none yet */
	struct rt_icvs_copy *icvs_copies; /* copies that this task made, current one first */
	_Atomic uint32_t detach;          /* steps that completion still needs: body, event */
	int32_t site; /* with debug-var, counted tasks: where it was generated, relative to fn */
	/* Last, and in lines of its own, which are not even initialised without a tool. */
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
	bool is_combined;      /* opened by a work-sharing construct whose begin a tool has seen */
	const void *codeptr;   /* with a tool: where the program opened it */
};

/* For cancel taskgroup: groups that constructs opened for their own reductions do not count. */
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
	/* Field by field, because a late child of the last region may still read `waiting`. */
	task->icvs = icvs;
	task->icvs_shared = true;
	task->flags = RT_TASK_IMPLICIT;
	store_relaxed(&task->waiting, RT_WAIT_NONE);
	task->priority = 0;
	task->depth = depth; /* parent's depth + 1; not read there, its line is busy */
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

/*
 * Called when a task is made and a tool is attached: the task has no data and no frames yet. flags:
 * ompt_task_flag_t.
 */
static inline void rt_task_tool_init(struct rt_task *task, int flags)
{
	task->tool = (struct rt_task_tool){.flags = flags};
}

/*
 * Frames (OpenMP 5.2, 19.4.4.29), if a tool is attached. Both addresses are canonical frame
 * addresses, that is the stack pointer before the call: they need no frame pointers and are ordered
 * as the stack.
 *   exit_frame   frame of the program's function that is the task's code; set while it runs
 *   enter_frame  frame of the runtime's entry point that the task's code called; set while that
 *                runs. Each entry point that can reach a callback sets it to RT_CALLERS_FRAME, and
 *                to NULL at its end
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
 * Called in the function that calls the task's code. If the stack pointer is then the same as at
 * the call, it is the code's own canonical frame address.
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
 * Is the task a descendant of `ancestor`, which has not ended? Callers may ask this of tasks that
 * they do not own; see rt_task_may_run().
 */
bool rt_task_descends(const struct rt_task *task, const struct rt_task *ancestor);

/* How often an ended task was removed from the line from its descendants to its ancestors. */
extern _Atomic uint32_t rt_ancestors_left_out;

/*
 * A task that is executed at once nests within the task that generates it. So a chain of tasks,
 * each of which generates the next and ends, would need unbounded stack. To avoid that, the
 * children of every RT_TASK_NESTING-th generation are queued if there is a choice: they are
 * executed when the generations before have returned. The number is prime, so that it also takes
 * effect in a chain in which only every second or fourth generation has a choice.
 */
enum { RT_TASK_NESTING = 127 };

static inline bool rt_task_queues_children(const struct rt_task *task)
{
	return unlikely(task->depth % RT_TASK_NESTING == RT_TASK_NESTING - 1);
}

/*
 * May `task` be executed by a thread that has suspended `below`? Only if it is a descendant of that
 * task; NULL: any task may. OpenMP 5.2, 12.9, requires this of new tied tasks and of suspended tied
 * tasks. Here it holds for untied tasks as well, because a suspended task continues only when what
 * its thread executes meanwhile has ended:
 *   - The tasks that a task waits for can then be executed by its thread if no other thread does
 *     it. If an untied task were executed above a tied one that is no ancestor, no thread would be
 *     allowed to execute its tied children.
 *   - A task is suspended only for its own descendants, so it may hold a lock, or be what another
 *     task waits for in a loop of the program.
 * Thieves ask this before they own the task, which may be gone. The result for a task that is gone
 * has no meaning; the compare-and-swap that follows then fails.
 */
static inline bool rt_task_may_run(const struct rt_task *task, const struct rt_task *below)
{
	return below == NULL || load_relaxed(&task->parent) == below ||
	       rt_task_descends(task, below);
}

#endif
