/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the threads of each rank waited for, as a picture of ranks by threads and as a table of
 * figures; and the efficiencies of MPI and OpenMP together.
 */
#include <stdlib.h>
#include <string.h>

#include "efficiency.h"
#include "group-table.h"
#include "heat.h"
#include "memory.h"
#include "rank-times.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Times of the threads in one square. */
struct square {
	uint64_t execution, waits, barrier, locks, task_wait, mpi_wait;
};

struct picture {
	struct page_fold rows, columns;
	struct square *squares;
};

static void add_thread(struct square *square, const struct rank_thread *thread)
{
	square->execution += thread->execution;
	square->waits += ranks_wait(thread);
	square->barrier += thread->barrier;
	square->locks += thread->critical + thread->lock;
	square->task_wait += thread->task_wait;
	square->mpi_wait += thread->mpi_wait;
}

static void describe_time(const struct page *page, const char *what, uint64_t ticks)
{
	char text[SUMMARY_FIGURE_SIZE];

	if (ticks > 0)
		fprintf(page->out, ", %s %s", what,
		    summary_format_time(text, analysis_nanoseconds(page->analysis, ticks)));
}

static void describe_square(const struct page *page, void *context, size_t row, size_t column)
{
	const struct picture *picture = context;
	const struct square *square = &picture->squares[row * picture->columns.places + column];
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "%s of the time waiting",
	    summary_format_share(text, summary_share(square->waits, square->execution)));
	describe_time(page, "barriers", square->barrier);
	describe_time(page, "criticals and locks", square->locks);
	describe_time(page, "tasks", square->task_wait);
	describe_time(page, "MPI", square->mpi_wait);
}

/* The largest number of threads of a process. */
static size_t find_width(const struct archive *archive)
{
	size_t width = 0, threads = 0;

	for (size_t i = 0; i < archive->thread_count; i++) {
		bool is_first =
		    i == 0 || archive->locations[i].group != archive->locations[i - 1].group;

		threads = is_first ? 1 : threads + 1;
		if (archive->locations[i].group < archive->process_count && threads > width)
			width = threads;
	}
	return width;
}

static void fill_picture(const struct page *page, struct picture *picture)
{
	const struct archive *archive = page->analysis->archive;
	size_t number = 0;

	for (size_t i = 0; i < archive->thread_count; i++) {
		uint32_t process = archive->locations[i].group;
		struct rank_thread thread = ranks_thread(page->analysis, i);

		number = i > 0 && process == archive->locations[i - 1].group ? number + 1 : 0;
		if (process >= archive->process_count)
			continue;
		add_thread(&picture->squares[page_fold_place(&picture->rows, process) *
						 picture->columns.places +
					     page_fold_place(&picture->columns, number)],
		    &thread);
	}
}

static void write_picture(const struct page *page)
{
	const struct archive *archive = page->analysis->archive;
	struct picture picture = {
	    .rows = page_fold(archive->process_count, PAGE_HEAT_ROWS),
	    .columns = page_fold(find_width(archive), PAGE_HEAT_COLUMNS),
	};
	size_t count = picture.rows.places * picture.columns.places;
	double *shares = memory_new(count, sizeof(shares[0]));

	picture.squares = memory_new(count, sizeof(picture.squares[0]));
	fill_picture(page, &picture);
	for (size_t i = 0; i < count; i++)
		shares[i] = picture.squares[i].execution ? summary_share(picture.squares[i].waits,
							       picture.squares[i].execution)
							 : -1;
	fputs("<section aria-labelledby=\"waits\">\n<h2 id=\"waits\">Waits by rank and thread "
	      "<small>share of the wall time in barriers, locks, task waits and waits of MPI; full "
	      "colour is all of it</small></h2>\n",
	    page->out);
	page_write_heat(page, &(struct page_heat){
				  .css = "barrier",
				  .label = "how much each thread of each rank waits; the table "
					   "below has the figures",
				  .rows = picture.rows,
				  .columns = picture.columns,
				  .row = archive->has_mpi ? "rank" : "process",
				  .several_rows = archive->has_mpi ? "ranks" : "processes",
				  .column = "thread",
				  .several_columns = "threads",
				  .shares = shares,
				  .context = &picture,
				  .describe = describe_square,
			      });
	fputs("</section>\n", page->out);
	free(picture.squares);
	free(shares);
}

struct row {
	size_t location;
	struct rank_thread thread;
};

static int compare_waits(const void *first, const void *second)
{
	const struct row *one = first, *other = second;
	uint64_t wait = ranks_wait(&one->thread), other_wait = ranks_wait(&other->thread);

	if (wait != other_wait)
		return wait < other_wait ? 1 : -1;
	return (one->location > other->location) - (one->location < other->location);
}

enum { TIMES = 12 };

/* The times in the order of the table's columns. */
static void times_of(const struct rank_thread *thread, uint64_t times[TIMES])
{
	const uint64_t values[TIMES] = {ranks_wait(thread), thread->computation, thread->delayed,
	    thread->blocked, thread->barrier, thread->imbalance, thread->critical + thread->lock,
	    thread->task_wait, thread->team, thread->mpi_wait, thread->mpi_transfer, thread->idle};

	memcpy(times, values, sizeof(values));
}

static void write_thread(const struct page *page, const struct row *row, const bool *used)
{
	uint64_t all = analysis_nanoseconds(page->analysis, row->thread.execution), times[TIMES];
	char *name = archive_thread_name(page->analysis->archive, row->location);

	times_of(&row->thread, times);
	fputs("<tr><th scope=\"row\">", page->out);
	page_write_name(page, name);
	fputs("</th>", page->out);
	for (size_t i = 0; i < TIMES; i++) {
		if (used[i])
			page_write_time(page, analysis_nanoseconds(page->analysis, times[i]), all);
	}
	fputs("</tr>\n", page->out);
	free(name);
}

/* The table's head; times that are 0 for all threads have no column. */
static void start_table(const struct page *page, const struct row *rows, size_t count, bool *used)
{
	static const struct page_column columns[TIMES] = {
	    {"waits", "of all kinds, with those of MPI"}, {"computation", NULL},
	    {"no processor", "ready to work, while others had the processors"},
	    {"blocked", "in system calls, outside of OpenMP's waits"}, {"barriers", NULL},
	    {"imbalance", "of the barriers, what other threads had more work"},
	    {"locks", "and criticals"}, {"task wait", NULL}, {"team", "starting and ending teams"},
	    {"MPI wait", "for other ranks"}, {"MPI transfer", "in MPI without waiting"},
	    {"idle", NULL}};
	struct page_column shown[1 + TIMES] = {{"thread", NULL}};
	size_t shown_count = 1;
	uint64_t times[TIMES];

	for (size_t i = 0; i < count; i++) {
		times_of(&rows[i].thread, times);
		for (size_t j = 0; j < TIMES; j++)
			used[j] |= times[j] > 0 || j == 0;
	}
	for (size_t i = 0; i < TIMES; i++) {
		if (used[i])
			shown[shown_count++] = columns[i];
	}
	page_start_table(page, "ranks", "Ranks",
	    page_has_teams(page)
		? "wall time of each thread; imbalance: of the barriers, what other threads had more "
		  "work; transfer: in MPI without waiting"
		: "wall time of each thread; transfer: in MPI without waiting",
	    shown, shown_count);
}

/* Writes all threads in order, or only those that wait longest if there are too many. */
static void write_table(const struct page *page)
{
	const struct analysis *analysis = page->analysis;
	size_t count = 0, shown, threads = analysis->archive->thread_count;
	struct row *rows = memory_new(threads, sizeof(rows[0]));
	bool used[TIMES] = {false};

	for (size_t i = 0; i < threads; i++) {
		if (analysis->threads[i].seen)
			rows[count++] = (struct row){i, ranks_thread(analysis, i)};
	}
	shown = count < PAGE_SHORT_ROWS_MAX ? count : PAGE_SHORT_ROWS_MAX;
	if (shown < count)
		qsort(rows, count, sizeof(rows[0]), compare_waits);
	start_table(page, rows, count, used);
	for (size_t i = 0; i < shown; i++)
		write_thread(page, &rows[i], used);
	page_end_table(page, shown, count, "ranks");
	free(rows);
}

const struct page_part rank_parts[RANK_PARTS] = {
    [RANK_COMPUTATION] = {"computation", "work"},
    {"no processor", "delayed"},
    {"blocked", "blocked"},
    {"barriers", "barrier"},
    {"locks", "lock"},
    {"task wait", "task-wait"},
    {"team", "team"},
    [RANK_MPI_WAIT] = {"MPI wait", "mpi waits"},
    {"MPI transfer", "mpi"},
};

static char *name_rank(const struct page *page, size_t number)
{
	return archive_process_name(page->analysis->archive, (uint32_t)number);
}

static void write_groups(const struct page *page)
{
	const struct archive *archive = page->analysis->archive;
	struct rank_profiles ranks = rank_profiles_find(page->analysis);
	struct page_groups groups = {"like-ranks",
	    archive->has_mpi ? "Ranks alike" : "Processes alike",
	    archive->has_mpi ? "rank" : "process", archive->has_mpi ? "ranks" : "processes",
	    rank_parts, RANK_PARTS, ranks.shares, ranks.numbers, ranks.count, name_rank};

	page_write_groups(page, &groups);
	rank_profiles_free(&ranks);
}

void page_write_ranks(const struct page *page)
{
	const struct archive *archive = page->analysis->archive;

	if (archive->process_count < 2 || archive_is_of_one_process(archive))
		return;
	if (archive->process_count > PAGE_GROUPS_FROM && !page->write_groups)
		write_groups(page);
	write_picture(page);
	write_table(page);
}

void page_write_hybrid(const struct page *page)
{
	/* Without teams there are no OpenMP factors, so the tree begins with MPI's. */
	int first = page_has_teams(page) ? HYBRID_PARALLEL : HYBRID_MPI;
	int next = page_has_teams(page) ? HYBRID_FACTORS : HYBRID_OPENMP;
	struct hybrid hybrid;

	if (!hybrid_compute(page->analysis, &hybrid))
		return;
	fprintf(page->out,
	    "<section aria-labelledby=\"hybrid\">\n<h2 id=\"hybrid\">%s <small>a factor is the "
	    "product of those below it</small></h2>\n",
	    page_has_teams(page) ? "MPI and OpenMP together" : "Efficiency of MPI");
	for (int i = first; i < next; i++) {
		if (hybrid.factors[i] >= 0)
			page_write_meter(page, hybrid_names[i].title, hybrid_names[i].meaning,
			    hybrid_names[i].depth - hybrid_names[first].depth, hybrid.factors[i]);
	}
	fputs("</section>\n", page->out);
}
