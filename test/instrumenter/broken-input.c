/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the engine what no compiler would accept: every prefix of a small program, the program with
 * bytes removed, doubled and replaced, and texts made to hurt. The engine must return, and what it
 * returns must be the input wherever it made no edit. `broken-input [SEED]`; prints the seed when a
 * check fails.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char program[] =
    "# 1 \"x.c\"\n"
    "void omp_set_lock(int *);\n"
    "int f(int n) { int a[4], s = 0; char *t = \"} /* ( \\\" \";\n"
    "#pragma omp parallel for if(n > (1)) reduction(+:s) default(none) shared(a) firstprivate(n)\n"
    "# 7 \"y.h\" 3\n"
    " for (int i = 0; i < 4; i++) { s += a[i] + n; }\n"
    "#pragma omp sections\n { s = 1;\n#pragma omp section\n s = 2; }\n"
    "#pragma omp critical (x)\n if (s) s++; else do s--; while (s);\n"
    "#pragma pomp inst begin(r)\n omp_set_lock(a);\n"
    "#pragma omp task firstprivate(s)\n { s++; }\n"
    "#pragma pomp inst end(r)\n"
    "#pragma omp barrier\n"
    " return s; }\n";

static unsigned seed;

static unsigned next_random(void)
{
	seed = seed * 1103515245u + 12345u;
	return seed >> 16;
}

static void check(
    const char *what, const char *text, size_t length, enum inst_form form, bool no_directives)
{
	static const int lines[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
	struct inst_input input = {.form = form,
	    .text = text,
	    .length = length,
	    .file_name = "x.c",
	    .active_lines = lines,
	    .active_line_count = 16};
	struct inst_options options = {.locks = true, .no_directives = no_directives};
	struct inst_result result;
	char *error = NULL;

	if (inst_rewrite(&input, &options, &result, &error) != 0) {
		fprintf(stderr, "%s: refused: %s\n", what, error);
		free(error);
		exit(1);
	}
	if (result.edit_count == 0 &&
	    (result.length != length || memcmp(result.text, text, length) != 0)) {
		fprintf(stderr, "%s: no edit, but the text differs\n", what);
		exit(1);
	}
	inst_result_free(&result);
}

/* Text that is exactly as long as said: a read behind its end is seen by sanitizers. */
static void check_copy(const char *what, const char *text, size_t length)
{
	char *copy = malloc(length > 0 ? length : 1);

	if (copy == NULL)
		exit(77);
	memcpy(copy, text, length);
	check(what, copy, length, INST_PREPROCESSED, false);
	check(what, copy, length, INST_SOURCE, false);
	check(what, copy, length, INST_PREPROCESSED, true);
	free(copy);
}

static void check_prefixes(void)
{
	for (size_t length = 0; length < sizeof program; length += 1 + next_random() % 7)
		check_copy("prefix", program, length);
}

static void check_mutations(void)
{
	static const char bytes[] = "(){}[];\"'\\\n#%:,*/\0\xff ";

	for (int i = 0; i < 200; i++) {
		char text[sizeof program];
		size_t length = sizeof program - 1;

		memcpy(text, program, length);
		for (unsigned j = 0; j < 1 + next_random() % 4; j++) {
			size_t at = next_random() % length;

			if (next_random() % 2)
				text[at] = bytes[next_random() % (sizeof bytes - 1)];
			else
				memmove(text + at, text + at + 1, --length - at);
		}
		check_copy("mutation", text, length);
	}
}

static void check_repeated(
    const char *what, const char *begin, const char *unit, size_t times, const char *end)
{
	size_t length = strlen(begin) + times * strlen(unit) + strlen(end);
	char *text = malloc(length + 1), *at = text;

	if (text == NULL)
		exit(77);
	at = stpcpy(at, begin);
	for (size_t i = 0; i < times; i++)
		at = stpcpy(at, unit);
	strcpy(at, end);
	check_copy(what, text, length);
	free(text);
}

int main(int count, char **arguments)
{
	struct rlimit stack;

	/* As ompinst does for the engine. */
	getrlimit(RLIMIT_STACK, &stack);
	stack.rlim_cur = 120 << 20;
	/* An emulator may accept it and change nothing. */
	if (setrlimit(RLIMIT_STACK, &stack) != 0 || getrlimit(RLIMIT_STACK, &stack) != 0 ||
	    stack.rlim_cur != 120 << 20) {
		puts("needs a stack of 120 MiB, which the system does not give");
		return 77;
	}
	setenv("LIBCLANG_NOTHREADS", "1", 1);
	seed = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 1;
	fprintf(stderr, "seed %u\n", seed);
	check_copy("empty", "", 0);
	check_copy("one byte", "#", 1);
	check_copy("binary",
	    "\0\x01\x7f"
	    "ELF\xff\xfe#pragma omp parallel\n\0",
	    30);
	check_copy("pragma at the end", "int f(void) {\n#pragma omp parallel", 35);
	check_copy("lonely operator", "_Pragma(", 8);
	check_prefixes();
	check_mutations();
	check_repeated("braces", "void f(void) {\n#pragma omp parallel\n", "{", 5000, "");
	check_repeated(
	    "closed braces", "void f(void) {\n#pragma omp parallel\n{", "{}", 5000, "}}\n");
	check_repeated("ifs", "void f(int x) {\n#pragma omp parallel\n", "if (x) ", 3000, ";}\n");
	check_repeated(
	    "elses", "void f(int x) {\n#pragma omp parallel\n", "if (x) x = 1; else ", 200, ";}\n");
	check_repeated("parentheses", "#pragma omp parallel if", "(", 20000, "\n;");
	check_repeated("one long line", "int x[] = {", "1,", 500000, "};\n#pragma omp barrier\n");
	check_repeated("nested pragmas", "void f(void) {\n", "#pragma omp parallel\n", 300, ";}\n");
	check_repeated("directives", "void f(void) {\n", "#pragma omp barrier\n", 2000, "}\n");
	check_repeated("markers", "", "# 1 \"a.c\" 1 3 4\n", 20000, "int x;\n");
	check_repeated("splices", "#pragma omp parallel \\\n", "\\\n", 20000, "{}");
	return 0;
}
