/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A growing list of strings, for command lines above all. That memory ran out is remembered instead
 * of returned by each call; before the list is used, words_vector() returns NULL then.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
	char **items; /* count strings and a NULL, or NULL while nothing was added */
	size_t count, capacity;
	bool failed; /* an addition was lost */
};

/* Every addition copies its argument. */
void words_add(struct words *words, const char *word);
void words_add_bytes(struct words *words, const char *bytes, size_t length);
void words_add_format(struct words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void words_add_all(struct words *words, const char *const *vector);
void words_add_list(struct words *words, const struct words *more);
/* The words of a text with blanks between them, such as "ccache gcc". */
void words_add_text(struct words *words, const char *text);

/* The list as an argument vector, or NULL when an addition was lost. */
char **words_vector(const struct words *words);

/*
 * A vector of words (NULL-terminated) as one line that a shell reads back as these words (heap);
 * NULL when memory ran out.
 */
char *words_command_line(char *const *vector);

/* The size of the list as a program's arguments in bytes, pointers included. */
size_t words_size(const struct words *words);

void words_finish(struct words *words);

#endif
