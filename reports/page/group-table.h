/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows many threads or ranks as a few groups of similar ones. */
#ifndef GROUP_TABLE_H
#define GROUP_TABLE_H

#include "page.h"
#include "rank-times.h"

enum {
	PAGE_GROUPS_FROM = 32, /* more items than this are grouped */
	PAGE_GROUPS_MAX = 12,
};

/* A part of each item's time. */
struct page_part {
	const char *title, *css;
};

/* The parts of a rank's time. */
extern const struct page_part rank_parts[RANK_PARTS];

struct page_groups {
	const char *id, *title;    /* of the section */
	const char *one, *several; /* "thread", "threads" */
	const struct page_part *parts;
	size_t part_count;
	double *profiles; /* items x parts: shares of the wall time */
	size_t *numbers;  /* by item, as the command line's options take it */
	size_t count;
	char *(*name_of)(const struct page *page, size_t number); /* heap */
};

/* Writes the section, without parts that no item has. */
void page_write_groups(const struct page *page, const struct page_groups *groups);

/*
 * Writes the numbers of the items of one group of them, which are in ascending order, as in "0, 5
 * to 1,021"; only the first ones if they are too many.
 */
struct clusters;
void page_write_members(const struct page *page, const struct page_groups *groups,
    const struct clusters *clusters, uint32_t group);

/*
 * Encloses a table that follows a section of groups and is shown on demand. `what`: for example
 * "all threads".
 */
void page_start_details(const struct page *page, const char *what);
void page_end_details(const struct page *page);

#endif
