/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which threads share a lane of the page, which lanes are under a process's heading, and
 * how many steps a lane has. A lane never contains parts of two processes: either each process has
 * its own lanes, or there are more processes than lanes and each lane contains whole processes. All
 * lanes have the same number of threads, or processes; only the last lane of a process, or of all,
 * may have fewer.
 */
#include <stdlib.h>

#include "memory.h"
#include "page.h"
#include "shared/search.h"

size_t *page_find_processes(const struct archive *archive, size_t *count)
{
	size_t *begins = memory_new(archive->thread_count + 1, sizeof(begins[0]));

	*count = 0;
	for (size_t i = 0; i < archive->thread_count; i++) {
		if (i == 0 || archive->locations[i].group != archive->locations[i - 1].group)
			begins[(*count)++] = i;
	}
	begins[*count] = archive->thread_count;
	return begins;
}

static size_t pieces_of(size_t count, size_t size)
{
	return (count + size - 1) / size;
}

/*
 * How many threads share a lane: the smallest number with which there are at most PAGE_LANES_MAX
 * lanes, if no lane contains parts of two processes. `begins` is that of `processes` processes, at
 * most PAGE_LANES_MAX.
 */
static size_t threads_per_lane(const size_t *begins, size_t processes)
{
	for (size_t size = 1;; size++) {
		size_t lanes = 0;

		for (size_t i = 0; i < processes; i++)
			lanes += pieces_of(begins[i + 1] - begins[i], size);
		if (lanes <= PAGE_LANES_MAX)
			return size;
	}
}

static void add_process(struct page_rows *rows, const size_t *process, size_t per_lane)
{
	size_t lanes = pieces_of(process[1] - process[0], per_lane);

	if (rows->has_processes)
		rows->processes[rows->process_count++] =
		    (struct page_process){rows->lanes, lanes, rows->headings};
	rows->headings += rows->has_processes && lanes > 1;
	for (size_t i = 0; i < lanes; i++)
		rows->begins[rows->lanes++] = process[0] + per_lane * i;
}

struct page_rows page_lay_out_rows(const struct archive *archive)
{
	struct page_rows rows = {.archive = archive, .threads = archive->thread_count};
	size_t processes, *begins = page_find_processes(archive, &processes);

	rows.begins = memory_new(rows.threads + 1, sizeof(rows.begins[0]));
	rows.processes = memory_new(processes, sizeof(rows.processes[0]));
	rows.has_processes = archive->process_count > 1 && processes <= PAGE_LANES_MAX;
	if (processes > PAGE_LANES_MAX) {
		size_t per_lane = pieces_of(processes, PAGE_LANES_MAX);

		for (size_t i = 0; i < processes; i += per_lane)
			rows.begins[rows.lanes++] = begins[i];
	} else {
		size_t per_lane = threads_per_lane(begins, processes);

		for (size_t i = 0; i < processes; i++)
			add_process(&rows, begins + i, per_lane);
	}
	rows.begins[rows.lanes] = rows.threads;
	free(begins);
	return rows;
}

void page_free_rows(struct page_rows *rows)
{
	free(rows->begins);
	free(rows->processes);
}

bool page_has_heading(const struct page_process *process)
{
	return process->lanes > 1;
}

const struct page_process *page_process_of(const struct page_rows *rows, size_t lane)
{
	size_t next;

	if (!rows->has_processes)
		return NULL;
	SEARCH_BETWEEN(next, 1, rows->process_count, rows->processes[next].first_lane <= lane);
	return &rows->processes[next - 1];
}

size_t page_row_of_lane(const struct page_rows *rows, size_t lane)
{
	const struct page_process *process = page_process_of(rows, lane);

	return lane + (process ? process->headings + page_has_heading(process) : 0);
}

char *page_process_name(const struct page_rows *rows, const struct page_process *process)
{
	size_t first = rows->begins[process->first_lane];

	return archive_process_name(rows->archive, rows->archive->locations[first].group);
}

/* "threads 4 to 7", counted from the first thread of their process. */
static char *name_threads(const struct page_rows *rows, size_t lane)
{
	const struct page_process *process = page_process_of(rows, lane);
	size_t first = process ? rows->begins[process->first_lane] : 0;

	return memory_print(
	    "threads %zu to %zu", rows->begins[lane] - first, rows->begins[lane + 1] - first - 1);
}

char *page_lane_name(const struct page_rows *rows, size_t lane)
{
	const struct archive *archive = rows->archive;
	size_t first = rows->begins[lane], last = rows->begins[lane + 1] - 1;
	uint32_t one = archive->locations[first].group, other = archive->locations[last].group;
	const struct page_process *process = page_process_of(rows, lane);
	char *threads, *name;

	if (first == last)
		return archive_thread_name(archive, first);
	if (one != other)
		return memory_print(
		    archive->has_mpi ? "ranks %u to %u" : "processes %u to %u", one, other);
	if (archive->process_count > 1 && (!process || !page_has_heading(process)))
		return archive_process_name(archive, one);
	threads = name_threads(rows, lane);
	if (!process)
		return threads;
	name = memory_print(archive->has_mpi ? "rank %u, %s" : "process %u, %s", one, threads);
	free(threads);
	return name;
}

char *page_lane_label(const struct page_rows *rows, size_t lane)
{
	const struct page_process *process = page_process_of(rows, lane);

	if (!process)
		return page_lane_name(rows, lane);
	if (!page_has_heading(process))
		return page_process_name(rows, process);
	if (rows->begins[lane + 1] - rows->begins[lane] > 1)
		return name_threads(rows, lane);
	return memory_copy_text(rows->archive->locations[rows->begins[lane]].name);
}

void page_write_lane(const struct page *page, size_t lane)
{
	char *name = page_lane_name(page->rows, lane);

	page_write_name(page, name);
	free(name);
}

struct timeline_shape page_timeline_shape(const struct page_rows *rows, uint64_t length)
{
	size_t lanes = rows->lanes;
	size_t steps = PAGE_CELLS_MAX / (lanes ? lanes : 1), bins;

	if (steps > PAGE_STEPS_MAX)
		steps = PAGE_STEPS_MAX;
	/* Bins of only a few ticks would divide the length badly. */
	for (bins = steps; 2 * bins * lanes <= PAGE_BINS_MAX && 2 * bins * 64 <= length;)
		bins *= 2;
	return (struct timeline_shape){
	    .bins = bins,
	    .stretches_max = PAGE_STRETCHES_MAX,
	    .arrows_max = PAGE_ARROWS_MAX,
	    .row_begins = rows->begins,
	    .rows = lanes,
	};
}

size_t page_bins_per_step(const struct page *page)
{
	const struct timeline *timeline = page->analysis->timeline;
	size_t per_step = 1;

	while (timeline->bins / per_step > PAGE_STEPS_MAX ||
	       timeline->bins / per_step * timeline->rows > PAGE_CELLS_MAX)
		per_step *= 2;
	return per_step;
}

bool page_is_exact(const struct page *page)
{
	const struct timeline *timeline = page->analysis->timeline;

	return timeline->stretches && timeline->rows == timeline->threads;
}
