/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a JSON text (RFC 8259) and names each value by its path. */
#ifndef COMMON_JSON_READER_H
#define COMMON_JSON_READER_H

#include <stddef.h>

/* Objects and arrays inside of each other that are read, and bytes of a path or a text. */
enum { JSON_DEEPEST = 16, JSON_LONGEST = 1024 };

/*
 * One text, number, true, false or null: `path` has keys and numbers of elements with '/' between
 * them, as in "settings/3/gain"; `text` is the text without quotes, or the value as written. Longer
 * ones are cut. Arrays and objects themselves are not visited.
 */
typedef void json_visit(void *context, const char *path, const char *text);

/* Visits all values in their order. Returns 0, or -1 if it is no JSON, or too deep. */
int json_read(const char *bytes, size_t length, json_visit *visit, void *context);

#endif
