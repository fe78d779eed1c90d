/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "Did you mean": the known name that is most similar to a misspelt one. Commands, options,
 * settings and constructs share the same limit, so a suggestion is never a guess.
 */
#ifndef COMMON_NEAREST_WORD_H
#define COMMON_NEAREST_WORD_H

#include <stddef.h>
#include <string.h>

#define EDIT_DISTANCE_FAR 64 /* also the distance of names that are longer */

/*
 * Returns how many letters must be inserted, removed or changed to turn one name into the other
 * (Levenshtein). `left` need not be NUL-terminated. It writes only to the stack.
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

/* What was written, and the most similar name offered so far. */
struct nearest_word {
	const char *written;
	size_t length;    /* of `written`, which need not be NUL-terminated */
	const char *name; /* NULL: none is similar */
	size_t changes;
};

/* At most two letters may differ, in a long name a fifth of them, and always fewer than half. */
static inline void nearest_word_offer(struct nearest_word *nearest, const char *name)
{
	size_t changes = edit_distance(nearest->written, nearest->length, name);

	if ((changes > 2 && 5 * changes > nearest->length) || 2 * changes >= nearest->length ||
	    (nearest->name != NULL && changes >= nearest->changes))
		return;
	nearest->name = name;
	nearest->changes = changes;
}

#endif
