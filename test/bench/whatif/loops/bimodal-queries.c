/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries against a table: nine in ten are found by halving, the tenth reads the whole table. */
#include "chance.h"

#include <stdio.h>

enum { ENTRIES = 160000, QUERIES = 240000 };

static unsigned keys[ENTRIES], values[ENTRIES];

static unsigned by_key(unsigned key)
{
	int low = 0, high = ENTRIES - 1;

	while (low < high) {
		int middle = (low + high) / 2;
		if (keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return values[low];
}

static unsigned count_above(unsigned least)
{
	unsigned count = 0;

	for (int i = 0; i < ENTRIES; i++)
		count += values[i] > least;
	return count;
}

int main(void)
{
	uint64_t state = 77;
	unsigned long answer = 0;

	for (int i = 0; i < ENTRIES; i++) {
		keys[i] = (unsigned)i * 26000u;
		values[i] = chance_next(&state);
	}
#pragma omp parallel for schedule(dynamic, 100) reduction(+ : answer) // @loop
	for (int query = 0; query < QUERIES; query++) {
		uint64_t own = (uint64_t)query * 31 + 7;
		unsigned asked = chance_next(&own);
		answer += chance_next(&own) % 10 ? by_key(asked) : count_above(asked);
	}
	printf("%lu\n", answer);
	return 0;
}
