/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with a command line that the compiler's own message would not name. */
#ifndef MISTAKE_H
#define MISTAKE_H

/*
 * The words behind ompinst's own options, at least one. Returns what is wrong with them (heap): an
 * option that nobody knows, or another program where the compiler is expected; NULL for nothing.
 */
char *mistake_find(const char *const *words);

#endif
