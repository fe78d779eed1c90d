/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads source files into memory and splits them into lines. The paths come from the archive, which
 * cannot be trusted: only regular files are read, up to a size that no source file has.
 */
#include "source-lines.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "whole-file.h"

struct source_file {
	char *path, *text;
	char **lines; /* within text */
	size_t line_count, line_room;
};

static void cut_lines(struct source_file *file)
{
	for (char *at = file->text; at; at = at[0] ? at : NULL) {
		char *end = at + strcspn(at, "\n");
		char *next = end[0] ? end + 1 : end;

		end[0] = '\0';
		while (end > at && strchr(" \t\r", end[-1]))
			*--end = '\0';
		*MEMORY_ADD(file->lines, file->line_room, file->line_count) = at;
		at = next;
	}
}

static struct source_file *find_file(struct sources *sources, const char *path)
{
	struct source_file *file;
	size_t length;

	for (size_t i = 0; i < sources->count; i++) {
		if (strcmp(sources->files[i].path, path) == 0)
			return &sources->files[i];
	}
	file = MEMORY_ADD(sources->files, sources->room, sources->count);
	file->path = memory_copy_text(path);
	file->text = whole_file_read(path, &length);
	cut_lines(file);
	return file;
}

const char *sources_written_line(struct sources *sources, const char *path, int line)
{
	const struct source_file *file;

	if (!path || !path[0] || line < 1)
		return NULL;
	file = find_file(sources, path);
	return (size_t)line <= file->line_count ? file->lines[line - 1] : NULL;
}

const char *sources_line(struct sources *sources, const char *path, int line)
{
	const char *text = sources_written_line(sources, path, line);

	return text ? text + strspn(text, " \t") : NULL;
}

static bool is_later(const struct timespec *one, const struct timespec *other)
{
	return one->tv_sec > other->tv_sec ||
	       (one->tv_sec == other->tv_sec && one->tv_nsec > other->tv_nsec);
}

const char *sources_remark(struct sources *sources, const char *path, const char *archive)
{
	struct stat source, trace;

	if (!sources_written_line(sources, path, 1))
		return "cannot be read here";
	if (stat(path, &source) == 0 && stat(archive, &trace) == 0 &&
	    is_later(&source.st_mtim, &trace.st_mtim))
		return "changed after the run: lines may have moved";
	return "";
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		free(sources->files[i].path);
		free(sources->files[i].text);
		free(sources->files[i].lines);
	}
	free(sources->files);
}
