/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the threads of each rank waited for: a picture of ranks by threads, and the figures as a
 * table; and the efficiencies of MPI and OpenMP together.
 */
#include <stdlib.h>

#include "efficiency.h"
#include "heat.h"
#include "memory.h"
#include "rank-times.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What the threads of one square did. */
struct square {
	uint64_t execution, waits, barrier, locks, task_wait, mpi_wait;
};

struct picture {
	struct html_fold rows, columns;
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

static void describe_time(const struct html *html, const char *what, uint64_t ticks)
{
	char text[SUMMARY_FIGURE_SIZE];

	if (ticks > 0)
		fprintf(html->out, ", %s %s", what,
		    summary_format_time(text, analysis_nanoseconds(html->analysis, ticks)));
}

static void describe_square(const struct html *html, void *context, size_t row, size_t column)
{
	const struct picture *picture = context;
	const struct square *square = &picture->squares[row * picture->columns.places + column];
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(html->out, "%s of the time waiting",
	    summary_format_share(text, summary_share(square->waits, square->execution)));
	describe_time(html, "barriers", square->barrier);
	describe_time(html, "criticals and locks", square->locks);
	describe_time(html, "tasks", square->task_wait);
	describe_time(html, "MPI", square->mpi_wait);
}

/* The most threads that a process has. */
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

static void fill_picture(const struct html *html, struct picture *picture)
{
	const struct archive *archive = html->analysis->archive;
	size_t number = 0;

	for (size_t i = 0; i < archive->thread_count; i++) {
		uint32_t process = archive->locations[i].group;
		struct rank_thread thread = ranks_thread(html->analysis, i);

		number = i > 0 && process == archive->locations[i - 1].group ? number + 1 : 0;
		if (process >= archive->process_count)
			continue;
		add_thread(&picture->squares[html_fold_place(&picture->rows, process) *
						 picture->columns.places +
					     html_fold_place(&picture->columns, number)],
		    &thread);
	}
}

static void write_picture(const struct html *html)
{
	const struct archive *archive = html->analysis->archive;
	struct picture picture = {
	    .rows = html_fold(archive->process_count, HTML_HEAT_ROWS),
	    .columns = html_fold(find_width(archive), HTML_HEAT_COLUMNS),
	};
	size_t count = picture.rows.places * picture.columns.places;
	double *shares = memory_new(count, sizeof(shares[0]));

	picture.squares = memory_new(count, sizeof(picture.squares[0]));
	fill_picture(html, &picture);
	for (size_t i = 0; i < count; i++)
		shares[i] = picture.squares[i].execution ? summary_share(picture.squares[i].waits,
							       picture.squares[i].execution)
							 : -1;
	fputs("<section aria-labelledby=\"waits\">\n<h2 id=\"waits\">Waits by rank and thread "
	      "<small>share of the wall time in barriers, locks, task waits and waits of MPI; full "
	      "colour is all of it</small></h2>\n",
	    html->out);
	html_write_heat(html, &(struct html_heat){
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
	fputs("</section>\n", html->out);
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

static void write_thread(const struct html *html, const struct row *row)
{
	const struct rank_thread *thread = &row->thread;
	const uint64_t times[] = {ranks_wait(thread), thread->computation, thread->barrier,
	    thread->imbalance, thread->critical + thread->lock, thread->task_wait, thread->team,
	    thread->mpi_wait, thread->mpi_transfer, thread->idle};
	uint64_t all = analysis_nanoseconds(html->analysis, thread->execution);
	char *name = archive_thread_name(html->analysis->archive, row->location);

	fputs("<tr><th scope=\"row\">", html->out);
	html_name(html, name);
	fputs("</th>", html->out);
	for (size_t i = 0; i < COUNT_OF(times); i++)
		html_time_cell(html, analysis_nanoseconds(html->analysis, times[i]), all);
	fputs("</tr>\n", html->out);
	free(name);
}

/* All threads in their order, or of too many those that wait the longest. */
static void write_table(const struct html *html)
{
	static const char *const columns[] = {"thread", "waits", "computation", "barriers",
	    "imbalance", "locks", "task wait", "team", "MPI wait", "MPI transfer", "idle"};
	const struct analysis *analysis = html->analysis;
	size_t count = 0, shown, threads = analysis->archive->thread_count;
	struct row *rows = memory_new(threads, sizeof(rows[0]));

	for (size_t i = 0; i < threads; i++) {
		if (analysis->threads[i].seen)
			rows[count++] = (struct row){i, ranks_thread(analysis, i)};
	}
	shown = count < HTML_SHORT_ROWS_MAX ? count : HTML_SHORT_ROWS_MAX;
	if (shown < count)
		qsort(rows, count, sizeof(rows[0]), compare_waits);
	html_start_table(html, "ranks", "Ranks",
	    "imbalance: of the barriers, what other threads had more work; transfer: in MPI without "
	    "waiting",
	    columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++)
		write_thread(html, &rows[i]);
	html_end_table(html, shown, count, "ranks");
	free(rows);
}

void html_write_ranks(const struct html *html)
{
	if (html->analysis->archive->process_count < 2)
		return;
	write_picture(html);
	write_table(html);
}

void html_write_hybrid(const struct html *html)
{
	struct hybrid hybrid;

	if (!hybrid_compute(html->analysis, &hybrid))
		return;
	fputs("<section aria-labelledby=\"hybrid\">\n<h2 id=\"hybrid\">MPI and OpenMP together "
	      "<small>a factor is the product of those below it</small></h2>\n",
	    html->out);
	for (int i = 0; i < HYBRID_FACTORS; i++) {
		if (hybrid.factors[i] >= 0)
			html_write_meter(html, hybrid_names[i].title, hybrid_names[i].meaning,
			    hybrid_names[i].depth, hybrid.factors[i]);
	}
	fputs("</section>\n", html->out);
}
