/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters of every type in several threads, and a descriptor whose compiler ran in a folder that
 * it tells. Prints, for check-parameters.py, each parameter that the trace must show:
 * "parameter REGION NAME VALUE". With an argument it is killed at the end instead of returning.
 */
#include "pomp.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGION(name, line)                                                                         \
	{                                                                                          \
		(char *)"region", (char *)(name), 0, (char *)"./there.c", line, line, line, line,  \
		    {0}, NULL                                                                      \
	}

static OMPRegDescr signs = REGION("signs", 10), words = REGION("words", 20);
static OMPRegDescr quiet = REGION("quiet", 30);
static OMPRegDescr parallel = {
    (char *)"parallel", (char *)"", 0, (char *)"here.c", 40, 40, 49, 49, {0}, NULL};

static void pass_signs(void)
{
	static const int64_t integers[] = {0, -1, INT64_MIN, INT64_MAX, 58};
	static const uint64_t counts[] = {0, UINT64_MAX, UINT64_C(1) << 32, UINT64_C(1) << 31};

	for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
		pomp_begin(&signs);
		pomp_parameter_int64("step", integers[i]);
		printf("parameter signs step %" PRId64 "\n", integers[i]);
		pomp_end(&signs);
	}
	pomp_begin(&signs);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		/* The same name with another type is another parameter. */
		pomp_parameter_uint64("step", counts[i]);
		printf("parameter signs step %" PRIu64 "\n", counts[i]);
	}
	pomp_end(&signs);
}

static void pass_words(void)
{
	char name[16], value[16]; /* used again: what counts is what stands there at the call */

	pomp_begin(&words);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "name%d", i % 3);
		snprintf(value, sizeof(value), "value%d", i);
		pomp_parameter_string(name, value);
		printf("parameter words %s %s\n", name, value);
	}
	pomp_parameter_string("empty", "");
	printf("parameter words empty \n");
	pomp_end(&words);
}

/* Longer than the parts in which OTF2 writes the definitions of a small archive. */
static void pass_long_text(void)
{
	enum { LENGTH = 600000 };
	char *text = malloc(LENGTH + 1);

	if (text == NULL)
		return;
	memset(text, 'x', LENGTH);
	text[LENGTH] = '\0';
	pomp_begin(&words);
	pomp_parameter_string("long", text);
	printf("parameter words long %s\n", text);
	pomp_end(&words);
	free(text);
}

int main(int argc, char **argv)
{
	(void)argv;
	pomp_register_regions_in(&signs, "/compiled/in");
	pomp_register_regions(&parallel);
	pass_signs();
	pass_words();
	pass_long_text();
	pomp_begin(&quiet);
	pomp_off();
	pomp_parameter_int64("unseen", 1);
	pomp_on();
	pomp_end(&quiet);
	uint64_t fork = pomp_parallel_fork(&parallel);
#pragma omp parallel num_threads(4)
	{
		pomp_parallel_begin(&parallel, fork);
		for (int i = 0; i < 100; i++)
			pomp_parameter_int64("iteration", i);
		pomp_parallel_end(&parallel);
	}
	pomp_parallel_join(&parallel, fork);
	for (int i = 0; i < 400; i++)
		printf("parameter !$omp parallel @here.c:40 iteration %d\n", i % 100);
	fflush(stdout);
	if (argc > 1)
		raise(SIGKILL);
	return 0;
}
