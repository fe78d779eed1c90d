/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs in the terminal, with keys as in htop. */
#ifndef PROGRAM_VIEW_H
#define PROGRAM_VIEW_H

#include "program-list.h"
#include "terminal-screen.h"
#include "top-tables.h"

enum { VIEW_FILTER_SIZE = 64 };

/* How one table is shown. */
struct view_table {
	uint64_t selected; /* the row's own number: process, thread, function, address */
	size_t index;      /* where that row was last */
	size_t first;      /* the first row on the screen */
	size_t column;     /* by which it is sorted; VIEW_OWN_ORDER */
	bool is_reverse;
	char filter[VIEW_FILTER_SIZE];
};

#define VIEW_OWN_ORDER SIZE_MAX

struct program_view {
	struct screen screen;
	const struct program_list *list;
	uint64_t stuck_after; /* ns */
	double interval;      /* seconds */
	enum top_table shown;
	pid_t process; /* of which threads, regions or locks are shown */
	struct view_table tables[TOP_TABLES];
	bool edits_filter, shows_help, is_done;
};

/* False: the terminal cannot show it. */
bool program_view_open(struct program_view *view);
void program_view_close(struct program_view *view);

void program_view_draw(struct program_view *view);

/* Obeys keys until that moment of CLOCK_MONOTONIC, or until the user ends the view. */
void program_view_wait(struct program_view *view, uint64_t until);

#endif
