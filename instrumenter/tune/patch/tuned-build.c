/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The copies are real ones, made by `cp -a`: a build writes into what it finds. Nothing is written
 * into the user's folder.
 */
#include "tuned-build.h"

#include "descendants.h"
#include "limited-run.h"
#include "text-file.h"
#include "word-list.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUILD_LIMIT = 600 }; /* seconds */

/* The path from the folder, or NULL if it does not lie below. */
static const char *path_below(const char *folder, const char *path)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* The last line of what a command has printed, cut (heap). */
static char *last_line(int output)
{
	struct text_file text = {.bytes = NULL};
	char *copy = NULL;

	if (text_file_read_descriptor(output, &text) == 0) {
		while (text.length > 0 && strchr(" \n", text.bytes[text.length - 1]) != NULL)
			text.bytes[--text.length] = '\0';
		const char *line = strrchr(text.bytes, '\n');
		copy = strndup(line != NULL ? line + 1 : text.bytes, 200);
	}
	text_file_finish(&text);
	return copy;
}

/* Runs the words by the shell; false with *problem, "COMMAND failed: LAST LINE". */
static bool run_words(
    struct process_watch *watch, const struct words *words, const char *what, char **problem)
{
	int output = text_file_memory();
	struct process_start start = {.program = "/bin/sh",
	    .arguments = words_vector(words),
	    .streams = {-1, output, output}};
	struct limited_run run = {.status = -1};
	int failed = start.arguments == NULL || output < 0
			 ? ENOMEM
			 : process_run_limited(watch, &start, BUILD_LIMIT, &run);
	bool is_done = failed == 0 && run.end == LIMITED_EXITED && run.status == 0;

	descendants_end(getpgrp());
	if (!is_done) {
		char *line = output >= 0 ? last_line(output) : NULL;
		if (asprintf(problem, "%s %s%s%s", what,
			run.end == LIMITED_TOO_LONG ? "did not end within 10 minutes" : "failed",
			line != NULL && line[0] != '\0' ? ": " : "", line != NULL ? line : "") < 0)
			*problem = NULL;
		free(line);
	}
	if (output >= 0)
		close(output);
	return is_done;
}

/* Copies all that is in the current folder, except for the part of it that has the copies. */
static bool copy_folder(struct tuned_build *build, struct process_watch *watch, const char *here,
    const char *to, char **problem)
{
	char real[PATH_MAX];
	const char *scratch =
	    realpath(build->scratch.folder, real) != NULL ? path_below(here, real) : NULL;
	size_t first = scratch != NULL ? strcspn(scratch, "/") : 0;
	struct words words = {0};
	DIR *folder = opendir(".");

	words_add(&words, "sh");
	words_add(&words, "-c");
	words_add(&words, "to=$1; shift; mkdir -p \"$to\" && exec cp -a -- \"$@\" \"$to\"");
	words_add(&words, "sh");
	words_add(&words, to);
	for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
		const char *name = entry->d_name;
		bool is_scratch =
		    first > 0 && strlen(name) == first && strncmp(name, scratch, first) == 0;
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !is_scratch)
			words_add(&words, name);
	}
	if (folder != NULL)
		closedir(folder);
	bool is_done = run_words(watch, &words, "copying the current folder", problem);
	words_finish(&words);
	return is_done;
}

/* Writes the patched files into the copy; they must lie below the current folder. */
static bool write_files(const struct patch *patch, const char *here, const char *to, char **problem)
{
	*problem = NULL;
	for (size_t i = 0; i < patch->count; i++) {
		const char *name = path_below(here, patch->files[i].name);
		char *path = NULL, *text;
		size_t length;
		int made = 0;

		if (patch->files[i].count == 0)
			continue;
		if (name == NULL) {
			if (asprintf(problem, "'%s' is not in the current folder, which is copied",
				patch->files[i].name) < 0)
				*problem = NULL;
			return false;
		}
		text = patch_apply(&patch->files[i], 0, patch->files[i].text.length, &length);
		if (text == NULL || asprintf(&path, "%s/%s", to, name) < 0)
			made = -1;
		else if (text_file_write(path, text, length) != 0)
			made = asprintf(
				   problem, "'%s' cannot be written: %s", path, strerror(errno)) < 0
				   ? -1
				   : 1;
		free(path);
		free(text);
		if (made != 0)
			return false;
	}
	return true;
}

/* Builds one side, whose program has this path in the folder. */
static bool build_side(struct tuned_build *build, struct process_watch *watch, const char *command,
    const char *program, const struct patch *patch, enum tuned_build_side side, char **problem)
{
	char here[PATH_MAX] = "";
	char *to = scratch_path(&build->scratch, side, "copy"), *path = NULL;
	struct words words = {0};
	bool is_done = to != NULL && getcwd(here, sizeof here) != NULL &&
		       asprintf(&path, "%s/%s", to, program) >= 0 &&
		       copy_folder(build, watch, here, to, problem);

	if (is_done && side == TUNED_BUILD_PATCHED)
		is_done = write_files(patch, here, to, problem);
	if (is_done) {
		words_add(&words, "sh");
		words_add(&words, "-c");
		words_add(&words,
		    "rm -f -- \"$2\" && cd \"$1\" && OMPINST=off && export OMPINST && "
		    "eval \"$3\"");
		words_add(&words, "sh");
		words_add(&words, to);
		words_add(&words, path);
		words_add(&words, command);
		is_done = run_words(watch, &words,
		    side == TUNED_BUILD_PATCHED ? "the command of --build, with the patch,"
						: "the command of --build, without the patch,",
		    problem);
		words_finish(&words);
	}
	if (is_done && access(path, X_OK) != 0) {
		is_done = false;
		if (asprintf(problem, "the command of --build makes no '%s'", program) < 0)
			*problem = NULL;
	}
	build->programs[side] = path;
	free(to);
	return is_done;
}

bool tuned_build_make(struct tuned_build *build, struct process_watch *watch, const char *command,
    const char *program, const struct patch *patch, char **problem)
{
	char here[PATH_MAX] = "";
	const char *below = program;

	*build = (struct tuned_build){.scratch = {NULL}};
	*problem = NULL;
	while (below[0] == '.' && below[1] == '/')
		below += 2 + strspn(below + 2, "/");
	if (program[0] == '/')
		below = getcwd(here, sizeof here) != NULL ? path_below(here, program) : NULL;
	if (below == NULL || strncmp(below, "../", 3) == 0) {
		if (asprintf(
			problem, "'%s' is not in the current folder, which is copied", program) < 0)
			*problem = NULL;
		return false;
	}
	if (scratch_init(&build->scratch) != 0) {
		if (asprintf(problem, "there is no folder for copies: %s", strerror(errno)) < 0)
			*problem = NULL;
		return false;
	}
	return build_side(build, watch, command, below, patch, TUNED_BUILD_UNCHANGED, problem) &&
	       build_side(build, watch, command, below, patch, TUNED_BUILD_PATCHED, problem);
}

void tuned_build_finish(struct tuned_build *build)
{
	scratch_finish(&build->scratch);
	for (size_t i = 0; i < TUNED_BUILD_SIDES; i++)
		free(build->programs[i]);
	*build = (struct tuned_build){.scratch = {NULL}};
}
