/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine's parts one by one: where statements end, how directives and clauses are read, and how
 * the clauses of a combined directive are distributed. Each table row is a test.
 */
#include "clauses.h"
#include "delimiter.h"
#include "directives.h"
#include "function-filter.h"
#include "pragma-scan.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check_text(const char *what, const char *input, const char *expected, const char *found)
{
	if (strcmp(expected, found) == 0)
		return;
	fprintf(
	    stderr, "%s of \"%s\": expected \"%s\", found \"%s\"\n", what, input, expected, found);
	failures++;
}

/* In each text the statement ends at the `@`, which is taken out; without one it has no end. */
static const char *const statements[] = {
    ";@ x;",
    "x = 1;@ y;",
    "{ a; { b; } }@ c;",
    "if (a) b; else c;@ d;",
    "if (a) if (b) c; else d; else e;@ f;",
    "if constexpr (a) { b; }@ c;",
    "for (int i = 0; i < (n); i++) for (;;) x;@ y;",
    "for (auto &v : list) { v; }@ y;",
    "while (a) do b; while (c);@ d;",
    "do { a; } while (b);@ c;",
    "switch (a) { case 1: b; default: c; }@ d;",
    "case 1: case A::b: x ? y : z;@ w;",
    "case x ? 1 : 2: y;@ z;",
    "label: other: x;@ y;",
    "a::b(c);@ d;",
    "x = ({ a; b; });@ c;",
    "f((struct s){.a = {1, 2}}, \"};\", '}', L'\"');@ g;",
    "f(R\"x(;}\")x\");@ g;",
    "x = 1'000'000;@ y;",
    "[&](int a) { return a; }(1);@ b;",
    "[[likely]] x;@ y;",
    "__attribute__((fallthrough));@ x;",
    "try { a; } catch (x) { b; } catch (...) { c; }@ d;",
    "x\n# 3 \"a.c\"\n;@ y;",
    "a /* ; */ = // ;\n 1;@ b;",
    "<% a; %>@ b;",
    "x<:1:> = 2;@ b;",
    "if (a)\n#pragma omp critical\n { b; }@ c;",
    "}",
    "if (a",
    "do x; while (a)",
    "x = (1;",
    "",
};

static void test_statements(struct inst_arena *arena)
{
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		const char *at = strchr(statements[i], '@');
		size_t expected = at != NULL ? (size_t)(at - statements[i]) : 0;
		struct inst_buffer text = {.arena = arena};

		buffer_add(&text, statements[i], at != NULL ? expected : strlen(statements[i]));
		if (at != NULL)
			buffer_add_string(&text, at + 1);
		check_text("end", text.data, arena_format(arena, "%zu", expected),
		    arena_format(arena, "%zu", statement_end(text.data, text.length, 0)));
	}
}

/* A directive line and its parts, each `name clauses`, joined by " | "; `!` and why not. */
static const struct {
	const char *line, *parts;
} directives[] = {
    {"parallel", "parallel"},
    {"parallel for ordered schedule ( static , (n)*(b) )",
	"parallel | for ordered schedule ( static , (n)*(b) )"},
    {"for simd safelen(4)", "for simd safelen(4)"},
    {"critical ( name ) hint(1)", "critical ( name ) hint(1)"},
    {"parallel for private(i), num_threads(f(\")\")) nowait",
	"parallel num_threads(f(\")\")) | for private(i) nowait"},
    {"parallel for if(parallel : a) if(1)", "parallel if(parallel : a) if(1) | for"},
    {"parallel for simd if(simd: a) private(x)", "parallel | for simd if(simd: a) private(x)"},
    {"parallel for simd if(a ? b : c)", "parallel if(C) firstprivate(C) | for simd if(C)"},
    {"parallel for firstprivate(a, b) lastprivate(conditional: b)",
	"parallel firstprivate(a) | for firstprivate(b) lastprivate(conditional: b)"},
    {"parallel for reduction(+:x) default(none)", "parallel reduction(+:x) default(none) | for"},
    {"parallel for simd reduction(N::add : x[0:2], (*y)[0:2]) default(none)",
	"parallel default(none) shared(x, y, i, N::j) | for simd reduction(N::add : x[0:2], "
	"(*y)[0:2])"},
    {"parallel for simd linear(val(x), y : 2) default(private)",
	"parallel for simd linear(val(x), y : 2) default(private)"},
    {"parallel for simd linear(val(x), y : 2) linear(i) lastprivate(N::j) default(private)",
	"parallel default(private) shared(x, y, i, N::j) | for simd linear(val(x), y : 2) "
	"linear(i) lastprivate(N::j)"},
    {"parallel masked taskloop simd filter(1) grainsize(2) firstprivate(a) default(none)",
	"parallel default(none) shared(a, i, N::j) | masked filter(1) | taskloop simd grainsize(2) "
	"firstprivate(a) default(none)"},
    {"parallel for allocate(A : a, b) lastprivate(b) firstprivate(a)",
	"parallel allocate(A : a) firstprivate(a) | for allocate(A : b) lastprivate(b)"},
    {"parallel for allocate(a) private(a)", "parallel | for allocate( a) private(a)"},
    {"parallel loop allocate(a) private(a)", "parallel loop allocate(a) private(a)"},
    {"parallel master allocate(a) private(a)", "parallel allocate( a) private(a) | master"},
    {"parallel for simd default(firstprivate) linear(i)",
	"parallel for simd default(firstprivate) linear(i)"},
    {"parallel for simd default(none) shared(N::j) lastprivate(N::i)",
	"parallel default(none) shared(N::j) shared(N::i) | for simd lastprivate(N::i)"},
    {"parallel for default(none) lastprivate(x)",
	"parallel default(none) shared(x) | for lastprivate(x)"},
    {"parallel loop default(none)", "parallel default(none) shared(i, N::j) | loop"},
    {"parallel master taskloop default(none) shared(a) private(b)",
	"parallel default(none) shared(a) shared(b) | master | taskloop default(none) shared(a) "
	"private(b)"},
    {"parallel for firstprivate(m) lastprivate(A::m)",
	"parallel | for firstprivate(m) lastprivate(A::m)"},
    {"parallel for firstprivate(T<A, B>::x, y) lastprivate(T<A, B>::x)",
	"parallel firstprivate(y) | for firstprivate(T<A, B>::x) lastprivate(T<A, B>::x)"},
    /* Members cannot be listed as shared, and bounds may be no variables. */
    {"parallel for default(none) lastprivate(m)", "parallel for default(none) lastprivate(m)"},
    {"parallel for simd default(none) reduction(+: x[0:k])",
	"parallel for simd default(none) reduction(+: x[0:k])"},
    {"parallel for simd default(private) reduction(+: x)",
	"parallel for simd default(private) reduction(+: x)"},
    {"parallel for private(k) schedule(dynamic, k)",
	"parallel for private(k) schedule(dynamic, k)"},
    {"parallel for simd default(none) reduction(+: x[0:k]) shared(k)",
	"parallel default(none) shared(k) shared(x, i, N::j) | for simd reduction(+: x[0:k])"},
    {"parallel loop bind(parallel)", "parallel | loop bind(parallel)"},
    {"parallel for reduction(inscan, +:x)", "parallel for reduction(inscan, +:x)"},
    {"parallel for unheard_of(1)", "!"},
    {"parallel for schedule(static", "!"},
    {"parallel for private", "!"},
    {"parallel + for", "!"},
    {"target_data map(x)", "target data map(x)"},
    {"begin\tdeclare_target", "begin declare target"},
    {"target__data map(x)", "?"},
    {"taskgraph_ if(x)", "?"},
    {"parallel for message(\"a\") induction(f : x) default(none)",
	"parallel message(\"a\") default(none) shared(x) | for induction(f : x)"},
    {"parallel masked taskloop replayable(1)", "parallel | masked | taskloop replayable(1)"},
    {"paralel for", "?"},
};

static const char *describe_split(struct inst_arena *arena, const char *line)
{
	struct directive_use use = directive_read(arena, line);
	struct clause_list list = clauses_read(arena, use.clauses);
	struct clause_context context = {"C", ", i, N::j", ", m, n"};
	struct clause_split split = clauses_split(arena, &use, &list, &context);
	struct inst_buffer text = {.arena = arena};

	if (use.leaf_count == 0)
		return "?";
	if (split.error != NULL)
		return "!";
	for (size_t i = 0; i < split.part_count; i++) {
		const struct directive_part *part = &split.parts[i];

		buffer_add_string(&text, i > 0 ? " | " : "");
		for (size_t j = 0; j < part->leaf_count; j++)
			buffer_format(&text, "%s%s", j > 0 ? " " : "",
			    use.leaves[part->first_leaf + j]->name);
		buffer_add_string(&text, part->clauses.data);
	}
	return text.data;
}

static void test_directives(struct inst_arena *arena)
{
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		check_text("split", directives[i].line, directives[i].parts,
		    describe_split(arena, directives[i].line));
}

/* A text and its pragmas as LINE:words, joined by blanks. */
static const struct {
	const char *text, *pragmas;
} scans[] = {
    {"#pragma omp a\n", "f:1:a"},
    {"# 7 \"g.h\" 3\n\n#pragma omp a\n", "g.h:8:a"},
    {"  %: pragma omp \\\n a /* x\n y */ b\nint x;\n#pragma pomp inst begin(r)",
	"f:1:a b f:5:begin(r)"},
    {"\"\\\n#pragma omp a\n\"\n", ""},
    {"/*\n#pragma omp a\n*/\n// \\\n#pragma omp b\n", ""},
    {"R\"(\n#pragma omp a\n)\"\n#pragma omp b", "f:4:b"},
    {"x _Pragma(\"omp a(\\\"b\\\")\") y", "f:1:a(\"b\")"},
    {"#pragma omp par\\\nallel\n", "f:1:parallel"},
    {"#pragma ompx a\n#pragma once\n#pragma omp\n", "f:3:"},
    {"#line 5\n#pragma omp a\n#line 9 \"h\"\n#pragma omp b\n", "f:5:a h:9:b"},
    {"x # pragma omp a\n", ""},
};

static void test_scans(struct inst_arena *arena)
{
	for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
		struct inst_buffer found = {.arena = arena};
		struct inst_scan scan;

		buffer_add(&found, "", 0);
		scan_text(arena, scans[i].text, strlen(scans[i].text), "f", &scan);
		for (size_t j = 0; j < scan.pragma_count; j++) {
			struct inst_place place = scan_place(&scan, scan.pragmas[j].begin);
			const char *words = scan.pragmas[j].words;
			size_t length = strlen(words);

			while (length > 0 && words[length - 1] == ' ')
				length--;
			buffer_format(&found, "%s%s:%d:%.*s", j > 0 ? " " : "", place.file,
			    place.line, (int)length, words);
		}
		check_text("pragmas", scans[i].text, scans[i].pragmas, found.data);
	}
}

#define FILES(rules) "SCOREP_FILE_NAMES_BEGIN " rules "\nSCOREP_FILE_NAMES_END\n"
#define NAMES(rules) "SCOREP_REGION_NAMES_BEGIN " rules "\nSCOREP_REGION_NAMES_END\n"

/* A filter and what it does to N::f(int, char *) in src/a.c: taken, left, or its error. */
static const struct {
	const char *text, *result;
} filters[] = {
    {"", "taken"},
    {"# nothing\n", "taken"},
    {FILES("EXCLUDE *"), "left"},
    {FILES("EXCLUDE src/*"), "left"},
    {FILES("EXCLUDE a.c"), "taken"},
    {FILES("EXCLUDE *\nINCLUDE */[ab].c"), "taken"},
    {FILES("INCLUDE * EXCLUDE *"), "left"},
    {NAMES("EXCLUDE f"), "taken"},
    {NAMES("EXCLUDE N::f"), "left"},
    {NAMES("EXCLUDE other N::f another"), "left"},
    {NAMES("EXCLUDE other # N::f"), "taken"},
    {NAMES("EXCLUDE N::* INCLUDE N::?"), "taken"},
    {NAMES("EXCLUDE N::f(int,\\ char\\ \\*)"), "left"},
    {NAMES("EXCLUDE MANGLED N::f"), "taken"},
    {NAMES("EXCLUDE MANGLED _ZN1N1f*"), "left"},
    {NAMES("EXCLUDE MANGLED x INCLUDE N::f"), "taken"},
    {FILES("EXCLUDE *") NAMES("INCLUDE *"), "left"},
    {NAMES("EXCLUDE *") NAMES("INCLUDE N::f"), "taken"},
    {NAMES("f"), "line 1: 'f': expected INCLUDE or EXCLUDE before it"},
    {"\n\nEXCLUDE f",
	"line 3: 'EXCLUDE': expected SCOREP_FILE_NAMES_BEGIN or SCOREP_REGION_NAMES_BEGIN"},
    {"SCOREP_REGION_NAMES_BEGIN\nEXCLUDE f", "line 2: its last block has no end"},
    {"SCOREP_REGION_NAMES_BEGIN\nSCOREP_FILE_NAMES_END",
	"line 2: 'SCOREP_FILE_NAMES_END' ends a block that is not open"},
    {"SCOREP_REGION_NAMES_END", "line 1: 'SCOREP_REGION_NAMES_END' ends a block that is not open"},
};

static void test_filters(struct inst_arena *arena)
{
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		struct filter filter = filter_read(arena, filters[i].text);
		const char *result = "left";

		if (filter.error != NULL)
			result =
			    arena_format(arena, "line %d: %s", filter.error_line, filter.error);
		else if (filter_takes_file(&filter, "src/a.c") &&
			 filter_takes_function(&filter, "N::f", "N::f(int, char *)", "_ZN1N1fEiPc"))
			result = "taken";
		check_text("filter", filters[i].text, filters[i].result, result);
	}
}

int main(void)
{
	struct inst_arena arena = {.blocks = NULL};

	if (setjmp(arena.out_of_memory) != 0)
		return 77;
	test_statements(&arena);
	test_directives(&arena);
	test_scans(&arena);
	test_filters(&arena);
	arena_finish(&arena);
	return failures > 0;
}
