/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary search finds what a walk over all numbers finds, also in empty ranges. */
#include "shared/search.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 40 };

static void check(unsigned long found, unsigned long expected, const char *what)
{
	if (found == expected)
		return;
	fprintf(stderr, "%s: %lu, expected %lu\n", what, found, expected);
	exit(1);
}

/* The first `below` numbers fulfil the condition. */
static void check_range(unsigned from, unsigned end, unsigned below)
{
	unsigned expected = from, found = 77, steps = 0;
	uint64_t wide;

	while (expected < end && expected < below)
		expected++;
	SEARCH_BETWEEN(found, from, end, (steps++, found < below));
	check(found, expected, "first of a range");
	check(steps <= 6, 1, "steps are few");
	/* Numbers whose sum does not fit the type. */
	SEARCH_BETWEEN(wide, UINT64_MAX - NUMBERS + from, UINT64_MAX - NUMBERS + end,
	    wide < UINT64_MAX - NUMBERS + below);
	check(wide - (UINT64_MAX - NUMBERS), expected, "first of large numbers");
}

int main(void)
{
	size_t place;

	for (unsigned from = 0; from <= NUMBERS; from++)
		for (unsigned end = 0; end <= NUMBERS; end++)
			for (unsigned below = 0; below <= NUMBERS; below++)
				check_range(from, end, below);
	SEARCH(place, 10, place * place < 50);
	check(place, 8, "first whose square is large enough");
	return 0;
}
