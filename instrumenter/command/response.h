/* SPDX-License-Identifier: BSD-3-Clause */
/* Response files: `@FILE` on a command line stands for the words in FILE. */
#ifndef RESPONSE_H
#define RESPONSE_H

#include "word-list.h"

/*
 * Adds the words of vector (NULL-terminated) to *out, with every `@FILE` replaced, recursively, by
 * the words of FILE. They are read as gcc and clang do: blanks separate, '...' and "..." group, \
 * makes the next character literal. If FILE cannot be read, the word stays unchanged, as in the
 * compilers. Returns 0, or -1 if files include each other endlessly.
 */
int response_expand(const char *const *vector, struct words *out);

/* Writes words to path so that response_expand() and the compilers read them back unchanged. */
int response_write(const char *path, char *const *vector);

#endif
