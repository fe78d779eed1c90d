/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks in comments, patterns of suppressions, and fingerprints of which one place is forgotten. */
#include "allow-comment.h"
#include "baseline.h"
#include "suppressions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	failures++;
}

/* The line's reason is this one; NULL: the line allows nothing. */
static void check_comment(const char *line, const char *reason)
{
	struct allow_comment comment;
	const bool found = allow_comment_find(line, strlen(line), &comment);

	expect(found == (reason != NULL), line);
	if (found && reason != NULL)
		expect(strlen(reason) == comment.reason_length &&
			   strncmp(comment.reason, reason, comment.reason_length) == 0,
		    line);
}

static void check_comments(void)
{
	check_comment("x = 1; /* omp race: allow: the counter may be inexact */ y = 2;",
	    "the counter may be inexact");
	check_comment("// omp race: allow", "");
	check_comment("\tcall f() ! omp race: allow: all write 1 \r", "all write 1");
	check_comment("/* omp race: allow*/", "");
	check_comment("// omp race: allowed", NULL);
	check_comment("// omp race: allow_it", NULL);
	check_comment("!$omp parallel", NULL);
	check_comment("", NULL);
}

/* Reads a suppression, and says whether it fits the name. */
static void check_pattern(const char *text, const char *name, bool fits)
{
	char path[] = "/tmp/ompinst-triage-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	struct suppressions list;
	char *error = NULL;

	fprintf(file, "# comment\n\n  %s \r\n", text);
	fclose(file);
	expect(suppressions_read(path, &list, &error), text);
	expect(error == NULL && list.count == 1 && list.all[0].line == 3, text);
	if (list.count == 1)
		expect(suppression_fits(&list.all[0], name) == fits, text);
	suppressions_finish(&list);
	remove(path);
}

static void check_patterns(void)
{
	check_pattern("race:add", "do_add_it", true);
	check_pattern("race:add", "ad", false);
	check_pattern("race:^add", "add_it", true);
	check_pattern("race:^add", "do_add", false);
	check_pattern("race:add$", "do_add", true);
	check_pattern("race:add$", "add_it", false);
	check_pattern("race:^add$", "add", true);
	check_pattern("race:^a*b*c$", "aXbXbc", true);
	check_pattern("race:^a*b*c$", "aXcXb", false);
	check_pattern("race_top:lib*.so", "/usr/lib/libm.so.6", true);
	check_pattern("race:ab$", "abcab", true);
	check_pattern("race:operator[]", "Vector::operator[](int)", true);
	check_pattern("race:a?", "ab", false);
	check_pattern("race:*", "", false);
	check_pattern("race:*", "x", true);
}

static void check_fingerprints(void)
{
	struct baseline baseline = {.path = "base"};

	words_add(&baseline.prints, "tasks:bbbb:aaaa");
	words_add(&baseline.prints, "team:cccc:-");
	expect(baseline_has(&baseline, "tasks:bbbb:aaaa"), "the same");
	expect(!baseline_has(&baseline, "team:bbbb:aaaa"), "another rule");
	expect(!baseline_has(&baseline, "tasks:bbbb:bbbb"), "another place");
	expect(baseline_has(&baseline, "threads:aaaa:-"), "one place of a known race");
	expect(!baseline_has(&baseline, "threads:aaa:-"), "the begin of a place");
	expect(!baseline_has(&baseline, "threads:dddd:-"), "an unknown place");
	expect(baseline_has(&baseline, "tasks:dddd:cccc"),
	    "the place of a race that was known by one");
	baseline_finish(&baseline);
	expect(baseline_side("a/x.c", "f", NULL, "s") == baseline_side("b/x.c", "f", NULL, "s"),
	    "folders can move");
	expect(baseline_side("x.c", "f", "g", "s") != baseline_side("x.c", "fg", NULL, "s"),
	    "texts have ends");
}

int main(void)
{
	check_comments();
	check_patterns();
	check_fingerprints();
	return failures > 0;
}
