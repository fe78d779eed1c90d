/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes settings of the process while it runs: for pomp_control() and `ompinst control`. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stdio.h>

/* At the start: lets the child of a fork use it, too. */
void pomp_control_prepare(void);

/*
 * Does what the lines of the text ask for (NAME=VALUE), all of them or none, and prints the state
 * then: a line NAME=VALUE for each setting. An empty text changes nothing. Returns 0, or an errno
 * value with one line printed that says why not: EINVAL for a text that is none, ERANGE for a value
 * out of range, ENOTSUP for what this process cannot change, and what opening a file has returned.
 * Takes a lock: not for signal handlers.
 */
int pomp_control_change(const char *text, FILE *say);

#endif
