/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data from which the page's script draws the zoomed timeline: a sequence of runs for each
 * lane. In small traces each stretch is a run. In large ones each bin is a run, with the shares of
 * its activities and the construct that took most of it. Equal neighbours are merged into one run.
 *
 * A run is its length in units; a byte for each activity in it, activity + 16 x (sixteenths - 1),
 * until the sixteenths add up to sixteen; and the number of its construct from 1, or 0. Numbers
 * have seven bits per byte, lowest first; the eighth bit means that more bytes follow. The bytes of
 * a lane are in base64.
 */
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "memory.h"
#include "page.h"

/* The constructs that runs refer to, in the order of their first use. */
struct used {
	struct map index_of;
	uint32_t constructs[PAGE_USED_MAX];
	size_t count;
};

enum { WHOLE = 16 }; /* number of parts of a run for its shares */
_Static_assert(ACTIVITIES <= 16, "an activity has four bits");

/* The content of a run. */
struct mix {
	unsigned char shares[ACTIVITIES]; /* add up to WHOLE */
	uint64_t number;                  /* of its construct */
};

/* Writes one lane into the page. */
struct lane_writer {
	struct base64 base64;
	struct used *used;
	/* The current run, which may still grow. */
	uint64_t length;
	struct mix mix;
};

/*
 * The number of the construct in the page, from 1; 0 for no construct and for those beyond the
 * limit.
 */
static uint64_t number_of(struct used *used, uint32_t construct)
{
	uint64_t index = map_find(&used->index_of, construct);

	if (construct == NO_CONSTRUCT || (index == MAP_NONE && used->count == PAGE_USED_MAX))
		return 0;
	if (index == MAP_NONE) {
		index = used->count;
		used->constructs[used->count++] = construct;
		memory_map_set(&used->index_of, construct, index);
	}
	return index + 1;
}

static void put_last_run(struct lane_writer *lane)
{
	if (lane->length == 0)
		return;
	base64_put_number(&lane->base64, lane->length);
	for (unsigned i = 0; i < ACTIVITIES; i++) {
		unsigned share = lane->mix.shares[i];

		if (share > 0)
			base64_put(&lane->base64, i | (share - 1) << 4);
	}
	base64_put_number(&lane->base64, lane->mix.number);
}

static void add_run(struct lane_writer *lane, uint64_t length, const struct mix *mix)
{
	if (lane->length > 0 && (mix->number != lane->mix.number ||
				    memcmp(mix->shares, lane->mix.shares, ACTIVITIES) != 0)) {
		put_last_run(lane);
		lane->length = 0;
	}
	lane->mix = *mix;
	lane->length += length;
}

static void add_stretch(
    struct lane_writer *lane, uint64_t length, enum activity activity, uint32_t construct)
{
	struct mix mix = {{0}};

	mix.shares[activity] = WHOLE;
	if (activity != ACTIVITY_NONE)
		mix.number = number_of(lane->used, construct);
	add_run(lane, length, &mix);
}

/*
 * Adds the stretches of one thread, which are in order. Overlapping time, from a broken trace,
 * counts once.
 */
static size_t add_stretches(
    struct lane_writer *lane, const struct timeline *timeline, size_t thread, size_t at)
{
	uint64_t now = timeline->start, end = now + timeline->length;

	for (; at < timeline->stretch_count && timeline->stretches[at].thread == thread; at++) {
		const struct timeline_stretch *stretch = &timeline->stretches[at];

		if (stretch->to <= now)
			continue;
		if (stretch->from > now) {
			add_stretch(lane, stretch->from - now, ACTIVITY_NONE, NO_CONSTRUCT);
			now = stretch->from;
		}
		add_stretch(lane, stretch->to - now, stretch->activity, stretch->construct);
		now = stretch->to;
	}
	if (now < end)
		add_stretch(lane, end - now, ACTIVITY_NONE, NO_CONSTRUCT);
	return at;
}

static void add_bins(struct lane_writer *lane, const struct timeline *timeline, size_t row)
{
	size_t threads = timeline_row_begin(timeline, row + 1) - timeline_row_begin(timeline, row);
	double whole = timeline->bin_ticks * (double)threads;
	double carried[ACTIVITIES] = {0};

	for (size_t i = 0; i < timeline->bins; i++) {
		const struct timeline_bin *bin = timeline_bin(timeline, row, i);
		struct mix mix = {{0}};

		timeline_apportion(bin, whole, WHOLE, carried, mix.shares);
		if (mix.shares[ACTIVITY_NONE] < WHOLE)
			mix.number = number_of(lane->used, bin->construct);
		add_run(lane, 1, &mix);
	}
}

static void put_lanes(
    struct json_writer *json, const struct page *page, bool exact, struct used *used)
{
	const struct timeline *timeline = page->analysis->timeline;
	size_t at = 0;

	for (size_t row = 0; row < timeline->rows; row++) {
		struct lane_writer lane = {.base64 = {json->out}, .used = used};

		json_begin_line(json);
		json_open_text(json, NULL);
		if (exact)
			at = add_stretches(&lane, timeline, row, at);
		else
			add_bins(&lane, timeline, row);
		put_last_run(&lane);
		base64_end(&lane.base64);
		json_close_text(json);
	}
}

/* Writes the constructs' indices in the tables' rows, in the order of their numbers. */
static void put_indices(struct json_writer *json, const struct used *used)
{
	for (size_t i = 0; i < used->count; i++)
		json_put_number(json, NULL, used->constructs[i]);
}

static void put_used(struct json_writer *json, const struct page *page, const struct used *used)
{
	for (size_t i = 0; i < used->count; i++) {
		json_begin_line(json);
		page_put_name(json,
		    analysis_construct_name(&page->analysis->constructs[used->constructs[i]]));
	}
}

/*
 * Writes the labels of the lanes, then of the headings with the first lane and the number of lanes
 * of each.
 */
static void put_names(struct json_writer *json, const struct page *page)
{
	const struct page_rows *rows = page->rows;

	json_begin_line(json);
	json_open_array(json, "labels");
	for (size_t lane = 0; lane < rows->lanes; lane++)
		page_put_name(json, page_lane_name(rows, lane));
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "headings");
	for (size_t i = 0; i < rows->process_count; i++) {
		const struct page_process *process = &rows->processes[i];

		if (!page_has_heading(process))
			continue;
		json_open_array(json, NULL);
		page_put_name(json, page_process_name(rows, process));
		json_put_number(json, NULL, process->first_lane);
		json_put_number(json, NULL, process->lanes);
		json_close_array(json);
	}
	json_close_array(json);
}

void page_put_activities(struct json_writer *json, const struct page *page)
{
	json_begin_line(json);
	json_open_array(json, "activities");
	for (int i = 0; i < ACTIVITIES; i++) {
		json_open_array(json, NULL);
		json_put_text(json, NULL, page_activities[i].css);
		json_put_text(json, NULL, page_activity_title(page, i));
		json_close_array(json);
	}
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "order");
	for (int i = 0; i < PAGE_LANE_ACTIVITIES; i++)
		json_put_number(json, NULL, page_lane_order[i]);
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "waits");
	for (unsigned i = 0; i < ACTIVITIES; i++) {
		if (page_activities[i].waits)
			json_put_number(json, NULL, i);
	}
	json_close_array(json);
}

/* Writes a data block, which no browser executes. */
void page_write_stretches(const struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct timeline *timeline = analysis->timeline;
	double ticks = (double)analysis->archive->ticks_per_second;
	bool exact = page_is_exact(page);
	struct used used = {.count = 0};
	struct json_writer json;

	fputs("<script type=\"application/json\" id=\"timeline-data\">", page->out);
	json_start(&json, page->out, 0);
	json.compact = true;
	json_open_object(&json, NULL);
	json_put_boolean(&json, "exact", exact);
	json_put_real(
	    &json, "begin", (double)(timeline->start - analysis->archive->clock_start) / ticks);
	json_put_real(&json, "unit", (exact ? 1 : timeline->bin_ticks) / ticks);
	json_put_number(&json, "units", exact ? timeline->length : timeline->bins);
	page_put_activities(&json, page);
	put_names(&json, page);
	json_begin_line(&json);
	json_open_array(&json, "lanes");
	put_lanes(&json, page, exact, &used);
	json_close_array(&json);
	json_begin_line(&json);
	json_open_array(&json, "constructs");
	put_used(&json, page, &used);
	json_close_array(&json);
	json_begin_line(&json);
	json_open_array(&json, "indices");
	put_indices(&json, &used);
	json_close_array(&json);
	json_begin_line(&json);
	page_put_arrows(&json, page);
	json_close_object(&json);
	fputs("</script>\n", page->out);
	map_free(&used.index_of);
}
