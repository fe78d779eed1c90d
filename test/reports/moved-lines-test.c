/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a function in two versions of its source: which of them are the same. */
#include "moved-lines.h"

#include <stdio.h>
#include <string.h>

enum { LINES = 40 };

static int failures;

/* By index in b: the index in a, or -1. */
struct matches {
	int of_b[LINES];
};

static void match(void *context, size_t of_a, size_t of_b)
{
	((struct matches *)context)->of_b[of_b] = (int)of_a;
}

/* Lists end with line 0; `wanted` has as many elements as b. */
static void check(const char *what, const int (*a)[2], const int (*b)[2], const int wanted[LINES])
{
	struct function_line of_a[LINES], of_b[LINES];
	struct function_lines one = {of_a, 0}, other = {of_b, 0};
	struct matches found;

	memset(&found, 0xff, sizeof(found));
	for (; a[one.count][0] != 0; one.count++)
		of_a[one.count] = (struct function_line){
		    a[one.count][0], (uint64_t)a[one.count][1], one.count, false};
	for (; b[other.count][0] != 0; other.count++)
		of_b[other.count] = (struct function_line){
		    b[other.count][0], (uint64_t)b[other.count][1], other.count, false};
	match_moved_lines(one, other, match, &found);
	for (size_t i = 0; i < other.count; i++) {
		if (found.of_b[i] == wanted[i])
			continue;
		fprintf(stderr, "FAIL: %s: line %d is %d, not %d\n", what, b[i][0], found.of_b[i],
		    wanted[i]);
		failures++;
	}
}

#define LIST(...) ((const int[][2]){__VA_ARGS__, {0, 0}})
#define IS(...)   ((const int[LINES]){__VA_ARGS__})

/* More lines than are tried: the heaviest ones decide. */
static void check_many(void)
{
	int a[LINES][2] = {{0, 0}}, b[LINES][2] = {{0, 0}}, wanted[LINES] = {0};

	for (int i = 0; i < LINES - 1; i++) {
		a[i][0] = 10 + i;
		b[i][0] = 15 + i;
		a[i][1] = b[i][1] = i % 7 == 3 ? 1000 + i : 1 + i % 3;
		wanted[i] = i;
	}
	check("many lines", a, b, wanted);
}

int main(void)
{
	check("the same lines", LIST({3, 10}, {4, 20}), LIST({3, 9}, {4, 30}), IS(0, 1));
	check("a line without samples on one side", LIST({3, 10}, {4, 1}, {6, 50}),
	    LIST({3, 12}, {6, 40}), IS(0, 2));
	check("all moved by 1, onto each other", LIST({13, 45}, {14, 16}), LIST({14, 45}, {15, 26}),
	    IS(0, 1));
	check("moved backwards", LIST({20, 5}, {22, 70}), LIST({10, 6}, {12, 70}), IS(0, 1));
	check("a change within the function", LIST({10, 30}, {11, 10}, {20, 60}, {21, 40}),
	    LIST({10, 30}, {11, 10}, {25, 60}, {26, 40}), IS(0, 1, 2, 3));
	check("equally good distances: the smaller one", LIST({10, 10}, {20, 10}),
	    LIST({10, 10}, {30, 10}), IS(0, 1));
	check("nothing to match", LIST({0, 0}), LIST({5, 1}), IS(-1));
	check_many();
	return failures > 0;
}
