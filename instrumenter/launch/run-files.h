/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a command that runs a program: the folder of the logs, and the report. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include "scratch.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Makes the folder of the logs, by a name that has none of the `unwanted` characters, because a
 * variable has to hold it; the message says `expected`, "without a comma in its name". False after
 * a message.
 */
bool run_folder_make(struct scratch *scratch, const char *unwanted, const char *expected);

/*
 * Opens the file of --output for the report. Without a path *out becomes NULL, which is an error
 * unless the report is text: its message begins with `others`, "--format=json needs". False after a
 * message.
 */
bool run_report_open(FILE **out, const char *path, bool is_text, const char *others);

#endif
