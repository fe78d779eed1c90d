/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what is made from the list of constructs, for the tests that compare it:
 *
 *   print-constructs page           doc/constructs.md
 *   print-constructs header FILE    include/pomp.h, which FILE is, with the calls of the list
 *   print-constructs names          the directives, one a line
 *   print-constructs calls          the calls without pomp_, one a line
 */
#include "shared/constructs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum calls { CALLS_AROUND, CALLS_INSIDE, CALLS_BOTH, CALLS_FORK, CALLS_CREATE };

static const struct row {
	const char *name;
	enum calls calls;
	const char *stem;
	bool elsewhere;
	enum construct_id group;
	const char *waits, *role, *about;
} rows[] = {
#define WAITS_NOTHING     ""
#define WAITS_TEAM        "the team"
#define WAITS_HOLDER      "the holder"
#define WAITS_TURN        "its turn"
#define WAITS_TASKS       "tasks"
#define DEFINED_CONSTRUCT false
#define DEFINED_WAIT      false
#define DEFINED_BY_HAND   false
#define DEFINED_ELSEWHERE true
#define CALLED(calls, stem, defined, group)                                                        \
	CALLS_##calls, #stem, DEFINED_##defined, CONSTRUCT_##group
#define MEASURED(kind, waits)     WAITS_##waits
#define TRACED(role, block, word) #role
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about)                     \
	{name, called, measured, traced, about},
    CONSTRUCTS(CONSTRUCT)
#undef CONSTRUCT
};

static const struct passed {
	const char *name, *reason;
	bool inside;
} passed_rows[] = {
#define PASSED(id, name, body, reason, inside) {name, reason, (inside) != NULL},
    CONSTRUCTS_PASSED(PASSED)
#undef PASSED
};

enum {
	ROWS = sizeof(rows) / sizeof(rows[0]),
	PASSED_ROWS = sizeof(passed_rows) / sizeof(passed_rows[0])
};

/* The parts of the names of a row's calls, in their order; "" behind the last. */
static const char *const call_parts[][5] = {
    [CALLS_AROUND] = {"enter", "exit", ""},
    [CALLS_INSIDE] = {"begin", "end", ""},
    [CALLS_BOTH] = {"enter", "begin", "end", "exit", ""},
    [CALLS_FORK] = {"fork", "begin", "end", "join", ""},
    [CALLS_CREATE] = {"create_begin", "create_end", "begin", "end", ""},
};

static bool gives_handle(const char *part)
{
	return strcmp(part, "fork") == 0 || strcmp(part, "create_begin") == 0;
}

/* The last parameter of a call that takes a handle; "" for the others. */
static const char *handle_parameter(enum calls calls, const char *part)
{
	if (calls == CALLS_FORK && (strcmp(part, "begin") == 0 || strcmp(part, "join") == 0))
		return ", pomp_handle fork";
	if (calls == CALLS_CREATE && !gives_handle(part))
		return ", pomp_handle task";
	return "";
}

static void print_calls(void)
{
	for (const struct row *row = rows; row < rows + ROWS; row++)
		for (const char *const *part = call_parts[row->calls]; **part != '\0'; part++)
			if (!row->elsewhere)
				printf("%s_%s\n", row->stem, *part);
}

/* The declarations of a row's calls, below its name; of several rows with the same, the first's. */
static void print_prototypes(const struct row *row)
{
	printf("/* %s", row->name);
	for (const struct row *other = row + 1; other < rows + ROWS; other++)
		if (other->elsewhere && strcmp(other->stem, row->stem) == 0)
			printf(", %s", other->name);
	printf(": %s */\n", row->about);
	for (const char *const *part = call_parts[row->calls]; **part != '\0'; part++)
		printf("%s pomp_%s_%s(OMPRegDescr *region%s) POMP_SYMBOL(pomp_%s_%s);\n",
		    gives_handle(*part) ? "pomp_handle" : "void", row->stem, *part,
		    handle_parameter(row->calls, *part), row->stem, *part);
}

/* All of the file, with the list's calls between the comment that begins it and the one that ends.
 */
static void print_header(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256];
	bool in_list = false, skips = false;

	if (file == NULL) {
		perror(path);
		exit(1);
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		in_list |= strstr(line, "\"end of the list\"") != NULL;
		if (strcmp(line, "/* end of the list */\n") == 0) {
			putchar('\n');
			for (const struct row *row = rows; row < rows + ROWS; row++)
				if (!row->elsewhere)
					print_prototypes(row);
			putchar('\n');
			in_list = skips = false;
		}
		if (!skips)
			fputs(line, stdout);
		skips |= in_list && strcmp(line, " */\n") == 0;
	}
	fclose(file);
}

static void print_measured(void)
{
	fputs("| construct | its time | waits for | calls | `--disable` | role in a trace |\n"
	      "|---|---|---|---|---|---|\n",
	    stdout);
	for (const struct row *row = rows; row < rows + ROWS; row++) {
		printf("| %s | %s | %s |", row->name, row->about, row->waits);
		for (const char *const *part = call_parts[row->calls]; **part != '\0'; part++)
			printf("%s `pomp_%s_%s`", part == call_parts[row->calls] ? "" : ",",
			    row->stem, *part);
		printf(" | %s | %s |\n", construct_name(row->group), row->role);
	}
}

static void print_page(void)
{
	fputs(
	    "# Constructs\n"
	    "\n"
	    "This page says what each directive of OpenMP becomes. It is made from `include/shared/constructs.h`,\n"
	    "the list that instrumenter, measurement, conversion, reports and advice read; do not edit it.\n"
	    "\n"
	    "## Measured\n"
	    "\n",
	    stdout);
	print_measured();
	fputs(
	    "\n"
	    "A combined directive is measured as its parts, or from outside as the first of those that are.\n"
	    "Lock routines are in the group `lock`, regions of the user in the group `region`.\n"
	    "\n"
	    "## Regions that are no constructs\n"
	    "\n"
	    "| name of the descriptor | what it is |\n"
	    "|---|---|\n",
	    stdout);
#define REGION(id, name, kind, role, about) puts("| `" name "` | " about " |");
	CONSTRUCT_REGIONS(REGION)
#undef REGION
	fputs(
	    "| any other | of kind `other`: measured like a region of the user, and reported once |\n"
	    "\n"
	    "## Passed through\n"
	    "\n"
	    "| directive | why | inside it |\n"
	    "|---|---|---|\n",
	    stdout);
	for (const struct passed *passed = passed_rows; passed < passed_rows + PASSED_ROWS;
	     passed++)
		printf("| %s | %s | %s |\n", passed->name, passed->reason,
		    passed->inside ? "nothing is measured" : "");
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "page") == 0) {
		print_page();
	} else if (argc == 3 && strcmp(argv[1], "header") == 0) {
		print_header(argv[2]);
	} else if (argc == 2 && strcmp(argv[1], "calls") == 0) {
		print_calls();
	} else if (argc == 2 && strcmp(argv[1], "names") == 0) {
		for (const struct row *row = rows; row < rows + ROWS; row++)
			puts(row->name);
		for (const struct passed *row = passed_rows; row < passed_rows + PASSED_ROWS; row++)
			puts(row->name);
	} else {
		return 2;
	}
	return ferror(stdout) != 0;
}
