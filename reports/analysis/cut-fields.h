/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of an entry (cuts.h): the members of the analysis that they stand for, in order. The
 * code that collects the values and the code that adds them up again share these lists.
 */
#ifndef CUT_FIELDS_H
#define CUT_FIELDS_H

#include "cuts.h"

struct cut_fields {
	uint64_t *at[CUT_VALUES];
	size_t count;
};

/* The first values: open frames add to them. */
enum { CUT_VISITS, CUT_TIME, CUT_SELF, CUT_BARRIER_WAIT, CUT_ENTER_WAIT, CUT_WORK, CUT_BODY };

static inline struct cut_fields cut_fields_visited(struct visited *visited)
{
	_Static_assert((int)CUT_OPEN == 13, "the value after those of a visited construct");
	return (struct cut_fields){
	    {&visited->visits, &visited->time, &visited->self, &visited->barrier_wait,
		&visited->enter_wait, &visited->work, &visited->body, &visited->arrived_last,
		&visited->usage[TRACE_USAGE_DELAYED], &visited->usage[TRACE_USAGE_BLOCKED],
		&visited->usage[TRACE_USAGE_SYSTEM], &visited->usage[TRACE_USAGE_FAULTS],
		&visited->wait_delayed},
	    13};
}

/* All activities except ACTIVITY_NONE, for which there is no sum. */
static inline struct cut_fields cut_fields_thread(struct thread *thread)
{
	struct cut_fields fields = {{NULL}, 0};

	for (int i = ACTIVITY_NONE + 1; i < ACTIVITIES; i++)
		fields.at[fields.count++] = &thread->activities[i];
	fields.at[fields.count++] = &thread->parallel;
	fields.at[fields.count++] = &thread->serial_delayed;
	fields.at[fields.count++] = &thread->serial_blocked;
	fields.at[fields.count++] = &thread->wait_delayed;
	fields.at[fields.count++] = &thread->late_delayed;
	return fields;
}
_Static_assert((int)ACTIVITIES + 4 <= (int)CUT_VALUES, "a thread's activities but one, and five");

static inline struct cut_fields cut_fields_construct(struct construct *construct)
{
	return (struct cut_fields){
	    {&construct->imbalance, &construct->arrival_imbalance, &construct->barriers_completed,
		&construct->created, &construct->undeferred, &construct->create_time},
	    6};
}

static inline struct cut_fields cut_fields_lock(struct lock *lock)
{
	return (struct cut_fields){
	    {&lock->acquisitions, &lock->contended, &lock->wait, &lock->hold}, 4};
}

static inline struct cut_fields cut_fields_process(struct analysis *analysis, size_t process)
{
	return (struct cut_fields){{&analysis->imbalances[process]}, 1};
}

static inline struct cut_fields cut_fields_all(struct analysis *analysis)
{
	return (struct cut_fields){{&analysis->events}, 1};
}

#endif
