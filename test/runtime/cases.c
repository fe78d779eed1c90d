/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conformance tests as one program: `conformance NAME` executes one, `conformance --list`
 * prints their names.
 *
 * Each file of conformance/ has a main(), so that it can be compiled alone, too; the build compiles
 * it under another name and writes CASES, a list of CASE(FUNCTION, NAME). at-counts.sh starts the
 * program once for each number of threads and reports which one crashed or did not end.
 */
#include <stdio.h>
#include <string.h>

#include "cases.h"

/* Without parameters, like main(): some take arguments, some do not. */
#define CASE(function, name) int function();
CASES
#undef CASE

static const struct {
	int (*function)();
	const char *name;
} cases[] = {
#define CASE(function, name) {function, name},
    CASES
#undef CASE
};

int main(int argc, char **argv)
{
	const char *given = argc == 2 ? argv[1] : "";
	int status = 2;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (strcmp(given, cases[i].name) == 0)
			return cases[i].function(argc, argv);
		if (strcmp(given, "--list") == 0)
			status = puts(cases[i].name) < 0;
	}
	if (status == 2)
		fprintf(stderr, "'%s': expected the name of one test, or --list\n", given);
	return status;
}
