/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loops `ompinst race` gives another schedule, and how their text becomes. */
#include "divided-loops.h"

#include "shared/loop-schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * In the expected texts stands '@' for the clause, '%' for what is within its parentheses, and
 * "LANES" for the clauses of a simd loop, up to where the number for safelen follows.
 */
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
    {"#pragma omp for order(concurrent)\n", "#pragma omp for  @\n"},
    {"#pragma omp for private(order, x) order(unconstrained : concurrent), nowait\n",
	"#pragma omp for private(order, x)  nowait @\n"},
    {"#pragma omp simd order(concurrent)\nfor (;;) x();\n",
	"#pragma omp parallel for simd  LANES)\nfor (;;) x();\n"},
    {"#pragma omp parallel for CLAUSES\n", NULL},
    {"#define EACH(clauses) PRAGMA(omp parallel for clauses)\n", NULL},
    /* No loops, or none whose iterations are divided so. */
    {"#pragma omp parallel\n", NULL},
    {"#pragma omp loop\n", NULL},
    {"#pragma omp taskloop\n", NULL},
    {"#pragma omp distribute\n", NULL},
    /* Lanes. */
    {"#pragma omp simd\nfor (;;) x();\n", "#pragma omp parallel for simd LANES)\nfor (;;) x();\n"},
    {"#pragma omp distribute simd private(simd) // why\nfor (;;) x();\n",
	"#pragma omp distribute parallel for simd private(simd) LANES) // why\nfor (;;) x();\n"},
    {"#pragma omp simd safelen(n - 1) \\\n\tlinear(i)\nfor (;;) x();\n",
	"#pragma omp parallel for simd safelen(n - 1) \\\n\tlinear(i) LANES+(n - 1))\nfor (;;) x();\n"},
    {"#pragma omp simd\nfor (;;) {\n#pragma omp ordered simd\nx();\n}\n",
	"#pragma omp parallel for simd LANES) ordered\nfor (;;) {\n#pragma omp ordered threads simd\nx();\n}\n"},
    {"#pragma omp simd\nfor (;;)\n#pragma omp simd\nfor (;;) x();\n",
	"#pragma omp parallel for simd LANES)\nfor (;;)\n#pragma omp simd\nfor (;;) x();\n"},
    {"#pragma omp for simd\nfor (;;)\n#pragma omp ordered simd\nx();\n",
	"#pragma omp for simd @\nfor (;;)\n#pragma omp ordered simd\nx();\n"},
    {"#if X\n#pragma omp simd\n#else\n#pragma omp simd private(x)\n#endif\nfor (;;) x();\n",
	"#if X\n#pragma omp parallel for simd LANES)\n#else\n#pragma omp parallel for simd private(x) "
	"LANES)\n#endif\nfor (;;) x();\n"},
    {"#pragma omp simd if(n)\nfor (;;) x();\n",
	"#pragma omp parallel for simd if(n) LANES+((n) ? 0 : 1))\nfor (;;) x();\n"},
    {"#pragma omp simd safelen(4) if(simd : n >= (int)m && !(m & 2))\nfor (;;) x();\n",
	"#pragma omp parallel for simd safelen(4) if(simd : n >= (int)m && !(m & 2)) "
	"LANES+(( n >= (int)m && !(m & 2)) ? (4) : 1))\nfor (;;) x();\n"},
    {"#pragma omp simd if(f(n))\nfor (;;) x();\n", NULL},
    {"#pragma omp simd if(n++)\nfor (;;) x();\n", NULL},
    {"#pragma omp simd if((n = 2) > m)\nfor (;;) x();\n", NULL},
    {"#pragma omp simd reduction(inscan, + : x)\nfor (;;) x();\n", NULL},
    {"#pragma omp simd lastprivate(conditional : x)\nfor (;;) x();\n", NULL},
    {"#pragma omp simd CLAUSES\nfor (;;) x();\n", NULL},
    {"#pragma omp taskloop simd\nfor (;;) x();\n", NULL},
    {"#pragma omp declare simd\nint f(void);\n", NULL},
    {"_Pragma(\"omp simd\") for (;;) x();\n",
	"_Pragma(\"omp parallel for simd LANES)\") for (;;) x();\n"},
    {"_Pragma(\"omp simd\") for (;;) {\n_Pragma(\"omp ordered simd\") x();\n}\n",
	"_Pragma(\"omp parallel for simd LANES) ordered\") for (;;) {\n"
	"_Pragma(\"omp ordered threads simd\") x();\n}\n"},
    {"#define EACH _Pragma(\"omp simd\") for\n", NULL},
    {"#define EACH PRAGMA(omp simd)\n", NULL},
    {"#pragma omp simd\n", NULL},
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
    {"!$omp simd\ndo i = 1, 2\nend do\n!$omp end simd\n",
	"!$omp parallel do simd LANES) lastprivate(i)            \ndo i = 1, 2\nend do\n!!omp end simd\n"},
    {"!$omp simd private(" LONG ") ! why\ndo i = 1, 2\nend do\n", NULL},
    {"!$omp distribute simd safelen(4) private(i) ! why\ndo i = 1, 2\nend do\n",
	"!$omp distribute parallel do simd safelen(4) private(i) LANES+(4))             ! why\n"
	"do i = 1, 2\nend do\n"},
    {"!$omp simd\n! why\n\nDO i2 = 1, 2\n!$omp ordered simd\nx = 1\n!$omp end ordered\nend do\n",
	"!$omp parallel do simd LANES) lastprivate(i2) ordered            \n! why\n\nDO i2 = 1, 2\n"
	"!$omp ordered threads simd\nx = 1\n!$omp end ordered\nend do\n"},
    {"!$omp simd collapse(2)\ndo i = 1, 2\n!$omp simd\ndo j = 1, 2\nend do\nend do\n",
	"!$omp parallel do simd collapse(2) LANES) lastprivate(i)            \ndo i = 1, 2\n!$omp simd\n"
	"do j = 1, 2\nend do\nend do\n"},
    {"!$omp simd private(" LONG ")\ndo i = 1, 2\nend do\n",
	"!$omp parallel do simd private(" LONG ") &\n!$omp LANES) lastprivate(i)            \n"
	"# 2 \"FILE\"\ndo i = 1, 2\nend do\n"},
    {"!$omp simd\ndo while (x)\nend do\n", NULL},
    {"!$omp simd if(n > 8)\ndo i = 1, 2\nend do\n",
	"!$omp parallel do simd if(n > 8) LANES+merge(0,1,n > 8)) lastprivate(i)            \n"
	"do i = 1, 2\nend do\n"},
    {"!$omp simd if(x(1))\ndo i = 1, 2\nend do\n", NULL},
    {"!$omp simd order(concurrent)\ndo i = 1, 2\nend do\n", NULL},
    {"!$omp do order(concurrent)\n", NULL},
    {"!$omp declare simd(f)\n", NULL},
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
    {"#pragma omp for order(concurrent), nowait\n", "#pragma omp for nowait @\n", true},
    {"#pragma omp for order(reproducible : concurrent)\n", "#pragma omp for @\n", false},
    {"#pragma omp simd\nx;", "#pragma omp parallel for simd LANES)\nx;", true},
    {"#pragma omp simd safelen(f(4))\nx;\n#pragma omp ordered simd\ny;",
	"#pragma omp parallel for simd safelen(f(4)) LANES+(f(4))) ordered\nx;\n"
	"#pragma omp ordered threads simd\ny;",
	true},
    {"#pragma omp simd\nx;", "#pragma omp parallel for simd LANES)\nx;;", false},
    {"#pragma omp simd\nx;", "#pragma omp parallel simd LANES)\nx;", false},
    {"x;", "parallel for x;", false},
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
    {"c$omp simd\n      do i = 1, 2\n      end do\nc$omp end simd\n",
	"c$omp parallel do simd\nc$omp& " LANE_LOOP_THREADS "\nc$omp& schedule(" LANE_LOOP_KIND ") "
	"lastprivate(i)            \n# 2 \"FILE\"\n"
	"      do i = 1, 2\n      end do\nc!omp end simd\n"},
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
		else if (strncmp(expected, "LANES", 5) == 0)
			expected +=
			    fprintf(out, LANE_LOOP_THREADS " schedule(" LANE_LOOP_KIND) > 0 ? 4 : 0;
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
	char *found = divided_loops_in_fortran(path, ALL_LANES, &length);
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
		char *found =
		    divided_loops_in_c(c_rows[i].text, strlen(c_rows[i].text), ALL_LANES, &length);
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
	if (divided_loops_in_fortran(path, ALL_LANES, &length) != NULL)
		failures++; /* there is none */
	rmdir(folder);
	return failures != 0;
}
