/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages by sender and receiver, and what MPI calls waited for: a picture of senders by
 * receivers, the pairs that sent most, and the calls by their calling construct.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "heat.h"
#include "memory.h"
#include "rank-times.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct matrix {
	struct page_fold ranks;
	struct mpi_pair *sums; /* senders x receivers */
};

static void describe_pair(const struct page *page, void *context, size_t row, size_t column)
{
	const struct matrix *matrix = context;
	const struct mpi_pair *sum = &matrix->sums[row * matrix->ranks.places + column];
	char messages[SUMMARY_FIGURE_SIZE], bytes[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "%s messages, %s bytes", summary_format_exact(messages, sum->messages),
	    summary_format_exact(bytes, sum->bytes));
}

static struct matrix make_matrix(const struct page *page)
{
	const struct mpi *mpi = page->analysis->mpi;
	struct matrix matrix = {
	    .ranks = page_fold(page->analysis->archive->process_count, PAGE_HEAT_ROWS)};

	matrix.sums = memory_new(matrix.ranks.places * matrix.ranks.places, sizeof(matrix.sums[0]));
	for (size_t i = 0; i < mpi->pair_count; i++) {
		const struct mpi_pair *pair = &mpi->pairs[i];
		size_t row = page_fold_place(&matrix.ranks, pair->sender);
		size_t column = page_fold_place(&matrix.ranks, pair->receiver);
		struct mpi_pair *sum = &matrix.sums[row * matrix.ranks.places + column];

		sum->messages += pair->messages;
		sum->bytes += pair->bytes;
	}
	return matrix;
}

static int digits_of(uint64_t number)
{
	int digits = 0;

	for (; number > 0; number >>= 1)
		digits++;
	return digits;
}

/*
 * Numbers of messages differ by orders of magnitude, so the shade grows with the number's digits.
 */
static void write_matrix(const struct page *page)
{
	struct matrix matrix = make_matrix(page);
	size_t count = matrix.ranks.places * matrix.ranks.places;
	double *shares = memory_new(count, sizeof(shares[0]));
	int most = 1;

	for (size_t i = 0; i < count; i++) {
		int digits = digits_of(matrix.sums[i].messages);

		most = digits > most ? digits : most;
	}
	for (size_t i = 0; i < count; i++)
		shares[i] = matrix.sums[i].messages
				? (double)digits_of(matrix.sums[i].messages) / most
				: -1;
	fputs(
	    "<section aria-labelledby=\"matrix\">\n<h2 id=\"matrix\">Messages by sender (rows) "
	    "and receiver <small>the fuller the colour, the more: a step for each doubling</small></h2>\n",
	    page->out);
	page_write_heat(page, &(struct page_heat){
				  .css = "messages",
				  .label = "how many messages each rank sent to each other; the "
					   "table below has the figures",
				  .rows = matrix.ranks,
				  .columns = matrix.ranks,
				  .row = "from rank",
				  .several_rows = "from ranks",
				  .column = "to rank",
				  .several_columns = "to ranks",
				  .shares = shares,
				  .context = &matrix,
				  .describe = describe_pair,
			      });
	fputs("</section>\n", page->out);
	free(matrix.sums);
	free(shares);
}

static int compare_pairs(const void *first, const void *second)
{
	const struct mpi_pair *one = first, *other = second;

	if (one->bytes != other->bytes)
		return one->bytes < other->bytes ? 1 : -1;
	if (one->messages != other->messages)
		return one->messages < other->messages ? 1 : -1;
	if (one->sender != other->sender)
		return one->sender < other->sender ? -1 : 1;
	return (one->receiver > other->receiver) - (one->receiver < other->receiver);
}

static void write_rank_cell(const struct page *page, uint32_t process)
{
	if (process == ARCHIVE_NO_INDEX)
		fputs("<td data-v=\"-1\"></td>", page->out);
	else
		fprintf(page->out, "<td data-v=\"%" PRIu32 "\">rank %" PRIu32 "</td>", process,
		    process);
}

static void write_pairs(const struct page *page)
{
	static const struct page_column columns[] = {{"from", NULL}, {"to", NULL},
	    {"messages", NULL}, {"bytes", "of all messages"}, {"mean bytes", "of a message"}};
	const struct mpi *mpi = page->analysis->mpi;
	size_t count = mpi->pair_count;
	size_t shown = count < PAGE_SHORT_ROWS_MAX ? count : PAGE_SHORT_ROWS_MAX;
	struct mpi_pair *pairs = memory_new(count, sizeof(pairs[0]));

	for (size_t i = 0; i < count; i++)
		pairs[i] = mpi->pairs[i];
	qsort(pairs, count, sizeof(pairs[0]), compare_pairs);
	page_start_table(page, "pairs", "Messages", "", columns, COUNT_OF(columns));
	for (size_t i = 0; i < shown; i++) {
		fputs("<tr>", page->out);
		write_rank_cell(page, pairs[i].sender);
		write_rank_cell(page, pairs[i].receiver);
		page_write_count(page, pairs[i].messages);
		page_write_count(page, pairs[i].bytes);
		page_write_count(page, pairs[i].bytes / pairs[i].messages);
		fputs("</tr>\n", page->out);
	}
	page_end_table(page, shown, count, "messages --matrix");
	free(pairs);
}

/* The kind of wait that took most of the call's waiting time; MPI_WAITS if it did not wait. */
static int main_wait(const struct rank_region *region)
{
	int most = MPI_WAITS;

	for (int i = 0; i < MPI_WAITS; i++) {
		if (region->waits[i] > 0 &&
		    (most == MPI_WAITS || region->waits[i] > region->waits[most]))
			most = i;
	}
	return most;
}

static void write_call(
    const struct page *page, const struct rank_region *region, const bool *waits, uint64_t most)
{
	const struct analysis *analysis = page->analysis;
	int wait = main_wait(region);

	fputs("<tr><td class=\"place\">", page->out);
	page_write_name(page, region->call);
	fputs("</td><td class=\"place\">", page->out);
	page_write_name(page, region->caller);
	fputs("</td>", page->out);
	page_write_count(page, region->visits);
	page_write_time(page, analysis_nanoseconds(analysis, region->time), most);
	page_write_time(page, analysis_nanoseconds(analysis, region->transfer), most);
	for (int i = 0; i < MPI_WAITS; i++) {
		if (waits[i])
			page_write_time(
			    page, analysis_nanoseconds(analysis, region->waits[i]), most);
	}
	write_rank_cell(page, wait == MPI_WAITS ? ARCHIVE_NO_INDEX : region->waited_most[wait]);
	write_rank_cell(page, wait == MPI_WAITS ? ARCHIVE_NO_INDEX : region->late_most[wait]);
	fputs("</tr>\n", page->out);
}

/* Only kinds of waits that occurred have columns; rows with the longest waits come first. */
static void write_calls(const struct page *page)
{
	struct page_column columns[7 + MPI_WAITS] = {{"function", NULL},
	    {"in", "the construct around it"}, {"calls", "of all threads"},
	    {"thread time", "of all threads: transfer and what was waited for"},
	    {"transfer", "thread time without waiting"}};
	struct rank_regions found = ranks_regions(page->analysis);
	size_t shown = found.count < PAGE_SHORT_ROWS_MAX ? found.count : PAGE_SHORT_ROWS_MAX;
	size_t count = 5;
	bool waits[MPI_WAITS] = {false};
	uint64_t most = 0;

	for (size_t i = 0; i < found.count; i++) {
		most = found.regions[i].time > most ? found.regions[i].time : most;
		for (int wait = 0; wait < MPI_WAITS; wait++)
			waits[wait] |= found.regions[i].waits[wait] > 0;
	}
	for (int wait = 0; wait < MPI_WAITS; wait++) {
		if (waits[wait])
			columns[count++] = (struct page_column){
			    mpi_wait_names[wait].title, "thread time of waits"};
	}
	columns[count++] = (struct page_column){"waited most", "the rank"};
	columns[count++] = (struct page_column){"late", "the rank that was waited for most"};
	page_start_table(page, "calls", "Calls of MPI",
	    "thread time: transfer and what was waited for; late: the rank that was waited for most",
	    columns, count);
	for (size_t i = 0; i < shown; i++)
		write_call(
		    page, &found.regions[i], waits, analysis_nanoseconds(page->analysis, most));
	page_end_table(page, shown, found.count, "messages");
	ranks_free_regions(&found);
}

void page_write_messages(const struct page *page)
{
	const struct mpi *mpi = page->analysis->mpi;

	if (!mpi_was_called(mpi))
		return;
	write_calls(page);
	if (mpi->pair_count == 0)
		return;
	if (!archive_is_of_one_process(page->analysis->archive))
		write_matrix(page);
	write_pairs(page);
}
