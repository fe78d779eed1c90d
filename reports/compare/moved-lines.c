/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries the distances between the heaviest lines of both sides. */
#include "moved-lines.h"

#include <stdlib.h>

enum {
	HEAVIEST = 16, /* of each side */
	ROUNDS = 2     /* a change within a function has lines before it and after it */
};

/* Returns the number of the heaviest lines that are not matched; their places are in `heaviest`. */
static size_t find_heaviest(struct function_lines lines, size_t heaviest[HEAVIEST])
{
	size_t count = 0;

	for (size_t i = 0; i < lines.count; i++) {
		size_t at = count;

		if (lines.lines[i].is_matched)
			continue;
		if (count < HEAVIEST)
			count++;
		/* The lighter ones make room; of too many the last one leaves. */
		for (; at > 0 && lines.lines[heaviest[at - 1]].weight < lines.lines[i].weight; at--)
			if (at < HEAVIEST)
				heaviest[at] = heaviest[at - 1];
		if (at < HEAVIEST)
			heaviest[at] = i;
	}
	return count;
}

/* A use of two lines that are so far apart. */
typedef uint64_t use_pair(void *context, struct function_line *a, struct function_line *b);

/* Adds up what `use` returns for all pairs of unmatched lines at that distance. */
static uint64_t for_pairs(struct function_lines a, struct function_lines b, int64_t distance,
    use_pair *use, void *context)
{
	uint64_t sum = 0;

	for (size_t i = 0, j = 0; i < a.count && j < b.count;) {
		int64_t moved = a.lines[i].line + distance, line = b.lines[j].line;

		if (moved == line && !a.lines[i].is_matched && !b.lines[j].is_matched)
			sum += use(context, &a.lines[i], &b.lines[j]);
		i += moved <= line;
		j += moved >= line;
	}
	return sum;
}

static uint64_t common_weight(void *context, struct function_line *a, struct function_line *b)
{
	(void)context;
	return a->weight < b->weight ? a->weight : b->weight;
}

/* Returns false if no two lines are left. */
static bool find_distance(struct function_lines a, struct function_lines b, int64_t *distance)
{
	size_t of_a[HEAVIEST], of_b[HEAVIEST];
	size_t count_a = find_heaviest(a, of_a), count_b = find_heaviest(b, of_b);
	uint64_t best = 0;
	bool found = false;

	for (size_t i = 0; i < count_a; i++) {
		for (size_t j = 0; j < count_b; j++) {
			int64_t tried = (int64_t)b.lines[of_b[j]].line - a.lines[of_a[i]].line;
			uint64_t weight = for_pairs(a, b, tried, common_weight, NULL);

			if (found &&
			    (weight < best || (weight == best && llabs(tried) >= llabs(*distance))))
				continue;
			best = weight;
			*distance = tried;
			found = true;
		}
	}
	return found;
}

struct matching {
	void (*match)(void *context, size_t of_a, size_t of_b);
	void *context;
};

static uint64_t match_pair(void *context, struct function_line *a, struct function_line *b)
{
	const struct matching *matching = context;

	matching->match(matching->context, a->index, b->index);
	a->is_matched = b->is_matched = true;
	return 0;
}

void match_moved_lines(struct function_lines a, struct function_lines b,
    void (*match)(void *context, size_t of_a, size_t of_b), void *context)
{
	struct matching matching = {match, context};
	int64_t distance = 0;

	for (int round = 0; round < ROUNDS && find_distance(a, b, &distance); round++)
		for_pairs(a, b, distance, match_pair, &matching);
}
