/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pictures of ranks as text. Locations are ordered by process, so that the locations of a process
 * are a range.
 */
#include "rank-pictures.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/summary-figures.h"
#include "memory.h"
#include "rank-times.h"

#define ROW_NAME 22 /* "75 %   rank 123456" */

/* One process's threads that have events and are chosen. */
struct row {
	uint32_t process;
	size_t count, room;
	double *shares; /* by thread: the share of the run that it waited */
	double mean;
};

struct rows {
	struct row *rows;
	size_t count, room, threads; /* threads: the most of one row */
};

static void add_thread(struct rows *rows, uint32_t process, double share)
{
	struct row *row = rows->count ? &rows->rows[rows->count - 1] : NULL;

	if (!row || row->process != process) {
		row = MEMORY_ADD(rows->rows, rows->room, rows->count);
		row->process = process;
	}
	*MEMORY_ADD(row->shares, row->room, row->count) = share;
	row->mean += (share - row->mean) / (double)row->count;
	if (row->count > rows->threads)
		rows->threads = row->count;
}

static struct rows find_rows(const struct analysis *analysis, const bool *counted)
{
	struct rows rows = {0};

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		struct rank_thread thread = ranks_thread(analysis, i);

		if (analysis->threads[i].seen && counted[i] && thread.execution > 0)
			add_thread(&rows, thread.process,
			    (double)ranks_wait(&thread) / (double)thread.execution);
	}
	return rows;
}

static char letter_of(double share)
{
	int tenths = (int)(share * 10 + 0.5);

	return ".123456789#"[tenths <= 0 ? 0 : tenths >= 10 ? 10 : tenths];
}

/* Threads that share a letter show their mean. */
static void print_row(FILE *out, const struct row *row, size_t threads, size_t letters)
{
	for (size_t letter = 0; letter < letters; letter++) {
		size_t from = letter * threads / letters, to = (letter + 1) * threads / letters;
		double sum = 0;
		size_t count = 0;

		for (size_t i = from; i < to && i < row->count; i++, count++)
			sum += row->shares[i];
		fputc(count ? letter_of(sum / (double)count) : ' ', out);
	}
	fputc('\n', out);
}

static int compare_rows(const void *left, const void *right)
{
	const struct row *one = left, *other = right;

	if (one->mean != other->mean)
		return one->mean < other->mean ? -1 : 1;
	return one->process < other->process ? -1 : one->process > other->process;
}

static void print_quantiles(FILE *out, struct rows *rows, size_t letters)
{
	static const int percents[] = {0, 10, 25, 50, 75, 90, 100};
	char name[40];

	qsort(rows->rows, rows->count, sizeof(rows->rows[0]), compare_rows);
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		const struct row *row = &rows->rows[(rows->count - 1) * (size_t)percents[i] / 100];

		snprintf(name, sizeof(name), "%3d %%   rank %u", percents[i], row->process);
		fprintf(out, " %-*s ", ROW_NAME, name);
		print_row(out, row, rows->threads, letters);
	}
}

char *rank_picture_waits(
    const struct analysis *analysis, const bool *counted, int width, size_t most)
{
	struct rows rows = find_rows(analysis, counted);
	size_t size = 0, letters = (size_t)(width - ROW_NAME - 2);
	char *picture = NULL;
	FILE *out = rows.count ? open_memstream(&picture, &size) : NULL;

	if (letters > rows.threads)
		letters = rows.threads;
	if (out) {
		fputs("WAITS by thread in tenths of the run (. few, # all)\n", out);
		if (most > 0 && rows.count > most)
			fprintf(out, " %zu ranks by how much they waited, those at\n", rows.count);
		if (letters < rows.threads)
			fprintf(out, " %zu threads in %zu letters, means\n", rows.threads, letters);
		if (most > 0 && rows.count > most)
			print_quantiles(out, &rows, letters);
		else
			for (size_t i = 0; i < rows.count; i++) {
				fprintf(out, " rank %-*u ", ROW_NAME - 5, rows.rows[i].process);
				print_row(out, &rows.rows[i], rows.threads, letters);
			}
		if (fclose(out) != 0)
			picture = NULL;
	}
	for (size_t i = 0; i < rows.count; i++)
		free(rows.rows[i].shares);
	free(rows.rows);
	return picture;
}

enum { NAME_WIDTH = 14, CELL_WIDTH = 8 }; /* "rank 1020-1023", " 123.4k" */

static void print_name(FILE *out, size_t from, size_t to, int width)
{
	char name[48];

	if (to - from > 1)
		snprintf(name, sizeof(name), "%zu-%zu", from, to - 1);
	else
		snprintf(name, sizeof(name), "%zu", from);
	fprintf(out, " %*s", width, name);
}

/* Sums over cells; there are as many rows as columns. */
static uint64_t *fold_pairs(const struct mpi *mpi, size_t processes, size_t cells)
{
	uint64_t *sums = memory_new(cells * cells, sizeof(sums[0]));

	for (size_t i = 0; i < mpi->pair_count; i++) {
		size_t row = mpi->pairs[i].sender * cells / processes;
		size_t column = mpi->pairs[i].receiver * cells / processes;

		sums[row * cells + column] += mpi->pairs[i].messages;
	}
	return sums;
}

/* The first process of a cell: the lowest one that folding puts there. */
static size_t cell_begin(size_t cell, size_t processes, size_t cells)
{
	return (cell * processes + cells - 1) / cells;
}

char *rank_picture_messages(const struct analysis *analysis, int width)
{
	size_t processes = analysis->archive->group_count;
	size_t cells = (size_t)(width - NAME_WIDTH - 1) / (CELL_WIDTH + 1), size = 0;
	char *picture = NULL;
	uint64_t *sums;
	FILE *out;

	if (!analysis->mpi || analysis->mpi->pair_count == 0)
		return NULL;
	if (cells > processes)
		cells = processes;
	out = open_memstream(&picture, &size);
	if (!out)
		return NULL;
	sums = fold_pairs(analysis->mpi, processes, cells);
	fprintf(out, "MESSAGES by ranks, from row to column\n %*s", NAME_WIDTH, "");
	for (size_t i = 0; i < cells; i++)
		print_name(out, cell_begin(i, processes, cells),
		    cell_begin(i + 1, processes, cells), CELL_WIDTH);
	fputc('\n', out);
	for (size_t row = 0; row < cells; row++) {
		print_name(out, cell_begin(row, processes, cells),
		    cell_begin(row + 1, processes, cells), NAME_WIDTH);
		for (size_t column = 0; column < cells; column++) {
			char text[SUMMARY_FIGURE_SIZE];
			uint64_t sum = sums[row * cells + column];

			fprintf(
			    out, " %*s", CELL_WIDTH, sum ? summary_format_count(text, sum) : ".");
		}
		fputc('\n', out);
	}
	free(sums);
	return fclose(out) == 0 ? picture : NULL;
}
