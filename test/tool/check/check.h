/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checking tool: what it records about threads, regions and tasks, and how it reports
 * violations.
 *
 * A record has a handle, which the tool stores in the object's data word: kind, generation and
 * index. The tool can therefore recognise a word that is not its own, or belongs to an object that
 * no longer exists, without following it. A thread's record belongs to the thread. The plain
 * members of a task or region are written by the thread that executes or begins it. Other threads
 * read them only where the runtime must have ordered the accesses: a missing order is a race that
 * ThreadSanitizer reports. Members that other threads may access at any time are marked atomic and
 * accessed relaxed, so that the tool itself orders nothing.
 */
#ifndef OMPT_CHECK_H
#define OMPT_CHECK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp-tools.h"
#include "rules.h"

#define load(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define add(p, v)   __atomic_add_fetch((p), (v), __ATOMIC_RELAXED)

/* All events of the host, with the type name of the callback. */
#define CHECK_EVENTS(EVENT)                                                                        \
	EVENT(thread_begin, thread_begin)                                                          \
	EVENT(thread_end, thread_end)                                                              \
	EVENT(parallel_begin, parallel_begin)                                                      \
	EVENT(parallel_end, parallel_end)                                                          \
	EVENT(task_create, task_create)                                                            \
	EVENT(task_schedule, task_schedule)                                                        \
	EVENT(implicit_task, implicit_task)                                                        \
	EVENT(control_tool, control_tool)                                                          \
	EVENT(sync_region_wait, sync_region)                                                       \
	EVENT(mutex_released, mutex)                                                               \
	EVENT(dependences, dependences)                                                            \
	EVENT(task_dependence, task_dependence)                                                    \
	EVENT(work, work)                                                                          \
	EVENT(masked, masked)                                                                      \
	EVENT(sync_region, sync_region)                                                            \
	EVENT(lock_init, mutex_acquire)                                                            \
	EVENT(lock_destroy, mutex)                                                                 \
	EVENT(mutex_acquire, mutex_acquire)                                                        \
	EVENT(mutex_acquired, mutex)                                                               \
	EVENT(nest_lock, nest_lock)                                                                \
	EVENT(flush, flush)                                                                        \
	EVENT(cancel, cancel)                                                                      \
	EVENT(reduction, sync_region)                                                              \
	EVENT(dispatch, dispatch)                                                                  \
	EVENT(target_emi, target_emi)                                                              \
	EVENT(target_data_op_emi, target_data_op_emi)                                              \
	EVENT(target_submit_emi, target_submit_emi)                                                \
	EVENT(target_map_emi, target_map_emi)                                                      \
	EVENT(error, error)

#define AS_ENUMERATOR(name, type) EVENT_##name,
enum event { CHECK_EVENTS(AS_ENUMERATOR) EVENTS };
#undef AS_ENUMERATOR

/* Something that began in a task and has not ended: a region of work, synchronization, ... */
enum scope_class {
	SCOPE_WORK,
	SCOPE_SYNC,
	SCOPE_WAIT,
	SCOPE_MASKED,
	SCOPE_REDUCTION,
	SCOPE_TARGET,
	SCOPE_TARGET_OP,
	SCOPE_TARGET_SUBMIT
};

struct scope {
	enum scope_class class;
	int kind;
	uint64_t number;         /* work, barriers: index among the implicit task's, from 0 */
	struct meeting *meeting; /* its meeting; NULL: not tracked */
	uint64_t count;          /* work */
	uint64_t iterations;     /* work: iterations dispatched in it */
	bool with_dependences;   /* taskwait: waits only for some tasks */
	struct taskgroup *group; /* taskgroup */
};

struct mutex_hold {
	ompt_wait_id_t wait_id;
	ompt_mutex_t kind;
	int nested;
};

/* The tasks that are created in a taskgroup. Freed when nothing refers to it. */
struct taskgroup {
	int references; /* atomic */
	int live;       /* atomic */
	struct taskgroup *outer;
};

/* What the members of a team do together, found by its number; reused when all have left it. */
#define MEETINGS 64
struct meeting {
	uint64_t number; /* all atomic */
	int kind;
	uint64_t count;
	uint64_t iterations;
	unsigned begun;
	unsigned left;
	unsigned ended;
	unsigned executors;
	bool dispatched;
};

struct parallel {
	uint64_t handle;
	ompt_data_t *home;
	int references; /* atomic: itself, its implicit tasks until they end, its explicit ones */
	bool over;      /* atomic: parallel_end was seen */
	struct task *encountering;
	struct parallel *begun_before; /* by the encountering task, and still open */
	struct parallel *parent;
	int flags;
	unsigned requested;
	unsigned starter;                 /* the thread's number */
	unsigned size;                    /* atomic: actual parallelism, 0 until known */
	unsigned begun;                   /* atomic: implicit tasks */
	uint64_t *indices;                /* atomic: a bit for each member that has begun */
	int live_tasks;                   /* atomic: explicit ones */
	bool cancelled;                   /* atomic */
	struct meeting *works, *barriers; /* atomic pointers to MEETINGS of them */
	struct parallel *next_free;
};

/* What has happened to a task with an event. */
enum { FULFILLED_EARLY = 1, FULFILLED_LATE = 2, BLOCK_ENDED = 4 };

enum task_state { TASK_CREATED, TASK_RUNNING, TASK_SUSPENDED, TASK_FINISHED };

struct task {
	uint64_t handle;
	ompt_data_t *home;
	int references; /* atomic: itself, its children, and threads that examine it as a sibling */
	int state;      /* atomic: enum task_state */
	int flags;
	unsigned index;           /* implicit tasks only */
	unsigned tied_to;         /* number of the thread on which it began */
	unsigned fulfilled;       /* atomic: bits of the enumeration above */
	bool discarded;           /* atomic */
	bool expects_dependences; /* created with has_dependences, none seen yet */
	bool merged;
	struct task *parent; /* the generating task; for an implicit task the encountering task */
	struct task *below;  /* suspended below it on the executing thread */
	struct parallel *parallel;
	struct taskgroup *group, *inner_group; /* its own; the one in which it creates tasks */
	struct parallel *regions;              /* begun by this task, and still open */
	int live_children;                     /* atomic */
	struct task *undeferred;               /* a child for which it waits; holds a reference */
	bool waits_for_some;      /* it created a task of a taskwait with dependences */
	uint64_t works, barriers; /* how many of them an implicit task has met */
	bool last_barrier;        /* the implicit barrier of its region is over */
	struct scope *scopes;
	size_t scopes_open, scopes_room;
	struct mutex_hold *holds;
	size_t held, holds_room;
	ompt_wait_id_t acquiring; /* of a mutex_acquire without its outcome; 0: none */
	ompt_mutex_t acquiring_kind;
	pthread_mutex_t siblings_lock;   /* for the list of children with dependences */
	struct task *siblings, *sibling; /* newest first */
	ompt_dependence_t *dependences;
	int dependence_count;
	struct task *next_free;
};

struct thread {
	struct thread *before; /* list of all threads */
	unsigned number;       /* from 1 */
	ompt_thread_t type;
	ompt_data_t *home;
	bool begun, ended;
	struct task *current;
	enum event event;     /* the current callback */
	int overlapped;       /* atomic: its mutexes that another thread has already acquired */
	ompt_wait_id_t owned; /* atomic: one of its mutexes */
	unsigned questions;
};

/* The runtime's entry points. */
struct lookups {
	ompt_set_callback_t set_callback;
	ompt_get_thread_data_t get_thread_data;
	ompt_get_state_t get_state;
	ompt_get_task_info_t get_task_info;
	ompt_get_parallel_info_t get_parallel_info;
	ompt_enumerate_states_t enumerate_states;
	ompt_enumerate_mutex_impls_t enumerate_mutex_impls;
};
extern struct lookups runtime;

/* report.c: prints one line per violation; OMPT_CHECK_ALLOW may allow the rule. */
void report_open(void);
void violation(enum rule rule, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the counts of callbacks and of violations. Returns the latter. */
unsigned long report_close(void);
const char *event_name(enum event event);

/* tool.c */
extern unsigned long event_counts[EVENTS]; /* atomic */
extern ompt_set_result_t set_results[EVENTS];
extern bool forked; /* the process is a child of fork() */
void set_all_callbacks(void);

/* threads.c: called at the beginning of each callback; NULL: nothing can be checked any more. */
struct thread *enter(enum event event);
struct thread *thread_now(void);
void threads_close(void);

/* records.c: find_ returns NULL and reports a violation if the word names no living object. */
struct task *task_new(ompt_data_t *home, int flags);
struct parallel *parallel_new(ompt_data_t *home);
struct task *find_task(ompt_data_t *data);
struct parallel *find_parallel(ompt_data_t *data);
static inline bool is_data_of(const ompt_data_t *data, uint64_t handle)
{
	return data && data->value == handle;
}
void task_keep(struct task *task);
void task_drop(struct task *task);
void parallel_keep(struct parallel *parallel);
void parallel_drop(struct parallel *parallel);
void siblings_drop(struct task *parent);
void taskgroup_drop(struct taskgroup *group);
bool is_descendant(const struct task *task, const struct task *of);
unsigned long tasks_unfinished(void);

/* scopes.c */
struct scope *scope_begin(struct task *task, enum scope_class class, int kind);
/*
 * Copies the scope to *ended; if another scope or none is open, reports a violation and returns
 * false.
 */
bool scope_end(struct task *task, enum scope_class class, int kind, struct scope *ended);
/* kind -1: any */
bool scope_is_open(const struct task *task, enum scope_class class, int kind);
bool scope_has_barrier(const struct task *task);
void scopes_close(struct task *task);
/* The n-th work region or barrier of a team; NULL if it cannot be tracked. */
struct meeting *meeting_find(struct parallel *parallel, struct meeting **list, uint64_t number);

/* The task that the callback names, which must be the one that the thread executes. */
struct task *named_task(struct thread *me, ompt_data_t *task_data);
void named_parallel(struct task *task, ompt_data_t *parallel_data);

/* tasks.c: the end of a task's life, for any reason. */
void task_finish(struct task *task);

/* questions.c: checks the answers of the entry points, and whether addresses are plausible. */
void questions_open(ompt_function_lookup_t lookup);
void ask(struct thread *me);
void check_code(const void *address, bool expected);
void check_frames(const ompt_frame_t *frame, bool must_enter);
bool mutex_impl_is_known(unsigned impl);

bool state_is_known(int state);

/* samples.c */
extern unsigned long samples_taken; /* atomic */
void samples_begin(void);
void samples_end(void);

#define AS_DECLARATION(name, type) extern const ompt_callback_##type##_t on_##name;
CHECK_EVENTS(AS_DECLARATION)
#undef AS_DECLARATION

#endif
