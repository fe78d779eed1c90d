/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The web page: one self-contained file that loads nothing, shows everything without JavaScript and
 * stays small for every trace (page_limits). Each part of the page has its own file.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

#include "analysis.h"
#include "annotations.h"
#include "common/json-writer.h"
#include "common/summary-figures.h"
#include "run-log.h"
#include "sampled-code.h"
#include "source-lines.h"

/* Limits that keep the file below 5 MB. */
enum page_limits {
	PAGE_ROWS_MAX = 1500,          /* in the table of regions */
	PAGE_SHORT_ROWS_MAX = 300,     /* in the tables of locks and of tasks */
	PAGE_LANES_MAX = 256,          /* with more threads, several share a lane */
	PAGE_STEPS_MAX = 1600,         /* steps of the timeline's picture */
	PAGE_CELLS_MAX = 40000,        /* lanes x steps */
	PAGE_BINS_MAX = 400000,        /* lanes x bins for zooming, if there are more than ... */
	PAGE_STRETCHES_MAX = 250000,   /* ... this many stretches */
	PAGE_ARROWS_MAX = 20000,       /* messages drawn when zoomed in */
	PAGE_STATIC_ARROWS_MAX = 200,  /* messages drawn without JavaScript */
	PAGE_USED_MAX = 2000,          /* constructs that the timeline can name */
	PAGE_RUN_LOG_MAX = 1200000,    /* bytes of events, and the same of definitions */
	PAGE_STEPS_OF_SUMS = 512,      /* for larger runs: steps of their sums */
	PAGE_SUMS_MAX = 60000,         /* for larger runs: entries of their sums */
	PAGE_SUMS_SAMPLES_MAX = 60000, /* for larger runs: entries of their samples */
	PAGE_ENDS_MAX = 100000,        /* waits that other threads ended */
	PAGE_NAMED_MAX = 2000,         /* constructs that threads entered, in a page with events */
	PAGE_FRAMES_MAX = 2000,        /* boxes of the call paths */
	PAGE_FRAME_LEVELS_MAX = 128,   /* the same, below each other */
	PAGE_UNEVEN_MAX = 12,          /* constructs with a picture of their imbalance */
	PAGE_SOURCE_LINES_MAX = 4000,  /* of the program's source */
	PAGE_NAME_MAX = 200,           /* characters of a name, and of a line of the source */
};

/* A process that has lanes of its own for its threads. */
struct page_process {
	size_t first_lane, lanes;
	size_t headings; /* number of headings before its own */
};

/* The rows of the timeline: lanes for one or more threads each, and headings of processes. */
struct page_rows {
	const struct archive *archive;
	size_t *begins; /* first thread of each lane; one more element: the number of threads */
	size_t threads, lanes, headings;
	struct page_process *processes; /* by rank; empty unless has_processes is set */
	size_t process_count;
	bool has_processes; /* there are several processes, and enough room for each */
};

/* The lines of the program's source that the page shows. */
struct page_source {
	const struct annotations *annotations;
	struct sources *sources;
	const struct annotated_file *
	    *order; /* files shown, the greatest loss and most samples first */
	size_t count;
	int *last_line; /* by file of annotations: those up to this line are shown; 0: none */
};

struct page {
	FILE *out;
	const struct page_rows *rows;
	const struct analysis *analysis;
	const struct summary *summary;
	struct summary_figures figures;
	const struct page_source *source; /* NULL: the source is not shown */
	const struct run_log *run_log;    /* the run's events; NULL: the page has none */
	bool brief; /* only the first parts, without what the selection of a part of time needs */
	/* Of many ranks: writes their groups in place of the timeline, or NULL. */
	void (*write_groups)(const struct page *page);
	uint64_t from, to;      /* ns; the part of the run, as in struct analysis_choice */
	analysis_filter *takes; /* samples at these constructs, by name; NULL: all */
	const void *takes_context;
};

/* The activity's CSS class, title and meaning, and whether it is a wait; waits are hatched. */
struct page_activity {
	const char *css, *title, *meaning;
	bool waits;
};
extern const struct page_activity page_activities[ACTIVITIES];

/* The activities in a lane of the timeline, from its bottom to its top. */
enum { PAGE_LANE_ACTIVITIES = ACTIVITIES - 1 };
extern const enum activity page_lane_order[PAGE_LANE_ACTIVITIES];

/*
 * Whether threads were seen in teams; otherwise OpenMP has neither an efficiency nor a serial part.
 */
bool page_has_teams(const struct page *page);

/* The title of the category's row. Without teams, the remaining category has another one. */
const char *page_category_title(const struct page *page, enum summary_category category);

/*
 * The activity's title; time outside of teams is called "serial part" only if the program has
 * teams.
 */
const char *page_activity_title(const struct page *page, enum activity activity);

/* Whether legends and tables contain the activity: some thread performed it. */
bool page_shows(const struct page *page, enum activity activity);

/*
 * Generated from the style sheets and scripts. The script follows the engine (engine/engine.c), or
 * an empty one in a page without selection; page_script_sources or page_plain_script_sources then
 * tell which scripts the page permits.
 */
extern const char page_style[], page_script[];
extern const char page_engine[], page_script_sources[];
extern const char page_no_engine[], page_plain_script_sources[];
/* The same of a page with groups of ranks; its own script and style sheet follow the others. */
extern const char page_groups_style[], page_groups_script[], page_groups_script_sources[];

/* The timeline shape that page_write_timeline() needs for these rows; length: in ticks. */
struct timeline_shape page_timeline_shape(const struct page_rows *rows, uint64_t length);

/* Number of timeline bins in one step of the picture. */
size_t page_bins_per_step(const struct page *page);

/* Writes the whole page; the caller checks `out` for errors. */
void page_write(struct page *page);

/*
 * Writes what changes with a selection: the figures on top, and all sections except timeline,
 * source and warnings.
 */
void page_write_selected(const struct page *page);

/* The page's subject: the program, if its name is known. */
const char *page_title(const struct summary *summary);

/* The beginning of a page including its header, and its end after the last section. */
void page_start(const struct page *page, const char *title);
void page_end(const struct page *page);

/* Writes one of the figures on top, in a list of class "facts". */
void page_write_fact(const struct page *page, const char *label, const char *value);

/* The sections of the page; each writes nothing if the archive has no data for it. */
void page_write_regions(const struct page *page);
void page_write_called(const struct page *page);          /* lines of Python that called regions */
void page_write_synchronisation(const struct page *page); /* locks, tasks */
void page_write_threads(const struct page *page);
void page_write_timeline(const struct page *page);
void page_write_stretches(const struct page *page);
void page_write_arrow_lines(const struct page *page); /* in the picture */
/*
 * Parts of the timeline. The legend also covers `other`, another picture beside it, unless that is
 * NULL. The picture has labels and lanes and takes `share` of the available width. The axis begins
 * at `begin` and is `length` long, both in ns. If a page has several pictures, the first one
 * defines the patterns that fill waits (has_patterns).
 */
void page_write_legend(const struct page *page, const struct page *other);
void page_write_picture(const struct page *page, double share, bool has_patterns);
void page_write_axis(const struct page *page, uint64_t begin, uint64_t length);
double page_row_height(size_t lanes); /* rem */
/* The patterns that fill waits, once in a page that has such a picture. */
void page_write_hatches(const struct page *page);
/* Data for the script. */
/* The activities' names, the order in which lanes show them, and which are waits. */
void page_put_activities(struct json_writer *json, const struct page *page);
void page_put_arrows(struct json_writer *json, const struct page *page);
void page_write_run(const struct page *page); /* the events, and what ended the waits */
/* Writes a name, cut to PAGE_NAME_MAX bytes, and frees it. */
void page_put_name(struct json_writer *json, char *name);
/* Whether the page contains every stretch of every thread. */
bool page_is_exact(const struct page *page);
void page_write_imbalance(const struct page *page);
void page_write_roofline(const struct page *page); /* only if the run was to count for it */

void page_write_source(const struct page *page);
void page_write_hot(const struct page *page);
void page_write_flame(const struct page *page); /* call paths of samples */
void page_write_blocked(const struct page *page);

/*
 * Plans as many files and regions as PAGE_SOURCE_LINES_MAX allows. The result is valid as long as
 * annotations and sources.
 */
struct page_source page_plan_source(const struct annotations *annotations, struct sources *sources);
void page_free_source(struct page_source *source);

/* Adds the samples of lines that have at least PAGE_HEAT_LEAST of all samples, or regions. */
#define PAGE_HEAT_LEAST 0.005
void page_add_heat(struct annotations *annotations, const struct analysis *analysis);

/*
 * The index of the annotations' file that contains the line, as in the anchor "source-FILE-LINE";
 * PAGE_NO_SOURCE if the page does not show it, or it has neither regions nor samples.
 */
#define PAGE_NO_SOURCE SIZE_MAX
size_t page_source_place(const struct page *page, const char *file, int line);

void page_write_path(const struct page *page);
void page_write_ranks(const struct page *page);    /* only if there are several processes */
void page_write_hybrid(const struct page *page);   /* the same */
void page_write_messages(const struct page *page); /* only if MPI was called */

/*
 * Writes a share as a bar with its meaning, which may be NULL, as a title; depth: level in a tree
 * of meters.
 */
void page_write_meter(
    const struct page *page, const char *name, const char *meaning, int depth, double share);

/* The head of a column, and its meaning if the title alone is not clear, or NULL. */
struct page_column {
	const char *title, *meaning;
};

/*
 * A sortable table: its head, then rows by the caller, then its end. If only some rows are shown,
 * the end names the command that prints all. Times are in ns. A time's bar shows its share of
 * `greatest`; 0: no bar.
 */
void page_start_table(const struct page *page, const char *id, const char *title,
    const char *remark, const struct page_column *columns, size_t count);
void page_end_table(const struct page *page, size_t shown, size_t count, const char *command);
void page_write_time(const struct page *page, uint64_t time, uint64_t greatest);
void page_write_count(const struct page *page, uint64_t count);
/* A share, with a bar of the length `bar` (0 to 1). */
void page_write_share(const struct page *page, double share, double bar);
/*
 * Writes the signed change of a time, with a bar for its share of the greatest change unless that
 * is 0.
 */
void page_write_change(const struct page *page, int64_t change, uint64_t greatest);

/*
 * Writes text in HTML, also within quoted attributes: escaped, with invalid or unsafe characters as
 * U+FFFD. Names are cut to PAGE_NAME_MAX characters; sentences are not.
 */
void page_write_name(const struct page *page, const char *text);
void page_write_sentence(const struct page *page, const char *text);
/* Writes a line of a source, cut like a name; tabs stay. */
void page_write_code(const struct page *page, const char *text);

/* The index of each process's first thread, followed by the number of threads; heap. */
size_t *page_find_processes(const struct archive *archive, size_t *count);

struct page_rows page_lay_out_rows(const struct archive *archive);
void page_free_rows(struct page_rows *rows);

/* The lane's process, or NULL. */
const struct page_process *page_process_of(const struct page_rows *rows, size_t lane);

/* A process with a single lane needs no heading. */
bool page_has_heading(const struct page_process *process);

/* The index of the lane's row among all rows, including headings. */
size_t page_row_of_lane(const struct page_rows *rows, size_t lane);

/*
 * A lane's full name, and its label, which omits what the heading contains. The caller frees them.
 */
char *page_process_name(const struct page_rows *rows, const struct page_process *process);
char *page_lane_name(const struct page_rows *rows, size_t lane);
char *page_lane_label(const struct page_rows *rows, size_t lane);

void page_write_lane(const struct page *page, size_t lane); /* writes its name */

#endif
