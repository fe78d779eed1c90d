/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OMP_DISPLAY_AFFINITY: all threads of a region print their line when the region is the first of
 * its team, when it has another number of threads than the one before, and when a thread runs
 * elsewhere; else none does. OpenMP 5.2, 21.2.4.
 */
#include <omp.h>

#include "check.h"

enum { LINES = 64, LENGTH = 64 };

static int threads; /* of the regions below */

/* A region without effect would be left out. */
static int members;

static void flat(void)
{
#pragma omp parallel num_threads(threads)
	count(&members);
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(threads)
	count(&members);
}

static void bound_to_one_place(void)
{
#pragma omp parallel num_threads(threads) proc_bind(master)
	count(&members);
}

static void in_target(void)
{
#pragma omp target map(members)
#pragma omp parallel num_threads(threads)
	count(&members);
}

static void after_pause(void)
{
	CHECK_EQUAL(omp_pause_resource_all(omp_pause_hard), 0);
	flat();
}

static int by_text(const void *one, const void *other)
{
	return strcmp(one, other);
}

/* The lines that the region prints on stderr, sorted, each ended by a blank, are the wanted ones.
 */
static void expect(const char *what, void (*region)(void), int size, const char *wanted)
{
	static char lines[LINES][LENGTH], found[LINES * LENGTH];
	char path[] = "/tmp/display-affinity-XXXXXX";
	int copy = dup(2), file = mkstemp(path), have = 0;

	threads = size;
	dup2(file, 2);
	region();
	dup2(copy, 2);
	close(file);
	close(copy);
	FILE *text = fopen(path, "r");
	unlink(path);
	while (text && have < LINES && fgets(lines[have], LENGTH, text))
		have++;
	fclose(text);
	qsort(lines, (size_t)have, LENGTH, by_text);
	found[0] = '\0';
	for (int i = 0; i < have; i++) {
		lines[i][strcspn(lines[i], "\n")] = ' ';
		strcat(found, lines[i]);
	}
	if (strcmp(found, wanted) != 0 && check_failed())
		fprintf(stderr, "%s: expected the lines '%s', found '%s'\n", what, wanted, found);
}

static void check_places(void)
{
	if (omp_get_num_places() < 2)
		return;
	omp_set_affinity_format("%n/%N");
	expect("bound to one place", bound_to_one_place, 2, "0/2 1/2 ");
	expect("once more", bound_to_one_place, 2, "");
	expect("back in their places", flat, 2, "0/2 1/2 ");
}

int main(int count, char **arguments)
{
	(void)count;
	check_needs_environment(arguments, "OMP_DISPLAY_AFFINITY", "true");
	check_needs_environment(arguments, "OMP_PLACES", "threads");
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	/* Level, number, threads, number of the ancestor. */
	omp_set_affinity_format("%L,%n/%N,%a");
	expect("nested, first", nested, 2, "1,0/2,0 1,1/2,0 2,0/2,0 2,0/2,1 2,1/2,0 2,1/2,1 ");
	expect("two threads again", flat, 2, "");
	expect("three threads", flat, 3, "1,0/3,0 1,1/3,0 1,2/3,0 ");
	expect("three threads again", flat, 3, "");
	expect("fewer threads", flat, 2, "1,0/2,0 1,1/2,0 ");
	expect("nested again", nested, 2, "");
	expect(
	    "more threads within", nested, 3, "2,0/3,0 2,0/3,1 2,1/3,0 2,1/3,1 2,2/3,0 2,2/3,1 ");
	expect("one thread, first", flat, 1, "1,0/1,0 ");
	expect("one thread again", flat, 1, "");
	expect("two threads after it", flat, 2, "");
	expect("in a target region, first", in_target, 2, "1,0/2,0 1,1/2,0 ");
	expect("in a target region again", in_target, 2, "");
	check_places();
	omp_set_affinity_format("%L,%n/%N,%a");
	expect("new threads", after_pause, 2, "1,0/2,0 1,1/2,0 ");
	return check_result();
}
