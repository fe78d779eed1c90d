/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays whose pages some threads touched first and others use. A system with several memory nodes
 * puts a page on the node of the thread that touches it first.
 */
#ifndef SHARING_FIRST_TOUCH_FINDINGS_H
#define SHARING_FIRST_TOUCH_FINDINGS_H

#include "sharing-findings.h"

/* What a finding of SHARING_TOUCH has besides; its places are the uses by other threads. */
struct first_touch {
	uint64_t bytes, blocks, pages; /* of all blocks at one time; pages that were touched */
	unsigned nodes;                /* of memory, in this machine; 1: or it is not known */
	/* Accesses after the initialization: to pages that the thread touched first; that another
	 * one did; and of both to lines that another one had used since the last barrier. */
	uint64_t own, others, shared;
	uint64_t uses[SHARING_MOST_MEMBERS]; /* by thread */
	uint64_t placed, remote; /* accesses to pages on a known node, and on another one */
	/* Where pages were touched first: `writes` of a place is how many, most first. */
	struct sharing_finding touched;
	uint64_t serial;     /* pages that were, outside of regions */
	bool by_constructor; /* the main place is a line that calls code of a system header */
	bool counts;
	bool is_common; /* threads use the same lines: no thread's memory suits all */
};

/*
 * Adds the findings of the reports' arrays. They count if the user has asked for them, or if
 * threads used memory of another node.
 */
void first_touch_findings_add(struct race_sources *sources, struct race_code *code,
    const struct sharing_reports *reports, bool is_asked, struct sharing_findings *findings);

/* The part of the uses that were of pages that other threads touched first, 0 to 1. */
double first_touch_share(const struct first_touch *touch);

#endif
