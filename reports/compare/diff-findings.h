/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a comparison found, in the forms that services for continuous integration read: Markdown,
 * JUnit's XML, GitLab's code quality report, and annotations of GitHub.
 */
#ifndef DIFF_FINDINGS_H
#define DIFF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

enum diff_state { DIFF_FINE, DIFF_UNDECIDED, DIFF_SLOWER, DIFF_STATES };

/* "", "undecided", "slower" */
extern const char *const diff_state_names[DIFF_STATES];

/* One thing that was judged. Its texts are the findings' own. */
struct diff_finding {
	enum diff_state state;
	char *subject; /* "file.c:12 for", "wall time" */
	char *file;    /* below the current folder without its name; NULL: of no source */
	int line;
	char *text; /* "time grew by 12.3 %, from 10ms to 11.2ms" */
};

struct diff_findings {
	struct diff_finding *findings;
	size_t count, room;
	size_t counts[DIFF_STATES];
};

/* Takes subject and text, which are heap memory; file may be NULL. */
void diff_findings_add(struct diff_findings *findings, enum diff_state state, char *subject,
    const char *file, int line, char *text);
void diff_findings_finish(struct diff_findings *findings);

/* Writes the forms that the options name. The exit status, 0 or 1 after a message. */
int diff_findings_write(const struct diff_findings *findings, const struct options *options);

#endif
