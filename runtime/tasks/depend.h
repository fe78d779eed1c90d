/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences among the children of one task (OpenMP 5.1, 2.19.11). `depend` is the list that the
 * compiler passes to GOMP_task().
 */
#ifndef RT_DEPEND_H
#define RT_DEPEND_H
#include "task.h"
#include "thread.h"

enum { RT_DEPEND_INLINE_EDGES = 5 };

/*
 * An entry in a node's list: "successor waits for that node"; the memory belongs to the successor.
 * The order of the two fields is that of LLVM's library, whose users get the list by
 * __kmpc_task_get_successors().
 */
struct rt_depend_edge {
	struct rt_depend_node *successor;
	struct rt_depend_edge *next;
};

_Static_assert(offsetof(struct rt_depend_edge, successor) == 0 &&
		   offsetof(struct rt_depend_edge, next) == sizeof(void *),
    "LLVM's users read the list");

struct rt_depend_chunk {
	struct rt_depend_chunk *next;
	struct rt_depend_edge edges[16];
};

/* A task in the graph of dependences. Only the functions below change it; debuggers read it. */
struct rt_depend_node {
	_Atomic(struct rt_depend_edge *) successors; /* rt_depend_closed: the task is completed */
	_Atomic uint32_t blockers;
	_Atomic uint32_t refs;
	struct rt_task *task; /* NULL: a thread of `team` waits here */
	struct rt_team *team;
	/*
	 * With a tool: the tool's word for the task or the construct that waits here; NULL: there
	 * is no tool. A task with a word lives as long as its node: RT_TASK_NAMED.
	 */
	ompt_data_t *word;
	_Atomic uint32_t naming; /* whether `word` may be, or is being, shown to the tool */
	uint32_t edge_count;
	struct rt_depend_chunk *chunks;
	/* Race detection: the nodes that it waits for, each counted in its `refs`. */
	struct rt_depend_sources *sources;
	struct rt_depend_edge edges[RT_DEPEND_INLINE_EDGES];
};

/* Not an edge: marks a closed list. */
extern struct rt_depend_edge rt_depend_closed;

/*
 * Enters a new child of the calling thread's task. True: the task is ready, and the caller queues
 * or executes it. False: it is queued when the last task that it depends on completes.
 */
bool rt_depend_register(struct rt_thread *self, struct rt_task *task, void **depend);

/* rt_depend_wait() for a task that has children with dependences. */
void rt_depend_wait_for_children(struct rt_thread *self, void **depend, ompt_data_t *word);

/*
 * Executes other tasks until those named by `depend` are completed (undeferred task, taskwait).
 * word: the tool's word for the construct that waits, NULL: there is no tool.
 */
static inline void rt_depend_wait(struct rt_thread *self, void **depend, ompt_data_t *word)
{
	if (self->task->table != NULL)
		rt_depend_wait_for_children(self, depend, word);
}

/* Shows a tool the dependences of the task or construct that has the word. */
void rt_depend_show(ompt_data_t *word, void **depend);

/*
 * The tasks that wait for the node's task, newest first. NULL: there are none, or there is no node.
 */
const struct rt_depend_edge *rt_depend_successors(const struct rt_depend_node *node);

/* The task is completed: what depended on it may become ready. */
void rt_depend_complete(struct rt_thread *self, struct rt_task *task);

/*
 * Called before a tool sees the last event of a task with RT_TASK_NAMED: no later event names it.
 */
void rt_depend_end_naming(struct rt_depend_node *node);

/* A task with RT_TASK_NAMED is released: its record is freed together with its node. */
void rt_depend_drop(struct rt_thread *self, struct rt_depend_node *node);

/*
 * Race detection, when the task begins: orders what the tasks that this one waited for did before
 * what the calling thread does from now on.
 */
void rt_depend_acquire_sources(struct rt_thread *self, struct rt_depend_node *node);

/* Frees the dependences among the children of a task, which are all released. */
void rt_depend_table_free(struct rt_depend_table *table);

#endif
