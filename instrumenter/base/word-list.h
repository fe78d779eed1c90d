/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A growing list of strings, mostly for command lines. If memory runs out, the list remembers it,
 * so that single additions return nothing; words_vector(), which is called before the list is used,
 * then returns NULL.
 */
#ifndef WORD_LIST_H
#define WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct words {
	char **items; /* count strings and a NULL; NULL while the list is empty */
	size_t count, capacity;
	bool failed; /* an addition failed */
};

/* Every addition copies its argument. */
void words_add(struct words *words, const char *word);
void words_add_bytes(struct words *words, const char *bytes, size_t length);
void words_add_format(struct words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void words_add_all(struct words *words, const char *const *vector);
void words_add_list(struct words *words, const struct words *more);
/* Adds the words of a text that are separated by blanks, such as "ccache gcc". */
void words_add_text(struct words *words, const char *text);

/* The list as an argument vector, or NULL if an addition failed. */
char **words_vector(const struct words *words);

/*
 * A vector of words (NULL-terminated) as one line that a shell reads back as these words (heap);
 * NULL if memory ran out.
 */
char *words_command_line(char *const *vector);

/* The size in bytes of the list as a program's arguments, including pointers. */
size_t words_size(const struct words *words);

void words_finish(struct words *words);

#endif
