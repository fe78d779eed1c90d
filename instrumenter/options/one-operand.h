/* SPDX-License-Identifier: BSD-3-Clause */
/* Options around one other word. */
#ifndef ONE_OPERAND_H
#define ONE_OPERAND_H

#include "common/option-table.h"

#include <stdbool.h>

/*
 * Reads words (NULL-terminated): options, the operand, options. expected: what the operand is, for
 * a message. With *help, a flag among the options, *operand may stay NULL. False with *error (heap,
 * or NULL if memory ran out).
 */
bool options_read_around(const struct option_table *table, const char *const *words, void *options,
    const bool *help, const char **operand, const char *expected, char **error);

#endif
