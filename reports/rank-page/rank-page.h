/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page of a run of so many ranks (or other processes) that a lane for each of them would be too
 * much. In place of the timeline it has groups of ranks that spent their time alike; the data of
 * each rank is in the page, so that its script shows a chosen group and a chosen rank. The analysis
 * that it needs has sums only, so that processes can be read one by one.
 */
#ifndef RANK_PAGE_H
#define RANK_PAGE_H

#include "page.h"

/* Limits that keep the file small. */
enum rank_page_limits {
	RANK_PAGE_STEPS_MAX = 512,        /* of a rank's row of time */
	RANK_PAGE_CELLS_MAX = 1 << 20,    /* ranks x steps */
	RANK_PAGE_VALUES_MAX = 400000,    /* times of ranks, and again of threads */
	RANK_PAGE_THREADS_READ_MAX = 4096 /* of several processes, open at once */
};

/*
 * Whether the archive's page is one of groups. Ranks beyond PAGE_LANES_MAX share lanes of the
 * timeline, which then shows none of them; and a page with a timeline needs all locations open at
 * once, for which the OTF2 library takes 270 KiB each.
 */
bool rank_page_suits(const struct archive *archive);

/*
 * The shape of its analysis's timeline: a row for each process. `begins` is that of
 * page_find_processes() for `processes` processes.
 */
struct timeline_shape rank_page_shape(const size_t *begins, size_t processes);

/* Writes the groups and the data of all ranks: struct page has it as write_groups. */
void rank_page_write_groups(const struct page *page);

#endif
