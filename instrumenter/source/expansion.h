/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of a file that is instrumented as written, as the preprocessor's output shows them.
 */
#ifndef EXPANSION_H
#define EXPANSION_H

#include "engine-process.h"
#include "text-file.h"

/* Lines of a file, ascending, each once. */
struct expansion_lines {
	int *numbers; /* heap */
	char **
	    directives; /* heap, and so are the texts: what follows `omp`; NULL: none, or several */
	size_t count, number_capacity, directive_capacity;
};

/*
 * Collects the lines of file on which the preprocessed text shows a pragma or an attribute. Returns
 * 0, or -1 if memory ran out.
 */
int expansion_find_active_lines(
    const struct text_file *expanded, const char *file, struct expansion_lines *lines);

void expansion_lines_finish(struct expansion_lines *lines);

/*
 * How many directives of OpenMP and pomp the whole text shows, including those of headers and
 * macros.
 */
size_t expansion_count_directives(const struct text_file *expanded);

/*
 * Adds those constructs of `expanded` that the file's text does not show. A construct that would
 * have been instrumented counts as skipped, because it comes from a macro or header. The strings
 * still belong to `expanded`.
 */
void expansion_add_hidden(
    struct engine_result *result, const struct engine_result *expanded, const char *file);

#endif
