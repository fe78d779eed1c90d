/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs that generate the manual pages and the shell completion during the build print
 * for an option table, on standard output.
 */
#ifndef COMMON_OPTION_PAGES_H
#define COMMON_OPTION_PAGES_H

#include "common/option-table.h"
#include "common/troff.h"

/* Prints a list with one item per option: its names, its value, its help as a sentence. */
void troff_print_options(const struct option_table *table);

/*
 * Prints the words for completion, separated by blanks: "--name", "--name=" if a value must follow,
 * "--name=VALUE" for each value if they are a choice.
 */
void completion_print_words(const struct option_table *table);

/*
 * Prints a bash function, _NAME_words WORDS..., that offers the words that continue what is typed.
 * bash splits "--name=val" into three words; the function joins them again.
 */
void completion_print_function(const char *name);

#endif
