/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The findings of an earlier report, JSON or SARIF of the same tool: those that are known already.
 *
 * A finding is identified by its fingerprint, "RULE:SIDE:SIDE" or "RULE:SIDE": what is wrong, and
 * for each of its places a text that does not depend on numbers of lines. A side "-", which comes
 * last, is not known: it stands for any.
 */
#ifndef TRIAGE_BASELINE_H
#define TRIAGE_BASELINE_H

#include "word-list.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a tool's reports have their findings. */
struct baseline_form {
	const char *tool; /* its name in both kinds of documents */
	/* The arrays of JSON, the second one or NULL; each element has "fingerprint". */
	const char *lists[2];
	const char *key; /* of partialFingerprints in SARIF; another key may have a suffix */
};

struct baseline {
	const char *path;    /* as the user wrote it */
	struct words prints; /* fingerprints; an unfinished list if memory ran out */
};

/*
 * Reads the findings of the report that counted there, or were known; not those that something else
 * took out. False with *error (heap, or NULL if memory ran out) if the file cannot be read or is no
 * report of the tool; the baseline is then empty.
 */
bool baseline_read(
    const char *path, const struct baseline_form *form, struct baseline *baseline, char **error);

bool baseline_has(const struct baseline *baseline, const char *fingerprint);

void baseline_finish(struct baseline *baseline);

/*
 * The part of a fingerprint for a place; any text can be NULL. Of the file only its name counts, so
 * that a folder can move.
 */
uint64_t baseline_side(
    const char *file, const char *function, const char *variable, const char *source);

#endif
