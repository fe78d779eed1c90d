/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads reports by the paths of their values, in any order of an object's members, because other
 * programs may have written them anew. Lists are short, so they are searched one by one.
 */
#include "baseline.h"

#include "error-text.h"
#include "text-file.h"

#include "common/json-reader.h"
#include "shared/text-hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	const struct baseline_form *form;
	struct words *prints;
	struct words pending; /* of the finding that is being read */
	size_t number, list;  /* of this finding, and the one with its list */
	bool begun;           /* there is such a finding */
	bool aside;           /* ... which did not count */
	bool is_ours;         /* the document names the tool */
	bool lacks_prints;    /* some finding has no fingerprint */
};

static void end_finding(struct reading *reading)
{
	if (reading->begun && !reading->aside) {
		words_add_list(reading->prints, &reading->pending);
		reading->lacks_prints |= reading->pending.count == 0;
	}
	words_finish(&reading->pending);
	reading->begun = reading->aside = false;
}

/* What follows the number of the list's element in the path; NULL for any other path. */
static const char *member_of(const char *path, const char *list, size_t *number)
{
	const size_t length = strlen(list);
	char *end;

	if (strncmp(path, list, length) != 0 || path[length] != '/')
		return NULL;
	*number = strtoull(path + length + 1, &end, 10);
	return *end == '/' ? end + 1 : NULL;
}

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

/* A value of a finding in JSON. */
static void take_member(struct reading *reading, const char *key, const char *text)
{
	if (strcmp(key, "fingerprint") == 0)
		words_add(&reading->pending, text);
	else if (strcmp(key, "standing") == 0)
		reading->aside = strcmp(text, "counts") != 0 && strcmp(text, "known") != 0;
}

/* A value of a result in SARIF. */
static void take_property(struct reading *reading, const char *key, const char *text)
{
	static const char prints[] = "partialFingerprints/";

	if (begins_with(key, prints) && begins_with(key + strlen(prints), reading->form->key))
		words_add(&reading->pending, text);
	reading->aside |= begins_with(key, "suppressions/") ||
			  (strcmp(key, "baselineState") == 0 && strcmp(text, "absent") == 0) ||
			  (strcmp(key, "level") == 0 && strcmp(text, "note") == 0);
}

static void visit(void *context, const char *path, const char *text)
{
	struct reading *reading = context;
	size_t number = 0, list = 0;
	const char *member = member_of(path, reading->form->lists[0], &number);
	if (member == NULL && reading->form->lists[1] != NULL)
		member = member_of(path, reading->form->lists[list = 1], &number);
	const char *property = member == NULL ? member_of(path, "runs/0/results", &number) : NULL;

	if (strcmp(path, "tool") == 0 || strcmp(path, "runs/0/tool/driver/name") == 0)
		reading->is_ours |= strcmp(text, reading->form->tool) == 0;
	if (member == NULL && property == NULL)
		return;
	if (reading->begun && (number != reading->number || list != reading->list))
		end_finding(reading);
	reading->number = number;
	reading->list = list;
	reading->begun = true;
	if (member != NULL)
		take_member(reading, member, text);
	else
		take_property(reading, property, text);
}

/* What is wrong with the document, or NULL. */
static const char *read_document(struct reading *reading, const struct text_file *file)
{
	const int end = json_read(file->bytes, file->length, visit, reading);

	end_finding(reading);
	if (end != 0)
		return "is no JSON, or not all of it";
	if (!reading->is_ours)
		return "has no findings of this tool";
	return reading->lacks_prints ? "has findings without fingerprints" : NULL;
}

bool baseline_read(
    const char *path, const struct baseline_form *form, struct baseline *baseline, char **error)
{
	struct reading reading = {.form = form, .prints = &baseline->prints};
	struct text_file file;

	*baseline = (struct baseline){.path = path};
	*error = NULL;
	if (text_file_read(path, &file) != 0)
		return error_set(error, "cannot read the baseline '%s': %s", path, strerror(errno));
	const char *problem = read_document(&reading, &file);
	text_file_finish(&file);
	if (problem != NULL)
		error_set(error,
		    "the baseline '%s' %s: expected a report that '%s' wrote with --format=json or "
		    "--format=sarif",
		    path, problem, form->tool);
	else if (!baseline->prints.failed)
		return true;
	baseline_finish(baseline);
	return false;
}

/* Does one of the sides after the rule equal this one? */
static bool has_side(const char *fingerprint, const char *side, size_t length)
{
	const char *at = strchr(fingerprint, ':');

	for (; at != NULL; at = strchr(at + 1, ':'))
		if (strncmp(at + 1, side, length) == 0 && strchr(":", at[1 + length]) != NULL)
			return true;
	return false;
}

/*
 * A finding of which one place is forgotten is any with the other place. Its rule can differ,
 * because that depends on both places.
 */
static bool are_one(const char *left, const char *right)
{
	const size_t length = strlen(left);
	const char *side = strchr(left, ':');

	if (strcmp(left, right) == 0)
		return true;
	if (side == NULL || length < 2 || strcmp(left + length - 2, ":-") != 0)
		return false;
	return has_side(right, side + 1, strcspn(side + 1, ":"));
}

bool baseline_has(const struct baseline *baseline, const char *fingerprint)
{
	for (size_t i = 0; i < baseline->prints.count; i++)
		if (are_one(baseline->prints.items[i], fingerprint) ||
		    are_one(fingerprint, baseline->prints.items[i]))
			return true;
	return false;
}

void baseline_finish(struct baseline *baseline)
{
	words_finish(&baseline->prints);
}

uint64_t baseline_side(
    const char *file, const char *function, const char *variable, const char *source)
{
	const char *slash = file != NULL ? strrchr(file, '/') : NULL;
	const char *const texts[] = {slash != NULL ? slash + 1 : file, function, variable, source};
	uint64_t hash = TEXT_HASH_START;

	/* The end of each text counts, so that none can go on in the next. */
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		hash = text_hash_byte(text_hash(hash, texts[i] != NULL ? texts[i] : ""), '\0');
	return hash;
}
