/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes in a command line that the compiler's own message would not name. */
#ifndef MISTAKE_H
#define MISTAKE_H

/*
 * Checks the words after ompinst's own options, at least one. Returns what is wrong with them
 * (heap): an unknown option, or another program in the compiler's place; NULL if nothing is wrong.
 */
char *mistake_find(const char *const *words);

#endif
