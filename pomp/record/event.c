/* SPDX-License-Identifier: BSD-3-Clause */
/* The slow path of entering and leaving: does the same as the fast path, in all cases. */
#include "event.h"
#include "scale.h"
#include "settings-change.h"

#include <string.h>

void pomp_event_prepare(struct pomp_thread *thread)
{
	uint32_t unusual = load_relaxed(&thread->unusual);

	if (unusual & POMP_UNUSUAL_PENDING)
		pomp_event_settle(thread, true);
	if (unusual & POMP_UNUSUAL_SCALED)
		pomp_scale_delay(thread);
	if (unusual & POMP_UNUSUAL_CHANGED)
		pomp_change_take_over(thread);
}

/*
 * The runtime's event for a masked block comes before the program's own call; the event then
 * belongs to that call.
 */
static void take_back_masked(struct pomp_thread *thread, const OMPRegDescr *region)
{
	if (strcmp(region->name, construct_name(CONSTRUCT_MASTER)) == 0 ||
	    strcmp(region->name, construct_name(CONSTRUCT_MASKED)) == 0)
		if (strcmp(thread->entering.region->name, construct_name(CONSTRUCT_MASTER)) == 0)
			thread->entering.region = NULL;
}

void pomp_event_enter_slow(OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	if (pomp_self != NULL && unlikely(pomp_self->entering.region != NULL))
		take_back_masked(pomp_self, region);
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t id;
	/* Blocks and barriers are parts of a visit that has begun. */
	struct pomp_accumulator *sums = kind == TRACE_LOG_ENTER
					    ? pomp_event_sums_entering(thread, region, &id)
					    : pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	/* What came before belongs to the frame that is on top until then. */
	uint64_t now = pomp_event_time_entering(thread);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, role, now);
	if (likely(frame != NULL && !frame->silent)) {
		if (sums->filtered == POMP_FILTERED_BRIEF)
			pomp_event_enter_brief(thread, frame, kind, id, now);
		else
			pomp_event_log(thread, kind, 0, id, now, 0, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_event_leave_slow(OMPRegDescr *region, enum pomp_role role, enum trace_log_kind kind)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread);
	uint64_t id;
	struct pomp_accumulator *sums = pomp_event_sums(thread, region, &id);
	if (sums == NULL)
		return;
	struct pomp_frame *frame = pomp_frame_find(thread, sums, role, now);
	if (likely(frame != NULL)) {
		pomp_frame_close(thread, frame, now);
		if (sums->filtered == POMP_FILTERED_BRIEF)
			pomp_event_leave_brief(thread, frame, kind, id, now);
		else
			pomp_event_log(thread, kind, 0, id, now, 0, 0);
	}
	pomp_event_end_logged(thread);
}
