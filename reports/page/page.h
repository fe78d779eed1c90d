/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The web page: one self-contained file that loads nothing, shows everything without JavaScript and
 * stays small whatever the trace holds (page_limits). Each part of the page has its own file.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

#include "analysis.h"
#include "annotations.h"
#include "common/json-writer.h"
#include "run-log.h"
#include "shared/summary-figures.h"
#include "source-lines.h"

/* Bounds, so that the file stays below 5 MB. */
enum page_limits {
	PAGE_ROWS_MAX = 1500,         /* of the table of regions */
	PAGE_SHORT_ROWS_MAX = 300,    /* of locks, of tasks */
	PAGE_LANES_MAX = 256,         /* more threads share lanes */
	PAGE_STEPS_MAX = 1600,        /* steps of the timeline's picture, and */
	PAGE_CELLS_MAX = 40000,       /* lanes x steps */
	PAGE_BINS_MAX = 400000,       /* lanes x bins for zooming, where there are more than */
	PAGE_STRETCHES_MAX = 250000,  /* stretches in all */
	PAGE_ARROWS_MAX = 20000,      /* messages that are drawn when zoomed in, */
	PAGE_STATIC_ARROWS_MAX = 200, /* and without JavaScript */
	PAGE_USED_MAX = 2000,         /* constructs that the timeline names */
	PAGE_RUN_LOG_MAX = 1200000,   /* bytes of events, and as many of definitions, */
	PAGE_STEPS_OF_SUMS = 512,     /* of larger runs sums of so many steps, */
	PAGE_SUMS_MAX = 60000,        /* and of so many entries */
	PAGE_ENDS_MAX = 100000,       /* waits that others ended */
	PAGE_NAMED_MAX = 2000,        /* of that many constructs */
	PAGE_UNEVEN_MAX = 12,         /* constructs whose imbalance is drawn */
	PAGE_SOURCE_LINES_MAX = 4000, /* of the program's source */
	PAGE_NAME_MAX = 200,          /* characters of a name, and of a line of the source */
};

/* A process whose threads have lanes of their own. */
struct page_process {
	size_t first_lane, lanes;
	size_t headings; /* of the processes before it */
};

/* The rows of the timeline: a lane for each thread, or for several, and headings of processes. */
struct page_rows {
	const struct archive *archive;
	size_t *begins; /* the first thread of each lane; one more, the number of threads */
	size_t threads, lanes, headings;
	struct page_process *processes; /* by their rank; none when has_processes is not set */
	size_t process_count;
	bool has_processes; /* there are several, and room for each */
};

/* Which lines of the program's source the page shows. */
struct page_source {
	const struct annotations *annotations;
	struct sources *sources;
	const struct annotated_file **order; /* those shown, the greatest loss first */
	size_t count;
	int *last_line; /* by annotations' files: regions up to this line are shown; 0: none */
};

struct page {
	FILE *out;
	const struct page_rows *rows;
	const struct analysis *analysis;
	const struct summary *summary;
	struct summary_figures figures;
	const struct page_source *source; /* NULL: the source is not shown */
	const struct run_log *run_log;    /* of the run's events; NULL: the page is of several */
	uint64_t from, to; /* ns; the part of the run, as in struct analysis_choice */
};

/* How an activity is called, in CSS and by people, and whether it is a wait, which is hatched. */
struct page_activity {
	const char *css, *title;
	bool waits;
};
extern const struct page_activity page_activities[ACTIVITIES];

/* The activities in a lane of the timeline, from its bottom to its top. */
enum { PAGE_LANE_ACTIVITIES = ACTIVITIES - 1 };
extern const enum activity page_lane_order[PAGE_LANE_ACTIVITIES];

/* Whether threads were seen in teams: without, OpenMP has no efficiency, nor a serial part. */
bool page_has_teams(const struct page *page);

/*
 * Whether the category has a row and what it is called: without teams those of OpenMP have none,
 * and the rest has another name.
 */
bool page_has_category(const struct page *page, enum summary_category category);
const char *page_category_title(const struct page *page, enum summary_category category);

/* The activity's title; outside of a program's teams is "serial part" only where it has some. */
const char *page_activity_title(const struct page *page, enum activity activity);

/* Whether legends and tables name it: where a thread did it. */
bool page_shows(const struct page *page, enum activity activity);

/*
 * Generated from the style sheets and scripts. The script comes behind the engine (reports/engine)
 * or, in a page that selects nothing, behind none; with what the page permits to be executed then.
 */
extern const char page_style[], page_script[];
extern const char page_engine[], page_script_sources[];
extern const char page_no_engine[], page_plain_script_sources[];

/* The timeline that page_write_timeline() needs for these rows and that length in ticks. */
struct timeline_shape page_timeline_shape(const struct page_rows *rows, uint64_t length);

/* Bins of the timeline to one step of its picture. */
size_t page_bins_per_step(const struct page *page);

/* Writes the whole page; errors of `out` are left to the caller. */
void page_write(struct page *page);

/* What follows a selection: the figures on top, and all sections but timeline, source, warnings. */
void page_write_selected(const struct page *page);

/* What the page is about: the program, where its name is known. */
const char *page_title(const struct summary *summary);

/* What a page begins with, up to its header, and ends with, after its last section. */
void page_start(const struct page *page, const char *title);
void page_end(const struct page *page);

/* One of the figures on top, in a list of the class "facts". */
void page_write_fact(const struct page *page, const char *label, const char *value);

/* The sections of the page, each nothing where the archive has nothing for it. */
void page_write_regions(const struct page *page);
void page_write_synchronisation(const struct page *page); /* locks, tasks */
void page_write_threads(const struct page *page);
void page_write_timeline(const struct page *page);
void page_write_stretches(const struct page *page);
void page_write_arrow_lines(const struct page *page); /* of the picture */
/*
 * Parts of the timeline: its legend, of another picture beside it as well unless that is NULL; the
 * labels and lanes of the picture, `share` of the width that
 * there is; the axis from `begin` on, `length` long, both ns. Of several pictures in one page the
 * first one has the patterns that waits are filled with.
 */
void page_write_legend(const struct page *page, const struct page *other);
void page_write_picture(const struct page *page, double share, bool has_patterns);
void page_write_axis(const struct page *page, uint64_t begin, uint64_t length);
double page_row_height(size_t lanes); /* rem */
/* For the script. */
void page_put_arrows(struct json_writer *json, const struct page *page);
void page_write_run(const struct page *page); /* the events, and what ended waits */
/* A name, cut to PAGE_NAME_MAX bytes; frees it. */
void page_put_name(struct json_writer *json, char *name);
/* Whether each stretch of each thread is in the page. */
bool page_is_exact(const struct page *page);
void page_write_imbalance(const struct page *page);

void page_write_source(const struct page *page);

/* As many files and regions as PAGE_SOURCE_LINES_MAX allows. Valid as long as the two. */
struct page_source page_plan_source(const struct annotations *annotations, struct sources *sources);
void page_free_source(struct page_source *source);

/*
 * Which of annotations' files the region's line is in, as in the anchor "source-FILE-LINE";
 * PAGE_NO_SOURCE: the page does not show it.
 */
#define PAGE_NO_SOURCE SIZE_MAX
size_t page_source_file(const struct page *page, const struct summary_region *region);

void page_write_path(const struct page *page);
void page_write_ranks(const struct page *page);    /* where there are several processes */
void page_write_hybrid(const struct page *page);   /* the same */
void page_write_messages(const struct page *page); /* where MPI was called */

/* A share as a bar, with what it means, or NULL, as its title; depth: in a tree of them. */
void page_write_meter(
    const struct page *page, const char *name, const char *meaning, int depth, double share);

/* A column's head, and what it means where the words alone do not say it, or NULL. */
struct page_column {
	const char *title, *meaning;
};

/*
 * A table that can be sorted: its head, then its rows by the caller, then its end, which names the
 * command that prints all rows when only some were shown. Times in ns. A time's bar is its share of
 * `greatest`; 0: no bar.
 */
void page_start_table(const struct page *page, const char *id, const char *title,
    const char *remark, const struct page_column *columns, size_t count);
void page_end_table(const struct page *page, size_t shown, size_t count, const char *command);
void page_write_time(const struct page *page, uint64_t time, uint64_t greatest);
void page_write_count(const struct page *page, uint64_t count);
/* What a time grew by, with its sign; a bar for its share of the greatest change, unless that is 0.
 */
void page_write_change(const struct page *page, int64_t change, uint64_t greatest);

/*
 * Text in HTML, also within quoted attributes: escaped, invalid or unsafe characters as U+FFFD.
 * Names are cut to PAGE_NAME_MAX characters, sentences are not.
 */
void page_write_name(const struct page *page, const char *text);
void page_write_sentence(const struct page *page, const char *text);
/* A line of a source, cut as names are; tabs stay. */
void page_write_code(const struct page *page, const char *text);

struct page_rows page_lay_out_rows(const struct archive *archive);
void page_free_rows(struct page_rows *rows);

/* The lane's process, or NULL. */
const struct page_process *page_process_of(const struct page_rows *rows, size_t lane);

/* One with a single lane needs no heading. */
bool page_has_heading(const struct page_process *process);

/* The lane's place among all rows, headings included. */
size_t page_row_of_lane(const struct page_rows *rows, size_t lane);

/* A lane's name, and its label, which its heading completes. The caller frees them. */
char *page_process_name(const struct page_rows *rows, const struct page_process *process);
char *page_lane_name(const struct page_rows *rows, size_t lane);
char *page_lane_label(const struct page_rows *rows, size_t lane);

void page_write_lane(const struct page *page, size_t lane); /* its name */

#endif
