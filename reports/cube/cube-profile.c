/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The binary files of a profile. N.index: "CUBEX.INDEX", the number 1 in the byte order of both
 * files, a version (0), the kind of index (1: sparse), the number of rows, and the call paths of
 * the rows, in ascending order. Indices of metrics without what is called count the call tree in
 * depth, as anchor.xml does. N.data: "CUBEX.DATA", and of each row a value of eight bytes for each
 * location. All is little-endian, on every machine.
 */
#include "cube-profile.h"

#include <stdlib.h>
#include <string.h>

#include "call-sums.h"
#include "cube-anchor.h"
#include "cube-metrics.h"
#include "cube-system.h"
#include "memory.h"
#include "tar-file.h"

#define INDEX_MARK "CUBEX.INDEX"
#define DATA_MARK  "CUBEX.DATA"

enum { INDEX_SPARSE = 1, VALUE_BYTES = 8, NAME_ROOM = 32 };

struct writing {
	const struct archive *archive;
	FILE *out;
	struct cube_system system;
	struct call_sums sums;
};

static void put_number(FILE *out, uint64_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		fputc((int)(number >> 8 * i & 0xff), out);
}

static void put_value(struct writing *writing, const struct cube_metric *metric, uint64_t value)
{
	const struct export export = {.archive = writing->archive};
	union {
		double seconds;
		uint64_t bits;
	} real = {.seconds = 0};

	_Static_assert(sizeof(real) == VALUE_BYTES, "values have eight bytes");
	if (metric->is_count)
		real.bits = value;
	else
		real.seconds = (double)export_nanoseconds(&export, value) / 1e9;
	put_number(writing->out, real.bits, VALUE_BYTES);
}

static bool has_row(const struct call_sums *sums, const struct cube_metric *metric, uint32_t node)
{
	enum activity wait = call_sums_wait(sums, node);
	const struct call_cell *row = sums->rows[node];

	for (size_t i = 0; row && i < sums->columns; i++) {
		if (cube_metric_value(metric, &row[i], wait) > 0)
			return true;
	}
	return false;
}

/* Returns the places of the rows in the order of the call tree. */
static uint32_t *find_rows(
    const struct call_sums *sums, const struct cube_metric *metric, size_t *count)
{
	uint32_t *rows = memory_new(sums->stacks.regions.count, sizeof(rows[0]));

	*count = 0;
	for (uint32_t i = 0; i < sums->stacks.regions.count; i++) {
		if (has_row(sums, metric, sums->order[i]))
			rows[(*count)++] = i;
	}
	return rows;
}

static void begin_file(struct writing *writing, size_t metric, const char *ending, uint64_t size)
{
	char name[NAME_ROOM];

	snprintf(name, sizeof(name), "%zu.%s", metric, ending);
	tar_begin_file(writing->out, name, size);
}

static void put_index(struct writing *writing, size_t metric, const uint32_t *rows, size_t count)
{
	uint64_t size = strlen(INDEX_MARK) + 4 + 2 + 1 + 4 + (uint64_t)count * 4;

	begin_file(writing, metric, "index", size);
	fputs(INDEX_MARK, writing->out);
	put_number(writing->out, 1, 4);
	put_number(writing->out, 0, 2);
	put_number(writing->out, INDEX_SPARSE, 1);
	put_number(writing->out, count, 4);
	for (size_t i = 0; i < count; i++)
		put_number(writing->out, rows[i], 4);
	tar_end_file(writing->out, size);
}

static void put_data(struct writing *writing, size_t metric, const uint32_t *rows, size_t count)
{
	const struct call_sums *sums = &writing->sums;
	uint64_t size = strlen(DATA_MARK) + (uint64_t)count * sums->columns * VALUE_BYTES;

	begin_file(writing, metric, "data", size);
	fputs(DATA_MARK, writing->out);
	for (size_t i = 0; i < count; i++) {
		uint32_t node = sums->order[rows[i]];
		enum activity wait = call_sums_wait(sums, node);

		for (size_t j = 0; j < sums->columns; j++)
			put_value(writing, &cube_metrics[metric],
			    cube_metric_value(&cube_metrics[metric], &sums->rows[node][j], wait));
	}
	tar_end_file(writing->out, size);
}

/* A metric without values has no files. */
static void put_metric(struct writing *writing, size_t metric)
{
	size_t count;
	uint32_t *rows = find_rows(&writing->sums, &cube_metrics[metric], &count);

	if (count > 0) {
		put_index(writing, metric, rows, count);
		put_data(writing, metric, rows, count);
	}
	free(rows);
}

/* Its size, which the tar archive has before it, is known when it is written. */
static void put_anchor(struct writing *writing)
{
	char *text = NULL;
	size_t size = 0;
	FILE *anchor = memory_open_file(&text, &size);

	cube_anchor_write(anchor, writing->archive, &writing->sums, &writing->system);
	memory_close_file(anchor);
	tar_begin_file(writing->out, "anchor.xml", size);
	fwrite(text, 1, size, writing->out);
	tar_end_file(writing->out, size);
	free(text);
}

void export_cube(struct archive *archive, const struct export_choice *choice, FILE *out)
{
	struct writing writing = {.archive = archive, .out = out};

	cube_system_init(&writing.system, archive, choice);
	call_sums_read(
	    &writing.sums, archive, choice, writing.system.columns, writing.system.count);
	put_anchor(&writing);
	for (size_t i = 0; i < CUBE_METRICS; i++)
		put_metric(&writing, i);
	tar_end(out);
	call_sums_free(&writing.sums);
	cube_system_free(&writing.system);
}
