/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events for tools (OMPT; OpenMP 5.2, chapter 19): which callbacks a tool has registered, and a
 * function for each callback, by which the rest of the runtime emits an event. Start-up, the entry
 * points for tools and the end are in runtime/tool/. Data words of threads, teams and tasks, and
 * where the program called the runtime, are in tool-notes.h.
 *
 * A tool can attach only once, when the process first uses the runtime, before the first event. So
 * RT_BY_TOOL in watch.h tells for the process's life whether records have what only tools need. A
 * thread gets its record after that is known.
 *
 * Memory orders: the thread that starts the tool stores `set` with release, after the callbacks
 * that it indicates; later any thread does so in ompt_set_callback(). A callback is loaded with
 * acquire, so that the thread sees what the tool wrote before it registered the callback. `set`
 * itself is loaded relaxed: it only shows that a load of the callback is worthwhile.
 */
#ifndef RT_EVENTS_H
#define RT_EVENTS_H
#include <stddef.h>
#include <stdint.h>

#include "omp-tools.h"
#include "watch.h"

enum {
	RT_CALLBACKS = 38,    /* one more than the largest ompt_callbacks_t */
	RT_TOOL_ATTACHED = 0, /* the bit of `set` while a tool is attached */
};

#define RT_EVENT_BIT(callback) (UINT64_C(1) << (callback))

_Static_assert(RT_CALLBACKS <= 64, "each callback has a bit");

struct rt_events {
	_Atomic uint64_t set; /* RT_EVENT_BIT() of each registered callback, and the one above */
	_Atomic(ompt_callback_t) callbacks[RT_CALLBACKS];
};

extern struct rt_events rt_events __attribute__((visibility("hidden")));

/* Has the tool registered any of these? callbacks: RT_EVENT_BIT()s. */
static inline bool rt_events_any(uint64_t callbacks)
{
	return (load_relaxed(&rt_events.set) & callbacks) != 0;
}

static inline bool rt_event_is_set(ompt_callbacks_t callback)
{
	return rt_events_any(RT_EVENT_BIT(callback));
}

/* NULL: not registered. */
static inline ompt_callback_t rt_event_callback(ompt_callbacks_t callback)
{
	return rt_event_is_set(callback) ? load_acquire(&rt_events.callbacks[callback]) : NULL;
}

/*
 * For rt_events_start() and rt_events_stop(): functions that look for a tool and start it, and that
 * end it. The library's constructor sets them; a program without that constructor has no tool.
 */
void rt_events_start_with(void (*start)(void), void (*stop)(void));

/*
 * Called by each thread when it gets its record, before its first event. The first caller looks for
 * a tool, others wait for the result. A tool's initializer that uses OpenMP returns from here at
 * once.
 */
void rt_events_start(void);

/*
 * Ends the tool before the process ends: no thread gets further events. Does nothing if there is no
 * tool or it has ended already.
 */
void rt_events_stop(void);

/*
 * The emitters. Each does nothing unless its callback is registered. Their parameters, when to call
 * them, and what may be NULL are as in the section named. Events of one construct may share a
 * function.
 */
#define RT_EMITTER(event, type, parameters, arguments)                                             \
	static inline void rt_emit_##event parameters                                              \
	{                                                                                          \
		ompt_callback_##type##_t callback =                                                \
		    (ompt_callback_##type##_t)rt_event_callback(ompt_callback_##event);            \
		if (callback != NULL)                                                              \
			callback arguments;                                                        \
	}

/* 19.5.2.1, 19.5.2.2: first and last event of each thread. */
RT_EMITTER(thread_begin, thread_begin, (ompt_thread_t type, ompt_data_t *thread), (type, thread))
RT_EMITTER(thread_end, thread_end, (ompt_data_t * thread), (thread))

/* 19.5.2.3, 19.5.2.4: parallel and teams, by the encountering thread. */
RT_EMITTER(parallel_begin, parallel_begin,
    (ompt_data_t * task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested,
	int flags, const void *codeptr),
    (task, frame, parallel, requested, flags, codeptr))
RT_EMITTER(parallel_end, parallel_end,
    (ompt_data_t * parallel, ompt_data_t *task, int flags, const void *codeptr),
    (parallel, task, flags, codeptr))

/* 19.5.2.5: begin and end of work-sharing and taskloop regions, by each thread of the team. */
RT_EMITTER(work, work,
    (ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
	uint64_t count, const void *codeptr),
    (type, endpoint, parallel, task, count, codeptr))

/* 19.5.2.6: a thread begins a section, a chunk or an iteration. */
RT_EMITTER(dispatch, dispatch,
    (ompt_data_t * parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance),
    (parallel, task, kind, instance))

/* 19.5.2.7: a task was generated; by the generating thread, before it may be scheduled. */
RT_EMITTER(task_create, task_create,
    (ompt_data_t * task, const ompt_frame_t *frame, ompt_data_t *created, int flags,
	int has_dependences, const void *codeptr),
    (task, frame, created, flags, has_dependences, codeptr))

/* 19.5.2.8, 19.5.2.9: dependences of a new task, of an ordered construct; between two tasks. */
RT_EMITTER(dependences, dependences,
    (ompt_data_t * task, const ompt_dependence_t *dependences, int count),
    (task, dependences, count))
RT_EMITTER(
    task_dependence, task_dependence, (ompt_data_t * source, ompt_data_t *sink), (source, sink))

/* 19.5.2.10: the thread leaves one task and continues with another (NULL: see there). */
RT_EMITTER(task_schedule, task_schedule,
    (ompt_data_t * prior, ompt_task_status_t status, ompt_data_t *next), (prior, status, next))

/* 19.5.2.11: implicit and initial tasks, by the thread that executes them. */
RT_EMITTER(implicit_task, implicit_task,
    (ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned parallelism,
	unsigned index, int flags),
    (endpoint, parallel, task, parallelism, index, flags))

/* 19.5.2.12 */
RT_EMITTER(masked, masked,
    (ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, const void *codeptr),
    (endpoint, parallel, task, codeptr))

/* 19.5.2.13: barriers, taskwait, taskgroup, reduction, and the waits within the first three. */
RT_EMITTER(sync_region, sync_region,
    (ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *codeptr),
    (kind, endpoint, parallel, task, codeptr))
RT_EMITTER(sync_region_wait, sync_region,
    (ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *codeptr),
    (kind, endpoint, parallel, task, codeptr))
RT_EMITTER(reduction, sync_region,
    (ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *codeptr),
    (kind, endpoint, parallel, task, codeptr))

/* 19.5.2.14 to 19.5.2.16: locks, critical, atomic, ordered. impl: enum rt_mutex_impl. */
RT_EMITTER(mutex_acquire, mutex_acquire,
    (ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *codeptr),
    (kind, hint, impl, id, codeptr))
RT_EMITTER(mutex_acquired, mutex, (ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr),
    (kind, id, codeptr))
RT_EMITTER(mutex_released, mutex, (ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr),
    (kind, id, codeptr))
RT_EMITTER(lock_init, mutex_acquire,
    (ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *codeptr),
    (kind, hint, impl, id, codeptr))
RT_EMITTER(lock_destroy, mutex, (ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr),
    (kind, id, codeptr))
RT_EMITTER(nest_lock, nest_lock,
    (ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *codeptr),
    (endpoint, id, codeptr))

/* 19.5.2.17, 19.5.2.18, 19.5.2.30 */
RT_EMITTER(flush, flush, (ompt_data_t * thread, const void *codeptr), (thread, codeptr))
RT_EMITTER(
    cancel, cancel, (ompt_data_t * task, int flags, const void *codeptr), (task, flags, codeptr))
RT_EMITTER(error, error,
    (ompt_severity_t severity, const char *message, size_t length, const void *codeptr),
    (severity, message, length, codeptr))

/* 19.5.2.25 to 19.5.2.28: target constructs, in both forms; a tool registers one of the two. */
RT_EMITTER(target, target,
    (ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
	ompt_id_t target, const void *codeptr),
    (kind, endpoint, device, task, target, codeptr))
RT_EMITTER(target_emi, target_emi,
    (ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
	ompt_data_t *target_task, ompt_data_t *target, const void *codeptr),
    (kind, endpoint, device, task, target_task, target, codeptr))
RT_EMITTER(target_submit, target_submit, (ompt_id_t target, ompt_id_t operation, unsigned teams),
    (target, operation, teams))
RT_EMITTER(target_submit_emi, target_submit_emi,
    (ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *operation, unsigned teams),
    (endpoint, target, operation, teams))

/* 19.5.2.25: what a routine does with a device's memory, and what a target construct does. */
RT_EMITTER(target_data_op, target_data_op,
    (ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t kind, void *from, int from_device,
	void *to, int to_device, size_t bytes, const void *codeptr),
    (target, operation, kind, from, from_device, to, to_device, bytes, codeptr))
RT_EMITTER(target_data_op_emi, target_data_op_emi,
    (ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *target,
	ompt_id_t *operation, ompt_target_data_op_t kind, void *from, int from_device, void *to,
	int to_device, size_t bytes, const void *codeptr),
    (endpoint, target_task, target, operation, kind, from, from_device, to, to_device, bytes,
	codeptr))

#undef RT_EMITTER

/* 19.5.2.29: returns the tool's result; -1 if it has no callback for it. */
static inline int rt_emit_control_tool(
    uint64_t command, uint64_t modifier, void *argument, const void *codeptr)
{
	ompt_callback_control_tool_t callback =
	    (ompt_callback_control_tool_t)rt_event_callback(ompt_callback_control_tool);

	return callback != NULL ? callback(command, modifier, argument, codeptr) : -1;
}

/* What ompt_enumerate_mutex_impls() lists: how mutual exclusion is implemented (19.4.2). */
enum rt_mutex_impl {
	RT_MUTEX_IMPL_NONE = 0, /* not known; the enumeration begins after it */
	RT_MUTEX_IMPL_FUTEX,    /* spins, then sleeps: locks, critical, atomic */
	RT_MUTEX_IMPL_TURN,     /* waits for its turn: ordered, doacross */
};

/*
 * A number that no other call in the process returns and that is not 0; for ompt_get_unique_id().
 */
uint64_t rt_event_unique_id(void);

#endif
