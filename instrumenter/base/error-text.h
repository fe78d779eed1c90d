/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong, for a caller that reports it. */
#ifndef ERROR_TEXT_H
#define ERROR_TEXT_H

#include <stdbool.h>

/* Sets *error (heap, NULL if memory ran out). Returns false, so that a function can return it. */
bool error_set(char **error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
