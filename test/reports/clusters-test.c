/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of like profiles: planted ones are found, too many are joined, equal ones are one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clusters.h"

static int failures;

static void expect(int condition, const char *what)
{
	if (!condition) {
		printf("FAIL: %s\n", what);
		failures++;
	}
}

enum { ITEMS = 1000, WIDTH = 3, MOST = 8 };

/* Item 7 works alone, each tenth one waits half of the time, all others work 93 % and a bit. */
static void test_planted(void)
{
	static double profiles[ITEMS][WIDTH];
	struct clusters found;

	for (int i = 0; i < ITEMS; i++) {
		double noise = 0.015 * ((i * 37) % 100) / 100;

		profiles[i][0] = i == 7 ? 1 : i % 10 == 0 ? 0.5 : 0.92 + noise;
		profiles[i][1] = i == 7 ? 0 : i % 10 == 0 ? 0.5 : 0.08 - noise;
	}
	found = clusters_find(&profiles[0][0], ITEMS, WIDTH, MOST);
	expect(found.count == 3, "three groups");
	expect(found.clusters[0].count == 899 && found.clusters[1].count == 100 &&
		   found.clusters[2].count == 1,
	    "their sizes, the largest first");
	expect(found.clusters[2].typical == 7 && found.of[7] == 2, "the single one");
	expect(found.of[0] == 1 && found.of[10] == 1 && found.of[1] == 0, "who is where");
	expect(fabs(found.clusters[0].mean[0] - 0.9275) < 0.002, "the mean");
	expect(found.clusters[0].typical % 10 != 0, "the typical one is a member");
	clusters_free(&found);
}

/* Evenly spread from 0 to 1: no more groups than allowed, and each item is near its own. */
static void test_spread(void)
{
	static double profiles[ITEMS][1];
	struct clusters found;

	for (int i = 0; i < ITEMS; i++)
		profiles[i][0] = (double)i / (ITEMS - 1);
	found = clusters_find(&profiles[0][0], ITEMS, 1, MOST);
	expect(found.count > 1 && found.count <= MOST, "a few groups");
	for (int i = 0; i < ITEMS; i++)
		expect(fabs(found.clusters[found.of[i]].mean[0] - profiles[i][0]) <=
			   2 * found.distance,
		    "near its group");
	clusters_free(&found);
	found = clusters_find(&profiles[0][0], ITEMS, 1, 1);
	expect(found.count == 1 && found.clusters[0].count == ITEMS, "one group");
	clusters_free(&found);
}

/* What is not in any of the shares counts as well: idle against working. */
static void test_rest(void)
{
	double profiles[4] = {0, 0, 0.5, 0};
	struct clusters found = clusters_find(profiles, 4, 1, MOST);

	expect(found.count == 2 && found.clusters[0].count == 3 && found.of[2] == 1, "the rest");
	clusters_free(&found);
	found = clusters_find(profiles, 0, 1, MOST);
	expect(found.count == 0, "nothing");
	clusters_free(&found);
}

int main(void)
{
	test_planted();
	test_spread();
	test_rest();
	return failures > 0;
}
