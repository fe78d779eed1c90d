/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the text of an environment variable from left to right. Each function skips blanks first,
 * moves *text past what it took, and leaves *text alone when it returns false. Case never matters.
 */
#ifndef RT_VALUE_SCAN_H
#define RT_VALUE_SCAN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True when only blanks are left. */
bool rt_scan_end(const char **text);

/* Takes one given character. */
bool rt_scan_char(const char **text, char wanted);

/* Takes the given word; a longer word that begins with it is not it. */
bool rt_scan_word(const char **text, const char *word);

/* Takes a decimal number, also with a plus sign; false also if it is greater than max. */
bool rt_scan_number(const char **text, uint64_t max, uint64_t *value);

/* The same with either sign, for values within -max .. max. */
bool rt_scan_signed(const char **text, int64_t max, int64_t *value);

#endif
