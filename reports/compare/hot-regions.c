/* SPDX-License-Identifier: BSD-3-Clause */
/* See hot-regions.h. Only lines have a file and a line here: names of the others are whole. */
#include "hot-regions.h"

#include <stdlib.h>

#include "memory.h"
#include "streams.h"

static uint64_t time_of(uint64_t samples, double each)
{
	return (uint64_t)((double)samples * each + 0.5);
}

/* Without file and name. */
static struct summary_region region_of(const struct hot_row *row, double each)
{
	uint64_t time = time_of(row->samples, each), waits = time_of(row->waits, each);

	return (struct summary_region){.sub_name = "",
	    .time = time,
	    .self = time - waits,
	    .visits = row->samples,
	    .barrier_wait = waits,
	    .enter_wait = SUMMARY_NOT_MEASURED};
}

static void make(struct hot_regions *made, double each, enum hot_kind kind)
{
	size_t names = 0;

	made->regions = memory_new(made->hot.count, sizeof(made->regions[0]));
	made->names = memory_new(made->hot.count + 1, sizeof(made->names[0]));
	for (size_t i = 0; i < made->hot.count; i++) {
		const struct hot_row *row = &made->hot.rows[i];
		struct summary_region *region = &made->regions[made->count];

		if (row->samples == 0)
			continue; /* a function that only calls others */
		*region = region_of(row, each);
		if (row->line > 0) {
			region->file = row->file;
			region->begin_line = row->line;
			region->name = row->function;
		} else {
			region->name = made->names[names++] = hot_row_name(row, kind);
		}
		made->count++;
	}
}

int hot_regions_make(struct hot_regions *made, const struct report *run, const char *path,
    const struct options *options)
{
	double each = hot_sample_time(run->analysis);

	*made = (struct hot_regions){
	    .hot = hot_code_collect(run->analysis, options->hot, report_takes_name, options)};
	if (run->analysis->kinds[EVENT_SAMPLE] == 0) {
		fprintf(stream_messages(),
		    "ompreport diff: %s: there are no samples to compare; 'ompreport hot' says how to get "
		    "them\n",
		    path);
		return 1;
	}
	if (each <= 0) {
		fprintf(stream_messages(),
		    "ompreport diff: %s: its samples stand for an unknown time; expected one interrupt "
		    "generator that counts time\n",
		    path);
		return 1;
	}
	make(made, each, options->hot);
	return 0;
}

void hot_regions_finish(struct hot_regions *made)
{
	for (size_t i = 0; made->names && made->names[i]; i++)
		free(made->names[i]);
	free(made->names);
	free(made->regions);
	hot_code_finish(&made->hot);
}
