/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a file contains that is instrumented as it is written, by what the preprocessor makes of it.
 */
#ifndef EXPANSION_H
#define EXPANSION_H

#include "engine-process.h"
#include "text-file.h"

/* Lines of a file, ascending, each once. */
struct expansion_lines {
	int *numbers;      /* heap */
	char **directives; /* heap, as are they: what follows `omp` there; NULL: none, or several */
	size_t count, number_capacity, directive_capacity;
};

/*
 * Collects the lines of file on which the preprocessed text shows a pragma or an attribute. Returns
 * 0, or -1 when memory ran out.
 */
int expansion_find_active_lines(
    const struct text_file *expanded, const char *file, struct expansion_lines *lines);

void expansion_lines_finish(struct expansion_lines *lines);

/*
 * How many directives of OpenMP and pomp the whole text shows, those of headers and macros among
 * them.
 */
size_t expansion_count_directives(const struct text_file *expanded);

/*
 * Adds to the constructs of the file's text those of `expanded` that it does not show. What would
 * have been instrumented there counts as skipped, because of the macro or header it comes from.
 * Their strings stay with `expanded`.
 */
void expansion_add_hidden(
    struct engine_result *result, const struct engine_result *expanded, const char *file);

#endif
