/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst race`: compiles programs for finding data races, and runs them to find races. */
#ifndef RACE_COMMAND_H
#define RACE_COMMAND_H

/* Handles the words after `race`. Returns the exit code, unless it becomes a compiler. */
int race_main(const char *const *words);

#endif
