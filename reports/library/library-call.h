/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call of the library at a time.
 *
 * Who sees what: the streams, and the state of the OTF2 library, belong to the thread between
 * call_begin() and call_end(), which gives them back before another one begins.
 */
#ifndef LIBRARY_CALL_H
#define LIBRARY_CALL_H

#include <stdio.h>

/* The words of a call, which a command may put into another order. */
struct call_words {
	char **items;
	int count;
};

/* `from` ends with NULL. Output and messages of commands go to these streams. */
struct call_words call_begin(const char *const *from, FILE *output, FILE *messages);
void call_end(struct call_words *words);

#endif
