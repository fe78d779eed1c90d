/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs that make the manual pages and the shell's completion print of an option table,
 * during the build: on standard output.
 */
#ifndef COMMON_OPTION_PAGES_H
#define COMMON_OPTION_PAGES_H

#include "common/option-table.h"
#include "common/troff.h"

/* An item of a list for each option: its names, its value, its help as a sentence. */
void troff_print_options(const struct option_table *table);

/*
 * The words that can be completed to, blanks between them: "--name", "--name=" where a value has to
 * follow, "--name=VALUE" for each value where they are a choice.
 */
void completion_print_words(const struct option_table *table);

/*
 * A function of bash, _NAME_words WORDS..., that offers those words that continue what is typed.
 * bash takes "--name=val" for three words; the function joins them again.
 */
void completion_print_function(const char *name);

#endif
