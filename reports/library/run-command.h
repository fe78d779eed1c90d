/* SPDX-License-Identifier: BSD-3-Clause */
/* From the words of a command line to a command's exit status. */
#ifndef RUN_COMMAND_H
#define RUN_COMMAND_H

#include "commands.h"

/*
 * Runs the command of the first word with the others, which it puts into another order. With a
 * taker, only commands that make a table, which then gets it. Returns the exit status.
 */
int run_command(int count, char **words, const struct table_taker *taker);

/*
 * Reads the words of a command into the options, whose filters record in *matches what they match.
 * Returns 0, or the exit status plus one.
 */
int run_command_read(struct options *options, struct option_matches *matches,
    const struct command *command, int count, char **words);

/* Returns NULL for a word that is no command. */
const struct command *run_command_find(const char *word);

/*
 * Returns 2 after a message if a filter matched nothing, so that a script does not take a mistyped
 * filter for a good result, else the status.
 */
int run_command_check(const struct options *options, int status);

#endif
