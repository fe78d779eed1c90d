/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the leading options twice. */
#include "one-operand.h"

#include "error-text.h"

bool options_read_around(const struct option_table *table, const char *const *words, void *options,
    const bool *help, const char **operand, const char *expected, char **error)
{
	int count = option_read_leading(table, words, options, error);

	if (count < 0 || *help)
		return count >= 0;
	words += count;
	if (words[0] == NULL)
		return error_set(
		    error, "expected %s; see 'ompinst %s --help'", expected, table->subcommand);
	*operand = *words++;
	count = option_read_leading(table, words, options, error);
	if (count >= 0 && words[count] != NULL && !*help)
		return error_set(
		    error, "'%s': expected %s and nothing else", words[count], expected);
	return count >= 0;
}
