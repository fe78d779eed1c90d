/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks a program's dynamic loader, with its option --list, what it would load. Only the loader
 * knows all of run paths, LD_LIBRARY_PATH, the cache and the processor's folders, and whether it
 * would accept our libraries. None of the program's code runs.
 */
#include "loader.h"

#include "text-file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Does not use child-process.h, which changes signals that the program must get unchanged. */
static bool run(
    const char *loader, const char *program, char *const *environment, int output, int error)
{
	char *arguments[] = {(char *)loader, "--list", (char *)program, NULL};
	posix_spawn_file_actions_t actions;
	pid_t child;
	bool started;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return false;
	started = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
		  posix_spawn_file_actions_adddup2(&actions, output, 1) == 0 &&
		  posix_spawn_file_actions_adddup2(&actions, error, 2) == 0 &&
		  posix_spawn(&child, loader, &actions, NULL, arguments, environment) == 0;
	posix_spawn_file_actions_destroy(&actions);
	/* If SIGCHLD is ignored, waitpid() fails with ECHILD after the child has ended. */
	while (started && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return started;
}

bool loader_ask(
    const char *loader, const char *program, char *const *environment, struct loader_answer *answer)
{
	int output = text_file_memory(), error = text_file_memory();
	struct text_file text = {0};
	bool asked = false;

	*answer = (struct loader_answer){0};
	if (output >= 0 && error >= 0)
		asked = run(loader, program, environment, output, error);
	if (asked && text_file_read_descriptor(output, &text) == 0)
		answer->libraries = text.bytes;
	if (asked && text_file_read_descriptor(error, &text) == 0)
		answer->problems = text.bytes;
	if (output >= 0)
		close(output);
	if (error >= 0)
		close(error);
	return asked && answer->libraries != NULL && answer->problems != NULL;
}

bool loader_has(const struct loader_answer *answer, const char *name)
{
	size_t length = strlen(name);
	const char *at = answer->libraries;

	while (at != NULL && (at = strstr(at, name)) != NULL) {
		bool begins = at > answer->libraries && strchr("/\t", at[-1]) != NULL;
		if (begins && strchr(". ", at[length]) != NULL)
			return true;
		at += length;
	}
	return false;
}

/* Does the line contain the path of a file in the list? */
static bool names_one(const char *line, size_t length, const char *list)
{
	while (*list != '\0') {
		size_t path = strcspn(list, ":");
		if (path > 0 && memmem(line, length, list, path) != NULL)
			return true;
		list += path + (list[path] == ':');
	}
	return false;
}

char *loader_problem_with(const struct loader_answer *answer, const char *list)
{
	const char *line = answer->problems;

	while (line != NULL && *line != '\0') {
		size_t length = strcspn(line, "\n");
		if (names_one(line, length, list))
			return strndup(line, length);
		line += length + (line[length] == '\n');
	}
	return NULL;
}

void loader_answer_finish(struct loader_answer *answer)
{
	free(answer->libraries);
	free(answer->problems);
	*answer = (struct loader_answer){0};
}
