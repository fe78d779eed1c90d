/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far apart two names are, for "did you mean": commands, options and settings that somebody
 * misspelt.
 */
#ifndef SHARED_EDIT_DISTANCE_H
#define SHARED_EDIT_DISTANCE_H

#include <stddef.h>
#include <string.h>

#define EDIT_DISTANCE_FAR 64 /* also the distance of names that are longer */

/*
 * How many letters must be put in, taken out or changed to make one name the other (Levenshtein).
 * left need not end with a null byte. Writes no memory but the stack.
 */
static inline size_t edit_distance(const char *left, size_t left_length, const char *right)
{
	size_t row[EDIT_DISTANCE_FAR];
	size_t width = strlen(right);

	if (width >= EDIT_DISTANCE_FAR || left_length >= EDIT_DISTANCE_FAR)
		return EDIT_DISTANCE_FAR;
	for (size_t i = 0; i <= width; i++)
		row[i] = i;
	for (size_t line = 1; line <= left_length; line++) {
		size_t diagonal = row[0];
		row[0] = line;
		for (size_t i = 1; i <= width; i++) {
			size_t best = diagonal + (left[line - 1] != right[i - 1]);
			best = row[i] + 1 < best ? row[i] + 1 : best;
			best = row[i - 1] + 1 < best ? row[i - 1] + 1 : best;
			diagonal = row[i];
			row[i] = best;
		}
	}
	return row[width];
}

#endif
