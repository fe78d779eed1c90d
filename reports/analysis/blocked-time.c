/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For what threads were blocked: the blocked time of each construct, and how often a system call
 * was seen there. As in libpomp, a call's time is its share of the construct's.
 */
#include <stdlib.h>

#include "common/blocked-rows.h"
#include "memory.h"
#include "pass.h"

static void add(struct analysis *analysis, uint32_t thread, uint32_t context, uint64_t count)
{
	const struct thread *state = &analysis->threads[thread];
	struct code_samples more = {
	    .context = context,
	    .construct = analysis_construct_of(state),
	    .is_serial = state->activity == ACTIVITY_SERIAL,
	    .is_blocked = true,
	    .count = count,
	};

	analysis_count_samples_now(analysis, thread, &more);
}

void analysis_add_blocked_time(struct analysis *analysis, uint32_t thread, uint64_t time)
{
	if (time > 0)
		add(analysis, thread, ARCHIVE_NO_INDEX, time);
}

void analysis_blocked_sample(struct analysis *analysis, const struct archive_event *event)
{
	if (event->subject != ARCHIVE_NO_INDEX)
		add(analysis, event->location, event->subject, 1);
}

/*
 * Names a call: its context's function is the system call, and its callers are the path to it, the
 * innermost one first.
 */
static void describe(const struct archive *archive, uint32_t context, struct summary_blocked *row)
{
	struct blocked_frame frames[BLOCKED_FRAMES];
	const struct archive_context *call = &archive->contexts[context];
	size_t count;

	row->call =
	    call->region == ARCHIVE_NO_INDEX ? "system call" : archive->regions[call->region].name;
	count = analysis_frames(archive, call->parent, frames, BLOCKED_FRAMES);
	blocked_row_describe(row, frames, count);
}

static struct summary_blocked row_of(
    const struct analysis *analysis, const struct code_samples *blocked)
{
	const struct construct *construct =
	    blocked->construct == NO_CONSTRUCT ? NULL : &analysis->constructs[blocked->construct];

	return (struct summary_blocked){
	    .construct = construct ? construct->name : NULL,
	    .construct_file = construct ? construct->file : NULL,
	    .construct_line = construct ? construct->begin_line : 0,
	    .is_serial = blocked->is_serial,
	};
}

static bool is_same_place(const struct code_samples *one, const struct code_samples *other)
{
	return one->construct == other->construct && one->is_serial == other->is_serial;
}

/* Divides the time of one place among the calls that were seen there. */
static void divide(const struct analysis *analysis, const struct code_samples *time,
    struct blocked_rows *rows, struct summary *summary)
{
	uint64_t seen = 0, nanoseconds = analysis_nanoseconds(analysis, time->count);
	struct summary_blocked row = row_of(analysis, time);

	for (size_t i = 0; i < analysis->blocked_count; i++) {
		const struct code_samples *call = &analysis->blocked[i];
		if (call->context != ARCHIVE_NO_INDEX && is_same_place(call, time))
			seen += call->count;
	}
	if (seen == 0) {
		row.time = nanoseconds;
		blocked_rows_add(summary, rows, &row);
	}
	for (size_t i = 0; i < analysis->blocked_count && seen > 0; i++) {
		const struct code_samples *call = &analysis->blocked[i];
		if (call->context == ARCHIVE_NO_INDEX || !is_same_place(call, time))
			continue;
		struct summary_blocked its = row;
		describe(analysis->archive, call->context, &its);
		its.seen = call->count;
		its.time =
		    (uint64_t)((double)nanoseconds * (double)call->count / (double)seen + 0.5);
		blocked_rows_add(summary, rows, &its);
	}
}

void analysis_summarize_blocked(
    const struct analysis *analysis, const bool *taken, struct summary *summary)
{
	struct blocked_rows rows = {0};
	bool observed = analysis->archive->blocked_generator != OTF2_UNDEFINED_INTERRUPT_GENERATOR;

	for (size_t i = 0; i < analysis->blocked_count && observed; i++)
		if (analysis->blocked[i].context == ARCHIVE_NO_INDEX &&
		    taken[analysis_place_of(analysis, &analysis->blocked[i])])
			divide(analysis, &analysis->blocked[i], &rows, summary);
	blocked_rows_finish(summary);
}
