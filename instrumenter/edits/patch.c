/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edits of files. They are few, so that lists are searched from their beginning. Knows nothing of
 * what the files contain.
 */
#include "patch.h"

#include "shared/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t patch_file_number(struct patch *patch, const char *name)
{
	struct patch_file *file;

	for (size_t i = 0; i < patch->count; i++)
		if (strcmp(patch->files[i].name, name) == 0)
			return i;
	if (!ARRAY_ROOM(patch->files, patch->count, patch->capacity, 1)) {
		patch->failed = true;
		return (size_t)-1;
	}
	file = &patch->files[patch->count];
	*file = (struct patch_file){.name = strdup(name)};
	if (file->name == NULL) {
		patch->failed = true;
		return (size_t)-1;
	}
	text_file_read(name, &file->text);
	return patch->count++;
}

static bool is_equal(const struct patch_edit *one, const struct patch_edit *other)
{
	return one->begin == other->begin && one->end == other->end &&
	       strcmp(one->text, other->text) == 0;
}

/* Of " reduction(+: x)" it is "x)". */
static const char *last_word(const char *text)
{
	const char *word = text;

	for (; *text != '\0'; text++)
		if (*text == '(' || *text == ' ')
			word = text + 1;
	return word;
}

bool patch_edits_conflict(const struct patch_edit *one, const struct patch_edit *other)
{
	if (is_equal(one, other))
		return false;
	if (one->begin == one->end && other->begin == other->end)
		return one->begin == other->begin &&
		       (strchr(one->text, '#') != NULL || strchr(other->text, '#') != NULL ||
			   strcmp(last_word(one->text), last_word(other->text)) == 0);
	return one->begin < other->end && other->begin < one->end;
}

/* Edits at one place: an insertion comes first. */
static bool comes_before(const struct patch_edit *one, const struct patch_edit *other)
{
	return one->begin != other->begin ? one->begin < other->begin : one->end < other->end;
}

void patch_add(struct patch *patch, size_t number, const struct patch_edit *edit)
{
	struct patch_file *file = &patch->files[number];
	struct patch_edit copy = *edit;
	size_t at;

	for (size_t i = 0; i < file->count; i++)
		if (is_equal(&file->edits[i], edit))
			return;
	copy.text = strdup(edit->text);
	if (copy.text == NULL || !ARRAY_PUSH(file->edits, file->count, file->capacity, copy)) {
		free(copy.text);
		patch->failed = true;
		return;
	}
	for (at = file->count - 1; at > 0 && comes_before(&copy, &file->edits[at - 1]); at--)
		file->edits[at] = file->edits[at - 1];
	file->edits[at] = copy;
}

void patch_clear(struct patch *patch)
{
	for (size_t i = 0; i < patch->count; i++) {
		for (size_t j = 0; j < patch->files[i].count; j++)
			free(patch->files[i].edits[j].text);
		patch->files[i].count = 0;
	}
}

static struct patch_text text_of(const struct patch_file *file, bool prefixed)
{
	return (struct patch_text){
	    file->name, file->text.bytes, file->text.length, file->edits, file->count, prefixed};
}

char *patch_apply(const struct patch_file *file, size_t begin, size_t end, size_t *length)
{
	const struct patch_text text = text_of(file, false);

	return patch_text_apply(&text, begin, end, length);
}

void patch_print(FILE *out, const struct patch *patch)
{
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_text text = text_of(&patch->files[i], patch->prefixed);

		if (text.count > 0)
			patch_text_print(out, &text);
	}
}

int patch_write(const struct patch_file *file, const char **reason)
{
	struct text_file now;
	size_t length;
	char *path = realpath(file->name, NULL), *text;
	int failed = -1;

	*reason = NULL;
	if (path == NULL || text_file_read(path, &now) != 0) {
		*reason = strerror(errno);
		free(path);
		return -1;
	}
	text = patch_apply(file, 0, file->text.length, &length);
	if (now.length != file->text.length || memcmp(now.bytes, file->text.bytes, now.length) != 0)
		*reason = "it has changed since it was checked";
	else if (text == NULL)
		*reason = "out of memory";
	else if (text_file_replace(path, text, length) != 0)
		*reason = strerror(errno);
	else
		failed = 0;
	text_file_finish(&now);
	free(text);
	free(path);
	return failed;
}

void patch_place(const struct patch_file *file, size_t offset, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < offset; i++) {
		unsigned char byte = (unsigned char)file->text.bytes[i];

		if (byte == '\n') {
			++*line;
			*column = 1;
		} else if ((byte & 0xC0) != 0x80) {
			*column += byte >= 0xF0 ? 2 : 1;
		}
	}
}

void patch_finish(struct patch *patch)
{
	patch_clear(patch);
	for (size_t i = 0; i < patch->count; i++) {
		text_file_finish(&patch->files[i].text);
		free(patch->files[i].edits);
		free(patch->files[i].name);
	}
	free(patch->files);
	*patch = (struct patch){0};
}
