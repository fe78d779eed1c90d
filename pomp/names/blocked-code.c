/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the blocked time of each place among the calls that were seen there, and names them. */
#include "blocked-code.h"

#include "address-names.h"
#include "blocked-calls.h"
#include "common/blocked-rows.h"
#include "experiment.h"
#include "process-state.h"
#include "region.h"
#include "shared/precondition.h"
#include "system-calls.h"

_Static_assert((int)POMP_BLOCKED_MAX == TRACE_LOG_BLOCKED_MAX, "a trace has all looks");
_Static_assert((int)BLOCKED_FRAMES == TRACE_LOG_CALL_DEPTH, "an entry has room for a path");

void pomp_blocked_code_announce(void)
{
	struct pomp_blocked blocked = pomp_blocked();

	for (size_t i = 0; i < blocked.site_count; i++)
		for (uint32_t k = 0; k < blocked.sites[i].depth; k++)
			pomp_address_announce(blocked.sites[i].address[k], true, 0);
}

static struct summary_blocked row_of(const struct pomp_blocked_place *place)
{
	const struct pomp_region *region = pomp_region_find(place->region);

	return (struct summary_blocked){
	    .construct = region != NULL ? region->name : NULL,
	    .construct_file = region != NULL ? region->file : NULL,
	    .construct_line = region != NULL ? region->begin_first : 0,
	    .is_serial = place->is_serial,
	};
}

/* All addresses are behind calls, the innermost one behind the kernel's. Returns how many. */
static size_t name_frames(
    const struct pomp_blocked_call *site, struct blocked_frame frames[BLOCKED_FRAMES])
{
	size_t count = 0;

	for (uint32_t i = 0; i < site->depth; i++) {
		struct address_name name = pomp_address_name(site->address[i], true);
		count += pomp_address_frames(&name, frames + count, BLOCKED_FRAMES - count);
	}
	return count;
}

static void describe(struct summary_blocked *row, const struct pomp_blocked_call *site)
{
	struct blocked_frame frames[BLOCKED_FRAMES];
	size_t count = name_frames(site, frames);

	row->call = pomp_system_call_name(site->number);
	blocked_row_describe(row, frames, count);
}

static void define_site(const struct pomp_blocked_call *site, uint32_t number)
{
	struct blocked_frame frames[BLOCKED_FRAMES];
	struct trace_log_call head = {
	    .number = number, .depth = (uint32_t)name_frames(site, frames)};
	const char *texts[1 + 2 * BLOCKED_FRAMES] = {pomp_system_call_name(site->number)};

	head.place = (uint32_t)blocked_place(frames, head.depth).named;
	for (uint32_t i = 0; i < head.depth; i++) {
		head.line[i] = (uint32_t)frames[i].line;
		head.wrappers |= (uint32_t)frames[i].is_wrapper << i;
		texts[1 + 2 * i] = frames[i].function != NULL ? frames[i].function : "";
		texts[2 + 2 * i] = frames[i].file != NULL ? frames[i].file : "";
	}
	pomp_experiment_append_later(
	    TRACE_LOG_CALL, &head, sizeof(head), texts, 1 + 2 * (size_t)head.depth);
}

void pomp_blocked_code_define(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_blocked blocked = pomp_blocked();

	if (load_relaxed(&pomp_experiment.path) == NULL)
		return;
	for (size_t i = 0; i < blocked.site_count; i++)
		define_site(&blocked.sites[i], (uint32_t)i + 1);
}

bool pomp_blocked_code_fill(struct summary *summary, double tick)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_blocked blocked = pomp_blocked();
	struct blocked_rows rows = {0};
	bool fits = true;

	for (size_t i = 0; i < blocked.count_count && fits; i++) {
		const struct pomp_blocked_count *count = &blocked.counts[i];
		const struct pomp_blocked_place *place = &blocked.places[count->place];
		struct summary_blocked row = row_of(place);
		describe(&row, &blocked.sites[count->site]);
		row.seen = count->looks;
		row.time = (uint64_t)((double)place->ticks * tick * (double)count->looks /
					  (double)place->looks +
				      0.5);
		fits = blocked_rows_add(summary, &rows, &row);
	}
	for (size_t i = 0; i < blocked.place_count && fits && blocked.observed; i++) {
		const struct pomp_blocked_place *place = &blocked.places[i];
		struct summary_blocked row = row_of(place);
		row.time = (uint64_t)((double)place->ticks * tick + 0.5);
		if (place->looks == 0 && row.time > 0)
			fits = blocked_rows_add(summary, &rows, &row);
	}
	blocked_rows_finish(summary);
	return fits;
}

void pomp_blocked_code_free(struct summary *summary)
{
	blocked_rows_free(summary);
}
