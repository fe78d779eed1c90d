/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collects the findings of many files; a finding in a header that several files include is reported
 * once. Reads the user's own files for comments that allow something, and for the column in which a
 * directive's line begins.
 */
#include "findings.h"

#include "allow-comment.h"
#include "line-marker.h"
#include "lint-options.h"
#include "shared/array.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct baseline_form lint_baseline_form = {"ompinst lint", {"findings"}, "lint/v1"};

/* One of the user's files. */
struct lint_source {
	char *name;
	struct text_file text; /* empty if it cannot be read */
	unsigned units;        /* how many units include it */
	unsigned last_unit;    /* number of the last one */
	struct lint_source *next;
};

static struct lint_source *find_source(
    const struct findings *findings, const char *name, size_t length)
{
	struct lint_source *source = findings->sources;

	while (source != NULL &&
	       (strncmp(source->name, name, length) != 0 || source->name[length] != '\0'))
		source = source->next;
	return source;
}

static struct lint_source *add_source(struct findings *findings, const char *name)
{
	struct lint_source *source = find_source(findings, name, strlen(name));

	if (source == NULL) {
		source = calloc(1, sizeof *source);
		if (source == NULL || (source->name = strdup(name)) == NULL) {
			free(source);
			findings->failed = true;
			return NULL;
		}
		text_file_read(name, &source->text);
		source->next = findings->sources;
		findings->sources = source;
	}
	return source;
}

static const struct text_file *read_source(struct findings *findings, const char *name)
{
	struct lint_source *source = add_source(findings, name);

	return source != NULL ? &source->text : NULL;
}

/* System headers (flag 3) have no findings. */
static void note_file(struct findings *findings, const struct line_marker *marker, const char *end)
{
	const char *flags = marker->file + marker->file_length;
	struct lint_source *source;
	char *name;

	if (memchr(flags, '3', (size_t)(end - flags)) != NULL)
		return;
	source = find_source(findings, marker->file, marker->file_length);
	if (source == NULL) {
		name = strndup(marker->file, marker->file_length);
		source = name != NULL ? add_source(findings, name) : NULL;
		free(name);
	}
	if (source != NULL && source->last_unit != findings->unit) {
		source->last_unit = findings->unit;
		source->units++;
	}
}

void findings_begin_unit(struct findings *findings, const struct text_file *text)
{
	const char *end = text->bytes + text->length;

	findings->unit++;
	for (const char *at = text->bytes, *next; at < end; at = next) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct line_marker marker;

		next = newline != NULL ? newline + 1 : end;
		if (*at == '#' && line_marker_read(at, newline != NULL ? newline : end, &marker))
			note_file(findings, &marker, newline != NULL ? newline : end);
	}
}

bool findings_agree(struct findings *findings, size_t number)
{
	const char *name = findings->all[number].place.file;
	const struct finding_fix *fix = &findings->fixes[number];
	const struct lint_source *source = find_source(findings, name, strlen(name));

	return !fix->differs && source != NULL && source->units == fix->units;
}

/* The line without its newline; NULL if the file has fewer lines. */
static const char *find_line(const struct text_file *text, int number, size_t *length)
{
	const char *at = text->bytes, *end = at + text->length;

	for (int line = 1; at != NULL && at < end; line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		if (line == number) {
			*length = (size_t)((newline ? newline : end) - at);
			return at;
		}
		at = newline != NULL ? newline + 1 : end;
	}
	return NULL;
}

static bool is_name_byte(char byte)
{
	return byte == '-' || byte == '_' || (byte >= 'a' && byte <= 'z') ||
	       (byte >= '0' && byte <= '9');
}

/*
 * Does the line contain a comment `ompinst: allow NAME, NAME` that names the check, or one that
 * allows races, if it is about them?
 */
static bool line_allows(const char *line, size_t length, enum lint_check check)
{
	static const char mark[] = "ompinst: allow ";
	struct allow_comment comment;
	if (check < LINT_CHECK_COUNT && lint_checks[check].race &&
	    allow_comment_find(line, length, &comment))
		return true;
	const char *at = memmem(line, length, mark, sizeof mark - 1);
	const char *end = line + length;

	if (at == NULL)
		return false;
	for (at += sizeof mark - 1; at < end; at++) {
		size_t word = 0;
		while (at + word < end && is_name_byte(at[word]))
			word++;
		if (word > 0 && lint_find_check(at, word) == check)
			return true;
		at += word;
		if (at < end && *at != ',' && *at != ' ')
			return false;
	}
	return false;
}

static bool is_allowed(struct findings *findings, const struct lint_finding *finding)
{
	const struct text_file *text = read_source(findings, finding->place.file);

	for (int line = finding->place.line - 1; text != NULL && line <= finding->place.line;
	     line++) {
		size_t length = 0;
		const char *begin = find_line(text, line, &length);
		if (begin != NULL && line_allows(begin, length, finding->check))
			return true;
	}
	return false;
}

/*
 * Replaces column 0, or a column that only the preprocessed line has, by that of the line's first
 * non-blank.
 */
static void complete_place(struct findings *findings, struct lint_place *place)
{
	const struct text_file *text;
	size_t length = 0, blanks = 0;
	const char *line;

	if (place->line == 0)
		return;
	text = read_source(findings, place->file);
	line = text != NULL ? find_line(text, place->line, &length) : NULL;
	if (place->column > 0 && (line == NULL || (size_t)place->column <= length))
		return;
	while (line != NULL && blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
		blanks++;
	place->column = (int)blanks + 1;
}

static bool same_fixes(const struct lint_finding *one, const struct lint_finding *other)
{
	bool same = one->fix_count == other->fix_count;

	for (size_t i = 0; i < one->fix_count && same; i++)
		same = one->fixes[i].change == other->fixes[i].change &&
		       strcmp(one->fixes[i].at, other->fixes[i].at) == 0 &&
		       strcmp(one->fixes[i].text, other->fixes[i].text) == 0;
	return same;
}

/* Is it a finding of an earlier unit? Counts the unit. */
static bool is_known(struct findings *findings, const struct lint_finding *finding)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct lint_finding *other = &findings->all[i];
		if (other->check == finding->check && other->place.line == finding->place.line &&
		    other->place.column == finding->place.column &&
		    strcmp(other->place.file, finding->place.file) == 0 &&
		    strcmp(other->message, finding->message) == 0) {
			findings->fixes[i].units++;
			findings->fixes[i].differs |= !same_fixes(other, finding);
			return true;
		}
	}
	return false;
}

static const char *copy(struct findings *findings, const char *text)
{
	char *result = strdup(text);

	findings->failed |= result == NULL;
	return result;
}

static void copy_fixes(struct findings *findings, struct lint_finding *finding)
{
	struct lint_fix *fixes = calloc(finding->fix_count + 1, sizeof *fixes);

	findings->failed |= fixes == NULL;
	for (size_t i = 0; i < finding->fix_count && fixes != NULL; i++) {
		fixes[i] = finding->fixes[i];
		fixes[i].place.file = copy(findings, finding->fixes[i].place.file);
		fixes[i].at = copy(findings, finding->fixes[i].at);
		fixes[i].text = copy(findings, finding->fixes[i].text);
	}
	finding->fix_count = fixes != NULL ? finding->fix_count : 0;
	finding->fixes = fixes;
}

/* Has neither the finding's place nor that of its note changed? */
static bool is_unchanged(const struct findings *findings, const struct lint_finding *finding)
{
	const struct lint_place *place = &finding->place, *note = &finding->note_place;

	return findings->changed != NULL &&
	       !changed_lines_have(findings->changed, place->file, place->line) &&
	       (note->line == 0 || !changed_lines_have(findings->changed, note->file, note->line));
}

/* The check, and a hash of the finding that survives when lines move; messages can name lines. */
static void identify(
    struct findings *findings, const struct lint_finding *finding, struct finding_fix *more)
{
	const struct text_file *text = read_source(findings, finding->place.file);
	size_t length = 0, blanks = 0, count = 0;
	const char *line = text != NULL ? find_line(text, finding->place.line, &length) : NULL;

	if (finding->check == LINT_CHECK_COUNT)
		return;
	while (blanks < length && isspace((unsigned char)line[blanks]))
		blanks++;
	while (length > blanks && isspace((unsigned char)line[length - 1]))
		length--;
	char *source = strndup(line != NULL ? line + blanks : "", length - blanks);
	char *message = strdup(finding->message);
	for (const char *at = message; at != NULL && *at != '\0'; at++)
		if (!isdigit((unsigned char)*at))
			message[count++] = *at;
	if (message != NULL)
		message[count] = '\0';
	if (message == NULL || source == NULL ||
	    asprintf(&more->fingerprint, "%s:%016" PRIx64, lint_checks[finding->check].name,
		baseline_side(finding->place.file, NULL, message, source)) < 0) {
		more->fingerprint = NULL;
		findings->failed = true;
	}
	free(source);
	free(message);
	more->unchanged = is_unchanged(findings, finding);
	more->known = !more->unchanged && more->fingerprint != NULL && findings->baseline != NULL &&
		      baseline_has(findings->baseline, more->fingerprint);
	findings->unchanged += more->unchanged;
	findings->known += more->known;
}

void findings_add(struct findings *findings, const struct lint_report *report)
{
	for (size_t i = 0; i < report->count && !findings->failed; i++) {
		struct lint_finding finding = report->findings[i];

		complete_place(findings, &finding.place);
		complete_place(findings, &finding.note_place);
		if (is_known(findings, &finding) || is_allowed(findings, &finding))
			continue;
		if (!ARRAY_ROOM(findings->all, findings->count, findings->capacity, 1) ||
		    !ARRAY_ROOM(findings->fixes, findings->fix_count, findings->fix_capacity, 1)) {
			findings->failed = true;
			return;
		}
		finding.place.file = copy(findings, finding.place.file);
		finding.message = copy(findings, finding.message);
		finding.note_place.file = copy(findings, finding.note_place.file);
		finding.note = copy(findings, finding.note);
		copy_fixes(findings, &finding);
		findings->errors += finding.check == LINT_CHECK_COUNT;
		findings->all[findings->count++] = finding;
		findings->fixes[findings->fix_count++] = (struct finding_fix){.units = 1};
		identify(findings, &finding, &findings->fixes[findings->fix_count - 1]);
	}
}

static void finish_fixes(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct lint_finding *finding = &findings->all[i];

		for (size_t j = 0; j < finding->fix_count; j++) {
			free((char *)finding->fixes[j].place.file);
			free((char *)finding->fixes[j].at);
			free((char *)finding->fixes[j].text);
		}
		free((void *)finding->fixes);
	}
	for (size_t i = 0; i < findings->fix_count; i++) {
		for (size_t j = 0; j < findings->fixes[i].count; j++)
			free(findings->fixes[i].edits[j].edit.text);
		free(findings->fixes[i].edits);
		free(findings->fixes[i].fingerprint);
	}
	free(findings->fixes);
}

void findings_finish(struct findings *findings)
{
	finish_fixes(findings);
	for (size_t i = 0; i < findings->count; i++) {
		free((char *)findings->all[i].place.file);
		free((char *)findings->all[i].message);
		free((char *)findings->all[i].note_place.file);
		free((char *)findings->all[i].note);
	}
	while (findings->sources != NULL) {
		struct lint_source *next = findings->sources->next;
		text_file_finish(&findings->sources->text);
		free(findings->sources->name);
		free(findings->sources);
		findings->sources = next;
	}
	free(findings->all);
	*findings = (struct findings){0};
}
