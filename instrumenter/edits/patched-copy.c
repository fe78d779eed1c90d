/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of copies beside the user's, in a temporary folder. */
#include "patched-copy.h"

#include "line-marker.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* FOLDER/ABSOLUTE PATH of the file (heap), or NULL. */
static char *copy_path(const char *folder, const char *name)
{
	char here[PATH_MAX] = "", *path = NULL;

	if (name[0] != '/' && getcwd(here, sizeof here) == NULL)
		return NULL;
	return asprintf(&path, "%s%s/%s", folder, here, name) < 0 ? NULL : path;
}

/* Makes the folders of the path that are missing. */
static int make_folders(char *path)
{
	for (char *at = path + 1; *at != '\0'; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		int failed = mkdir(path, 0700) != 0 && errno != EEXIST;
		*at = '/';
		if (failed)
			return -1;
	}
	return 0;
}

static char *write_copy(const char *folder, const char *name, const char *bytes, size_t length)
{
	char *path = copy_path(folder, name);

	if (path != NULL &&
	    (make_folders(path) != 0 || text_file_write(path, bytes, length) != 0)) {
		free(path);
		return NULL;
	}
	return path;
}

char *patched_copy_make(const struct patch *patch, const char *folder, const char *name)
{
	struct text_file text;
	char *path = NULL;

	if (text_file_read(name, &text) == 0)
		path = write_copy(folder, name, text.bytes, text.length);
	text_file_finish(&text);
	for (size_t i = 0; i < patch->count && path != NULL; i++) {
		const struct patch_file *file = &patch->files[i];
		size_t length;
		char *edited, *copy;

		if (file->count == 0)
			continue;
		edited = patch_apply(file, 0, file->text.length, &length);
		copy = edited != NULL ? write_copy(folder, file->name, edited, length) : NULL;
		free(edited);
		if (copy == NULL) {
			free(path);
			path = NULL;
		}
		free(copy);
	}
	return path;
}

bool patched_copy_is_complete(
    const struct patch *patch, const char *folder, const struct text_file *preprocessed)
{
	const char *end = preprocessed->bytes + preprocessed->length;

	for (const char *at = preprocessed->bytes, *next; at < end; at = next) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct line_marker marker;

		next = newline != NULL ? newline + 1 : end;
		if (*at != '#' || !line_marker_read(at, next, &marker) ||
		    (marker.file_length > strlen(folder) &&
			memcmp(marker.file, folder, strlen(folder)) == 0))
			continue;
		for (size_t i = 0; i < patch->count; i++)
			if (patch->files[i].count > 0 &&
			    line_marker_names(
				&marker, patch->files[i].name, strlen(patch->files[i].name)))
				return false;
	}
	return true;
}
