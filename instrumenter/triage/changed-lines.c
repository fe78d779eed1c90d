/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs git, with options by which a user's settings do not change the form of its output. */
#include "changed-lines.h"

#include "child-process.h"
#include "error-text.h"
#include "program-search.h"
#include "text-file.h"
#include "word-list.h"

#include "shared/array.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs git with these words. Returns what it prints (heap), or NULL with *error. */
static char *ask_git(const char *commit, const char *const *words, char **error)
{
	struct process_watch watch;
	struct process_streams streams = {-1, text_file_memory(), text_file_memory()};
	struct text_file answer = {0}, problem = {0};
	struct words all = {0};
	char *program = search_program("git", SEARCH_ALL, NULL);
	int status = -1;

	words_add(&all, "git");
	words_add_all(&all, words);
	process_watch_open(&watch);
	if (program != NULL && streams.output >= 0 && streams.error >= 0 &&
	    words_vector(&all) != NULL)
		status = process_run(&watch, program, all.items, streams);
	process_watch_close(&watch);
	if (status == 0)
		text_file_read_descriptor(streams.output, &answer);
	else if (program != NULL && streams.error >= 0)
		text_file_read_descriptor(streams.error, &problem);
	if (answer.bytes == NULL)
		error_set(error, "--since=%s: %s%.*s", commit,
		    program == NULL ? "git was not found" : "git says: ",
		    (int)(problem.bytes != NULL ? strcspn(problem.bytes, "\n") : 0),
		    problem.bytes != NULL ? problem.bytes : "");
	close(streams.output);
	close(streams.error);
	text_file_finish(&problem);
	words_finish(&all);
	free(program);
	return answer.bytes;
}

static bool add_file(struct changed_lines *lines, const char *path, size_t length)
{
	const struct changed_file file = {.path = strndup(path, length)};

	if (file.path != NULL && ARRAY_PUSH(lines->files, lines->count, lines->capacity, file))
		return true;
	free(file.path);
	return false;
}

static bool add_range(struct changed_lines *lines, int first, int last)
{
	struct changed_file *file = &lines->files[lines->count - 1];

	if (!ARRAY_ROOM(file->ranges, file->count, file->capacity, 1))
		return false;
	file->ranges[file->count][0] = first;
	file->ranges[file->count++][1] = last;
	return true;
}

/* Reads "3,4" or "3": a line and the number of lines from there. Returns what follows. */
static const char *read_range(const char *at, int *first, int *count)
{
	char *end;

	*first = (int)strtol(at, &end, 10);
	*count = 1;
	if (*end == ',')
		*count = (int)strtol(end + 1, &end, 10);
	return end;
}

static const char *behind_line(const char *at)
{
	at += strcspn(at, "\n");
	return at + (*at == '\n');
}

/* Reads a hunk of a diff without context, "@@ -1,2 +3,4 @@", and skips its lines. */
static const char *read_hunk(struct changed_lines *lines, const char *at, bool *fits)
{
	int old, removed, first, added;

	at = read_range(at + strlen("@@ -"), &old, &removed);
	at = behind_line(read_range(at + strspn(at, " +"), &first, &added));
	/* What is behind a deletion may need what was deleted. */
	*fits = added > 0 ? add_range(lines, first, first + added - 1)
			  : add_range(lines, first + 1, first + 1);
	for (int left = removed + added; left > 0 && *at != '\0'; at = behind_line(at))
		left -= *at == '+' || *at == '-';
	return at;
}

static bool read_diff(struct changed_lines *lines, const char *diff)
{
	bool fits = true;

	for (const char *at = diff; *at != '\0' && fits;) {
		if (strncmp(at, "@@ -", 4) == 0 && lines->count > 0) {
			at = read_hunk(lines, at, &fits);
			continue;
		}
		/* A tab follows a name with blanks. */
		if (strncmp(at, "+++ ", 4) == 0)
			fits = add_file(lines, at + 4, strcspn(at + 4, "\t\n"));
		at = behind_line(at);
	}
	return fits;
}

/* Reads names of files, one in a line, of which all lines are new. */
static bool read_new_files(struct changed_lines *lines, const char *names)
{
	bool fits = true;

	for (const char *at = names; *at != '\0' && fits;) {
		fits = add_file(lines, at, strcspn(at, "\n")) && add_range(lines, 1, INT_MAX);
		at = behind_line(at);
	}
	return fits;
}

static bool ask_all(struct changed_lines *lines, char **error)
{
	const char *const root[] = {"rev-parse", "--show-toplevel", NULL};
	char *diff = NULL, *names = NULL;

	lines->root = ask_git(lines->commit, root, error);
	if (lines->root == NULL)
		return false;
	lines->root[strcspn(lines->root, "\n")] = '\0';
	const char *const differences[] = {"-C", lines->root, "-c", "core.quotepath=off", "diff",
	    "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-prefix",
	    "--unified=0", "--inter-hunk-context=0", lines->commit, "--", NULL};
	const char *const others[] = {"-C", lines->root, "-c", "core.quotepath=off", "ls-files",
	    "--others", "--exclude-standard", NULL};
	diff = ask_git(lines->commit, differences, error);
	names = diff != NULL ? ask_git(lines->commit, others, error) : NULL;
	const bool done = names != NULL && read_diff(lines, diff) && read_new_files(lines, names);
	free(diff);
	free(names);
	return done;
}

bool changed_lines_read(const char *commit, struct changed_lines *lines, char **error)
{
	*lines = (struct changed_lines){.commit = commit};
	*error = NULL;
	if (commit[0] == '-')
		return error_set(error, "--since=%s: expected a commit", commit);
	if (ask_all(lines, error))
		return true;
	changed_lines_finish(lines);
	return false;
}

bool changed_lines_have(const struct changed_lines *lines, const char *path, int line)
{
	char *whole = realpath(path, NULL);
	const size_t root = strlen(lines->root);
	bool found = false;

	if (whole != NULL && strncmp(whole, lines->root, root) == 0 && whole[root] == '/')
		for (size_t i = 0; i < lines->count && !found; i++)
			for (size_t j = 0; j < lines->files[i].count && !found &&
					   strcmp(lines->files[i].path, whole + root + 1) == 0;
			     j++)
				found = lines->files[i].ranges[j][0] <= line &&
					line <= lines->files[i].ranges[j][1];
	free(whole);
	return found;
}

void changed_lines_finish(struct changed_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		free(lines->files[i].path);
		free(lines->files[i].ranges);
	}
	free(lines->files);
	free(lines->root);
	*lines = (struct changed_lines){0};
}
