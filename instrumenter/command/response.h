/* SPDX-License-Identifier: BSD-3-Clause */
/* Response files: `@FILE` on a command line stands for the words in FILE. */
#ifndef RESPONSE_H
#define RESPONSE_H

#include "words.h"

/*
 * Adds the words of vector (NULL-terminated) to *out with every `@FILE` replaced, recursively, by
 * the words of FILE as gcc and clang read it: blanks separate, '...' and "..." group, \ takes the
 * next character literally. A FILE that cannot be read stays as it is, as the compilers leave it.
 * Returns 0, or -1 when files include each other without end.
 */
int response_expand(const char *const *vector, struct words *out);

/* Writes words to path so that response_expand() and the compilers read them back unchanged. */
int response_write(const char *path, char *const *vector);

#endif
