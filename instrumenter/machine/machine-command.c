/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst machine`: measures what the machine can do, unless it has been measured, and prints it.
 * The file is what --format=json prints.
 */
#include "machine-command.h"

#include "common/figure-table.h"
#include "common/json-writer.h"
#include "construct-report.h"
#include "error-text.h"
#include "machine-measure.h"
#include "machine-options.h"
#include "text-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/stat.h>

enum { DONE = 0, FAILED = 2 };

static const struct table_column columns[] = {
    {NULL, "threads", CELL_TEXT, 0, 0},
    {"threads", NULL, CELL_COUNT, 0, 0},
    {"triad_bytes_per_s", NULL, CELL_COUNT, 0, 0},
    {NULL, "triad, GB/s", CELL_FACTOR, 3, 0},
    {NULL, "of one thread's", CELL_FACTOR, 2, 0},
    {"chain_step_ns", "step, ns", CELL_FACTOR, 1, 0},
    {NULL, "clock", CELL_FACTOR, 2, 0},
    {"peak_flops_per_s", NULL, CELL_COUNT, 0, 0},
    {NULL, "Gflop/s", CELL_FACTOR, 4, 0},
};

static struct cell cell(const void *context, size_t row, size_t column, char buffer[TEXT_SIZE])
{
	const struct machine_figures *figures = context;
	const struct machine_row *of = &figures->rows[row], *one = &figures->rows[0];

	switch (column) {
	case 0:
		snprintf(buffer, TEXT_SIZE, "%u", of->threads);
		return (struct cell){.text = buffer};
	case 1:
		return (struct cell){.number = of->threads};
	case 2:
		return (struct cell){.number = (uint64_t)of->bandwidth};
	case 3:
		return (struct cell){.ratio = of->bandwidth / 1e9};
	case 4:
		return (struct cell){.ratio = of->bandwidth / one->bandwidth};
	case 5:
		return (struct cell){.ratio = of->chain_time};
	case 6:
		return (struct cell){.ratio = one->chain_time / of->chain_time};
	case 7:
		return (struct cell){.number = (uint64_t)of->peak};
	default:
		return (struct cell){.ratio = of->peak / 1e9};
	}
}

static struct figure_table make_table(const struct machine_figures *figures)
{
	return (struct figure_table){
	    .title = "MACHINE: memory's bandwidth, the clock by one thread's, arithmetic's peak",
	    .rest = "",
	    .columns = columns,
	    .column_count = sizeof columns / sizeof columns[0],
	    .rows = figures->count,
	    .text_rows = figures->count,
	    .cell = cell,
	    .context = figures,
	};
}

static void print_json(FILE *out, const struct machine_figures *figures)
{
	struct figure_table table = make_table(figures);
	struct json_writer json;

	json_start(&json, out, 2);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "format", "ompinst-machine");
	json_put_number(&json, "version", 1);
	json_begin_line(&json);
	json_put_text(&json, "processor", figures->processor);
	json_put_number(&json, "processors", figures->processors);
	json_begin_line(&json);
	json_open_array(&json, "rows");
	table_put_json_rows(&json, &table);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

static void print_text(const struct machine_figures *figures)
{
	struct figure_table table = make_table(figures);

	printf("%s, %u processors\n", figures->processor, figures->processors);
	table_print_text(stdout, &table, 80);
}

/* Makes the folders above the file that are missing. */
static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

/* Without a file, or a full disk, the figures are printed all the same. */
static void keep(char *path, const struct machine_figures *figures)
{
	char *bytes = NULL;
	size_t length;
	FILE *out = open_memstream(&bytes, &length);

	if (out == NULL)
		return;
	print_json(out, figures);
	make_folders(path);
	if (fclose(out) == 0 && text_file_replace(path, bytes, length) != 0)
		report_error(NULL, "cannot keep the figures in '%s': %s", path, strerror(errno));
	free(bytes);
}

/* Is what was kept whole, and of this machine with as many processors? */
static bool is_this_machine(const struct machine_figures *figures)
{
	char processor[sizeof figures->processor];
	cpu_set_t processors;

	machine_find_processor(processor, sizeof processor);
	return figures->rows[0].peak > 0 && strcmp(processor, figures->processor) == 0 &&
	       sched_getaffinity(0, sizeof processors, &processors) == 0 &&
	       (unsigned)CPU_COUNT(&processors) == figures->processors;
}

int machine_main(const char *const *words)
{
	struct machine_options options;
	struct machine_figures figures;
	char path[PATH_MAX], *error = NULL;
	bool has_path = machine_figures_path(path);

	if (!machine_options_read(words, &options, &error)) {
		report_error(NULL, "%s", error != NULL ? error : "out of memory");
		free(error);
		return FAILED;
	}
	if (options.help) {
		machine_options_print_help(stdout);
		return DONE;
	}
	if (options.again || !has_path || machine_figures_read(path, &figures) != 0 ||
	    !is_this_machine(&figures)) {
		if (!machine_measure(&figures, &error)) {
			report_error(NULL, "%s", error != NULL ? error : "out of memory");
			free(error);
			return FAILED;
		}
		if (has_path)
			keep(path, &figures);
	}
	if (options.json)
		print_json(stdout, &figures);
	else
		print_text(&figures);
	return fflush(stdout) == 0 ? DONE : FAILED;
}
