/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst tune`: searches the environment with which a program gets faster. */
#ifndef TUNE_COMMAND_H
#define TUNE_COMMAND_H

/* Handles the words after `tune`. Returns the exit code. */
int tune_main(const char *const *words);

#endif
