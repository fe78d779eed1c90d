/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The findings of a comparison in the formats that services for continuous integration read:
 * Markdown, JUnit XML, GitLab's code quality report, and GitHub annotations.
 */
#ifndef DIFF_FINDINGS_H
#define DIFF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

enum diff_state { DIFF_FINE, DIFF_UNDECIDED, DIFF_SLOWER, DIFF_STATES };

/* "", "undecided", "slower" */
extern const char *const diff_state_names[DIFF_STATES];

/* One judged subject. The findings own its texts. */
struct diff_finding {
	enum diff_state state;
	char *subject; /* "file.c:12 for", "wall time" */
	char *file;    /* relative to the current folder if it is inside; NULL: no source file */
	int line;
	char *text; /* "time grew by 12.3 %, from 10ms to 11.2ms" */
};

struct diff_findings {
	struct diff_finding *findings;
	size_t count, room;
	size_t counts[DIFF_STATES];
};

/* Takes ownership of subject and text, which are heap memory; file may be NULL. */
void diff_findings_add(struct diff_findings *findings, enum diff_state state, char *subject,
    const char *file, int line, char *text);
void diff_findings_finish(struct diff_findings *findings);

/* Writes the forms that the options name. Returns the exit status: 0, or 1 after a message. */
int diff_findings_write(const struct diff_findings *findings, const struct options *options);

#endif
