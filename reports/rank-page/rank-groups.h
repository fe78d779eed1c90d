/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of ranks of one page, and their table. */
#ifndef RANK_GROUPS_H
#define RANK_GROUPS_H

#include "clusters.h"
#include "group-table.h"
#include "rank-rows.h"

/* Units of the width of a row of time; a whole number for each step. */
enum { RANK_PAGE_PICTURE = 512 };

/* The parts of ranks, and what is left: the last one is idle time. */
enum { RANK_COLUMNS = RANK_PARTS + 1 };
extern const struct page_part rank_idle;

static inline const struct page_part *rank_column(size_t column)
{
	return column < RANK_PARTS ? &rank_parts[column] : &rank_idle;
}

/* A group's ranks, by their indices. */
struct rank_group {
	size_t typical;
	size_t fastest, slowest; /* by rank_groups.pace; the first of equals */
	double least[RANK_COLUMNS], mean[RANK_COLUMNS], most[RANK_COLUMNS];
};

struct rank_groups {
	struct rank_profiles ranks;
	struct clusters clusters;
	struct rank_group *groups; /* by cluster */
	struct rank_rows rows;
	size_t *row_of;          /* by rank: its row of rows */
	bool used[RANK_COLUMNS]; /* some rank has such a time */
	/*
	 * The part of time by which ranks are slow: the slowest rank waits least in MPI; without
	 * waits in MPI, it computes longest.
	 */
	int pace;
};

struct rank_groups rank_groups_find(const struct analysis *analysis);
void rank_groups_free(struct rank_groups *groups);

/* Writes the table of groups. A row of time begins at `begin` and is `length` long, both in ns. */
void rank_groups_write(
    const struct page *page, const struct rank_groups *groups, uint64_t begin, uint64_t length);

#endif
