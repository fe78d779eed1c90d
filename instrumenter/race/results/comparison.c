/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares texts line by line, and the words of the first different lines as numbers. */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_SHOWN = 160 };

static const char *shown(struct inst_arena *arena, const char *line, size_t length)
{
	if (length <= LONGEST_SHOWN)
		return arena_copy(arena, line, length);
	return arena_format(arena, "%.*s...", LONGEST_SHOWN, line);
}

/* The value of a word of this length, including Fortran's 1.0D0; false if it is not a number. */
static bool read_number(const char *word, size_t length, double *number)
{
	char text[64], *end;

	if (length == 0 || length >= sizeof text)
		return false;
	for (size_t i = 0; i < length; i++)
		text[i] = (char)(word[i] == 'd' || word[i] == 'D' ? 'e' : word[i]);
	text[length] = '\0';
	*number = strtod(text, &end);
	return end != text && (*end == '\0' || strchr(",;:)]", *end) != NULL);
}

/* Skips blanks and separators before numbers: "sum=1.5", "(1.5". */
static const char *next_word(const char *at, size_t *length)
{
	at += strspn(at, " \t=(:,[");
	*length = strcspn(at, " \t=(:,[");
	return at;
}

static void compare_numbers(const char *left, const char *right, struct race_difference *difference)
{
	size_t left_length, right_length;
	double one, other;

	for (;;) {
		left = next_word(left, &left_length);
		right = next_word(right, &right_length);
		if (left_length == 0 || right_length == 0)
			return;
		if (left_length != right_length || memcmp(left, right, left_length) != 0)
			break;
		left += left_length;
		right += right_length;
	}
	if (!read_number(left, left_length, &one) || !read_number(right, right_length, &other))
		return;
	double size = fabs(one) > fabs(other) ? fabs(one) : fabs(other);
	difference->is_numeric = true;
	difference->relative = size > 0 ? fabs(one - other) / size : 0;
}

bool race_compare(struct inst_arena *arena, const char *left, const char *right,
    struct race_difference *difference)
{
	*difference = (struct race_difference){.line = 1};
	if (left == NULL || right == NULL)
		return left != right;
	while (*left != '\0' || *right != '\0') {
		size_t left_length = strcspn(left, "\n"), right_length = strcspn(right, "\n");
		if (left_length != right_length || memcmp(left, right, left_length) != 0 ||
		    left[left_length] != right[right_length]) {
			difference->left = *left != '\0' ? shown(arena, left, left_length) : NULL;
			difference->right =
			    *right != '\0' ? shown(arena, right, right_length) : NULL;
			if (difference->left != NULL && difference->right != NULL)
				compare_numbers(difference->left, difference->right, difference);
			return true;
		}
		left += left_length + (left[left_length] == '\n');
		right += right_length + (right[right_length] == '\n');
		difference->line++;
	}
	return false;
}
