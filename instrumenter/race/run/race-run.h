/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst race run`: runs a program several times and reports its data races. */
#ifndef RACE_RUN_H
#define RACE_RUN_H

/* Handles the words after `race run`. Returns the exit code. */
int race_run_main(const char *const *words);

#endif
