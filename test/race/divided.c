/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loops `ompinst race` gives another schedule, and how their text becomes. */
#include "divided-loops.h"

#include "shared/loop-schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the expected texts stands '@' for the clause and '%' for what is within its parentheses. */
struct row {
	const char *text, *expected; /* expected NULL: as it is */
};

static const struct row c_rows[] = {
    {"#pragma omp for\nfor", "#pragma omp for @\nfor"},
    {"#pragma omp parallel for private(x) // why\n",
	"#pragma omp parallel for private(x) @ // why\n"},
    {" # pragma omp parallel \\\n\tfor /* a */ nowait /* b\n */\n",
	" # pragma omp parallel \\\n\tfor /* a */ nowait @ /* b\n */\n"},
    {"#pragma omp for ordered(1) collapse(1) lastprivate(a)\r\n",
	"#pragma omp for ordered(1) collapse(1) lastprivate(a) @\r\n"},
    {"#pragma omp parallel for simd reduction(+ : x[0:n], y)\n",
	"#pragma omp parallel for simd reduction(+ : x[0:n], y) @\n"},
    {"#pragma omp target teams distribute parallel for map(tofrom: a[:n])\n",
	"#pragma omp target teams distribute parallel for map(tofrom: a[:n]) @\n"},
    {"#pragma omp parallel for schedule(static), private(x)\n",
	"#pragma omp parallel for schedule(%), private(x)\n"},
    {"#pragma omp parallel for schedule ( static )\n", "#pragma omp parallel for schedule ( % )\n"},
    {"#pragma omp for schedule(auto) nowait\n", "#pragma omp for schedule(%) nowait\n"},
    {"#define EACH _Pragma(\"omp parallel for\") for\nEACH\n",
	"#define EACH _Pragma(\"omp parallel for @\") for\nEACH\n"},
    {"PRAGMA(omp for nowait)\n", "PRAGMA(omp for nowait @)\n"},
    {"_Pragma(TEXT(omp parallel for if(n > (9))))\n",
	"_Pragma(TEXT(omp parallel for if(n > (9)) @))\n"},
    {"[[omp::directive(parallel for)]] for", "[[omp::directive(parallel for @)]] for"},
    {"[[omp::sequence(directive(parallel), directive(for))]]",
	"[[omp::sequence(directive(parallel), directive(for @))]]"},
    /* Schedules that the text fixes. */
    {"#pragma omp for schedule(dynamic)\n", NULL},
    {"#pragma omp parallel for schedule(static, 4)\n", NULL},
    {"#pragma omp parallel for schedule(monotonic: static)\n", NULL},
    {"#pragma omp parallel for schedule(runtime)\n", NULL},
    /* A thread may know where its chunk begins. */
    {"#pragma omp for schedule(static)\n", NULL},
    {"#pragma omp parallel for schedule(static) firstprivate(first)\n", NULL},
    {"#pragma omp parallel for schedule(static) copyin(first)\n", NULL},
    {"#pragma omp threadprivate(x)\n#pragma omp parallel for schedule(static)\n", NULL},
    {"thread_local int x;\n#pragma omp parallel for schedule(static)\n", NULL},
    {"int t = omp_get_thread_num ();\n#pragma omp parallel for schedule(static)\n", NULL},
    {"int omp_get_thread_num(void);\n#pragma omp parallel for schedule(static)\n",
	"int omp_get_thread_num(void);\n#pragma omp parallel for schedule(%)\n"},
    /* Clauses that want one schedule, and words that may hide one. */
    {"#pragma omp parallel for reduction(inscan, + : x)\n", NULL},
    {"#pragma omp for order(reproducible : concurrent)\n", NULL},
    {"#pragma omp parallel for CLAUSES\n", NULL},
    {"#define EACH(clauses) PRAGMA(omp parallel for clauses)\n", NULL},
    /* No loops, or none whose iterations are divided so. */
    {"#pragma omp parallel\n", NULL},
    {"#pragma omp loop\n", NULL},
    {"#pragma omp taskloop\n", NULL},
    {"#pragma omp simd\n", NULL},
    {"#pragma omp distribute\n", NULL},
    {"#pragma GCC omp for\n", NULL},
    {"#pragma omp declare reduction(+ : for : omp_out += omp_in)\n", NULL},
    {"/*\n#pragma omp for\n*/\n", NULL},
    {"char *text = \"\\\n#pragma omp for\\\n\";\n", NULL},
    {"PRAGMA(omp for", NULL},
    {"", NULL},
};

#define LONG                                                                                       \
	"a_variable_with_a_long_name, another_one_with_a_long_name, a_third_one_that_is_also_long"

static const struct row free_rows[] = {
    {"!$omp parallel do\ndo i = 1, 2\n", "!$omp parallel do @\ndo i = 1, 2\n"},
    {"  !$OMP PARALLEL DO PRIVATE(x) ! why\n", "  !$OMP PARALLEL DO PRIVATE(x) @ ! why\n"},
    {"!$omp paralleldo\n", "!$omp paralleldo @\n"},
    {"!$omp do &\n!$omp& private(x)\n", "!$omp do &\n!$omp& private(x) @\n"},
    {"!$omp parallel do schedule(static), private(x)\n",
	"!$omp parallel do schedule(%), private(x)\n"},
    {"!$omp do schedule(auto) ! why\n", "!$omp do schedule(%) ! why\n"},
    {"!$omp parallel do &\n!$omp Schedule (Static)\n", "!$omp parallel do &\n!$omp Schedule (%)\n"},
    {"x\n!$omp parallel do private(" LONG ")\ny\n",
	"x\n!$omp parallel do private(" LONG ") &\n!$omp @\n# 3 \"FILE\"\ny\n"},
    {"!$omp do schedule(static)\n", NULL},
    {"t = OMP_get_thread_num()\n!$omp parallel do schedule(static)\n", NULL},
    {"!$omp do schedule(dynamic)\n", NULL},
    {"!$omp end do\n", NULL},
    {"!$omp workshare\n", NULL},
    {"! $omp do\n", NULL},
};

/* Preprocessed texts: is the second the first but for schedules? */
static const struct {
	const char *text, *divided;
	bool same;
} pairs[] = {
    {"# 1 \"x.c\"\n#pragma omp for\nx = 3;\n", "\n\n# 7 \"y.c\" 2\n#pragma omp for @\n x  =\n3;",
	true},
    {"#pragma omp for schedule(static), nowait\n", "#pragma omp for schedule(%), nowait\n", true},
    {"#pragma omp for schedule(auto)\n", "#pragma omp for schedule(%)\n", true},
    {"[[omp::directive(for)]] x;", "[[omp::directive(for @)]] x;", true},
    {"", "", true},
    {"x = 3;", "x = X;", false},
    {"x = 3;", "x = 3;;", false},
    {"x = 3;;", "x = 3;", false},
    {"#pragma omp for\n", "\n", false},
    {"#pragma omp for\n", "#pragma omp for schedule(dynamic, 4)\n", false},
    {"#pragma omp for schedule(guided)\n", "#pragma omp for @\n", false},
    {"print(\"omp for\");", "print(\"omp for @\");", false},
};

static const struct row fixed_rows[] = {
    {"c$omp do\n", "c$omp do @\n"},
    {"c$omp parallel do private(one,two,three,four)\n      do 10\n",
	"c$omp parallel do private(one,two,three,four)\nc$omp& @\n# 2 \"FILE\"\n      do 10\n"},
    {"!$omp parallel do\n!$omp+ private(i)\n", "!$omp parallel do\n!$omp+ private(i) @\n"},
};

static int failures;

/* The expected text (heap) with its marks replaced. */
static char *expand(const char *expected, const char *path)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	for (; *expected != '\0'; expected++)
		if (*expected == '@')
			fputs(DIVIDED_LOOP_CLAUSE, out);
		else if (*expected == '%')
			fputs(DIVIDED_LOOP_KIND, out);
		else if (strncmp(expected, "FILE", 4) == 0 && path != NULL)
			expected += fprintf(out, "%s", path) > 0 ? 3 : 0;
		else
			fputc(*expected, out);
	fclose(out);
	return text;
}

static void check(const struct row *row, const char *path, char *found, size_t length)
{
	char *expected = row->expected != NULL ? expand(row->expected, path) : NULL;
	const char *text = found;

	if (path != NULL && found != NULL) {
		const size_t first = strcspn(found, "\n") + 1;
		text += strncmp(found, "# 1 \"", 5) == 0 ? first : 0;
	}
	if ((expected == NULL) != (text == NULL) ||
	    (expected != NULL && (strcmp(expected, text) != 0 || strlen(found) != length))) {
		fprintf(stderr, "\"%s\": expected \"%s\", found \"%s\"\n", row->text,
		    expected != NULL ? expected : "no change", text != NULL ? text : "no change");
		failures++;
	}
	free(expected);
	free(found);
}

static void check_file(const struct row *row, const char *path)
{
	FILE *file = fopen(path, "w");
	size_t length = 0;

	if (file == NULL || fputs(row->text, file) < 0 || fclose(file) != 0)
		failures++;
	char *found = divided_loops_in_fortran(path, &length);
	check(row, path, found, length);
	unlink(path);
}

static void check_pairs(void)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		char *divided = expand(pairs[i].divided, NULL);
		if (divided_loops_are_all(pairs[i].text, strlen(pairs[i].text), divided,
			strlen(divided)) != pairs[i].same) {
			fprintf(stderr, "\"%s\" and \"%s\": expected %s\n", pairs[i].text, divided,
			    pairs[i].same ? "the same" : "not the same");
			failures++;
		}
		free(divided);
	}
}

int main(void)
{
	char folder[] = "/tmp/divided-XXXXXX", path[64];
	size_t length = 0;

	for (size_t i = 0; i < sizeof c_rows / sizeof *c_rows; i++) {
		char *found = divided_loops_in_c(c_rows[i].text, strlen(c_rows[i].text), &length);
		check(&c_rows[i], NULL, found, length);
	}
	check_pairs();
	if (mkdtemp(folder) == NULL)
		return 1;
	snprintf(path, sizeof path, "%s/x.f90", folder);
	for (size_t i = 0; i < sizeof free_rows / sizeof *free_rows; i++)
		check_file(&free_rows[i], path);
	snprintf(path, sizeof path, "%s/x.f", folder);
	for (size_t i = 0; i < sizeof fixed_rows / sizeof *fixed_rows; i++)
		check_file(&fixed_rows[i], path);
	if (divided_loops_in_fortran(path, &length) != NULL)
		failures++; /* there is none */
	rmdir(folder);
	return failures != 0;
}
