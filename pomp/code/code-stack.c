/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thread's own stack, read outside of an event: no other thread writes it while measurement is
 * on.
 */
#include "code-stack.h"

#include "event.h"

/* Maps constructs that runtimes report as one. */
static enum construct_id plain(enum construct_id construct)
{
	switch (construct) {
	case CONSTRUCT_LOOP:
		return CONSTRUCT_FOR;
	case CONSTRUCT_MASKED:
		return CONSTRUCT_MASTER;
	case CONSTRUCT_TARGET_DATA:
	case CONSTRUCT_TARGET_ENTER_DATA:
	case CONSTRUCT_TARGET_EXIT_DATA:
	case CONSTRUCT_TARGET_UPDATE:
		return CONSTRUCT_TARGET;
	default:
		return construct;
	}
}

bool pomp_stack_measures(enum construct_id construct)
{
	const struct pomp_thread *thread = pomp_self;

	if (thread == NULL)
		return false;
	const struct pomp_frame *top = thread->top;
	const struct pomp_region *region = top->accumulator->region;
	if (region->code != NULL) /* a taskloop includes its taskgroup */
		return construct == CONSTRUCT_TASKGROUP && top->role == POMP_ROLE_CONSTRUCT &&
		       region->construct == CONSTRUCT_TASKLOOP;
	switch ((enum pomp_role)top->role) {
	case POMP_ROLE_FORK:
		return construct == CONSTRUCT_PARALLEL;
	case POMP_ROLE_CREATE:
		return construct == CONSTRUCT_TASK;
	case POMP_ROLE_BARRIER:
		return construct == CONSTRUCT_BARRIER;
	case POMP_ROLE_WAIT:
		return construct == region->construct;
	case POMP_ROLE_CONSTRUCT:
		return plain(construct) == plain(region->construct) ||
		       (region->construct == CONSTRUCT_TASKLOOP &&
			   (construct == CONSTRUCT_TASKGROUP || construct == CONSTRUCT_TASK));
	case POMP_ROLE_BASE:
	case POMP_ROLE_BLOCK:
	case POMP_ROLE_PARALLEL:
	case POMP_ROLE_TASK:
		break;
	}
	return false;
}

/* The search stops at an instrumented construct of the same kind: the event belongs to that one. */
static const struct pomp_frame *find(enum pomp_role role, enum construct_id construct, bool any)
{
	const struct pomp_thread *thread = pomp_self;

	if (thread == NULL)
		return NULL;
	for (const struct pomp_frame *frame = thread->top; frame > thread->stack; frame--) {
		const struct pomp_region *region = frame->accumulator->region;
		if (frame->role == role && (any || plain(region->construct) == plain(construct)))
			return region->code != NULL && region->descriptor != NULL ? frame : NULL;
		if (frame->role == POMP_ROLE_PARALLEL || frame->role == POMP_ROLE_TASK)
			break;
		/* The taskloop's own taskgroup ends, which is a part of the taskloop. */
		if (construct == CONSTRUCT_TASKGROUP && region->construct == CONSTRUCT_TASKLOOP)
			break;
	}
	return NULL;
}

const struct pomp_frame *pomp_stack_find(enum pomp_role role, enum construct_id construct)
{
	return find(role, construct, false);
}

bool pomp_stack_ends_late(const struct pomp_frame *frame)
{
	struct pomp_thread *thread = pomp_self;
	const struct pomp_frame *above = thread->top;

	while (above > frame && above->accumulator->region->code != NULL)
		above--;
	if (above == frame)
		return false;
	thread->late = (uint32_t)(frame - thread->stack);
	fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_PENDING);
	return true;
}

const struct pomp_frame *pomp_stack_find_role(enum pomp_role role)
{
	return find(role, CONSTRUCT_OTHER, true);
}
