/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks through the folders of PATH. An element may be empty, which is the current folder,
 * relative, lead to the same folder as another one, or be there again. What is in a folder of PATH
 * and cannot be run is passed over, as shells do.
 */
#include "program-search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Programs that a search is for. */
enum wanted { ANY, OURS, NOT_OURS };

static bool is_same(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Opened, because under qemu-user a look at the link itself finds the emulator. */
static bool is_ours(const char *path)
{
	struct stat self, other;
	int file = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	bool same = file >= 0 && fstat(file, &self) == 0 && stat(path, &other) == 0 &&
		    is_same(&self, &other);

	if (file >= 0)
		close(file);
	return same;
}

int program_problem(const char *path)
{
	struct stat state;

	if (stat(path, &state) != 0)
		return errno;
	if (!S_ISREG(state.st_mode))
		return S_ISDIR(state.st_mode) ? EISDIR : EACCES;
	return access(path, X_OK) == 0 ? 0 : errno;
}

int program_exit_code(int problem)
{
	return problem == ENOENT || problem == ENOTDIR ? 127 : 126;
}

char *program_interpreter(const char *bytes, size_t length)
{
	size_t end;

	if (length < 2 || bytes[0] != '#' || bytes[1] != '!')
		return NULL;
	bytes += 2;
	length -= 2;
	while (length > 0 && (*bytes == ' ' || *bytes == '\t'))
		bytes++, length--;
	for (end = 0; end < length && strchr(" \t\n", bytes[end]) == NULL; end++)
		if (bytes[end] == '\0')
			break;
	return end > 0 ? strndup(bytes, end) : NULL;
}

/* The interpreter (heap) of a script, where it does not exist, or NULL. */
static char *missing_interpreter(const char *path)
{
	char first[PROGRAM_FIRST_LINE];
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t length = file >= 0 ? read(file, first, sizeof first) : -1;
	char *interpreter = length > 0 ? program_interpreter(first, (size_t)length) : NULL;

	if (file >= 0)
		close(file);
	if (interpreter != NULL && access(interpreter, F_OK) == 0) {
		free(interpreter);
		interpreter = NULL;
	}
	return interpreter;
}

char *program_problem_text(const char *name, int problem)
{
	char *interpreter = problem == ENOENT ? missing_interpreter(name) : NULL, *text = NULL;
	int made;

	if (interpreter != NULL)
		made = asprintf(&text, "its interpreter '%s' does not exist", interpreter);
	else if (problem == SEARCH_IS_OURS)
		made = asprintf(&text, "this is ompinst itself");
	else if (problem == ENOENT && name[0] != '\0' && strchr(name, '/') == NULL)
		made = asprintf(&text, "no such program in PATH");
	else
		made = asprintf(&text, "%s", strerror(problem));
	free(interpreter);
	return made < 0 ? NULL : text;
}

/*
 * Takes the next folder off the front of *path, which is NULL behind the last one. Returns its
 * length, and in *folder where it begins.
 */
static size_t take_folder(const char **path, const char **folder)
{
	size_t length = strcspn(*path, ":");

	*folder = *path;
	*path = (*path)[length] == ':' ? *path + length + 1 : NULL;
	return length;
}

/* The path (heap) of a file in a folder of PATH, or NULL. An empty one is the current folder. */
static char *path_in_folder(const char *folder, size_t length, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? folder : ".",
		   name) < 0
		   ? NULL
		   : path;
}

/*
 * The first program of the name in these folders (heap) of those that are wanted; then *path begins
 * behind its folder. NULL: none; *reason is EACCES if one cannot be run.
 */
static char *first_program(const char **path, const char *name, enum wanted wanted, int *reason)
{
	const char *folder;

	while (*path != NULL) {
		size_t length = take_folder(path, &folder);
		char *candidate = path_in_folder(folder, length, name);
		int problem = candidate != NULL ? program_problem(candidate) : ENOMEM;
		if (problem == 0 && (wanted == ANY || is_ours(candidate) == (wanted == OURS)))
			return candidate;
		if (problem == EACCES || problem == ENOMEM)
			*reason = problem;
		free(candidate);
	}
	return NULL;
}

/* Is the file the program of that name in a folder of the text from path to end? */
static bool is_before(const char *path, const char *end, const char *name, const char *file)
{
	struct stat one, other;
	const char *folder;
	bool found = false;

	while (!found && path != NULL && path != end) {
		size_t length = take_folder(&path, &folder);
		char *candidate = path_in_folder(folder, length, name);
		found = candidate != NULL && stat(candidate, &one) == 0 &&
			stat(file, &other) == 0 && is_same(&one, &other);
		free(candidate);
	}
	return found;
}

/*
 * The first program behind ours (heap), or NULL. One that is before ours as well, such as ccache
 * in two folders, has started us and is not meant.
 */
static char *program_behind(const char *path, const char *behind, const char *name, int *reason)
{
	const char *rest = behind;
	char *found;

	while ((found = first_program(&rest, name, NOT_OURS, reason)) != NULL &&
	       is_before(path, behind, name, found))
		free(found);
	return found;
}

char *search_program(const char *name, enum search_start start, bool *is_first)
{
	const char *path = getenv("PATH"), *rest, *behind;
	int reason = ENOENT;

	if (is_first != NULL)
		*is_first = true;
	if (strchr(name, '/') != NULL || name[0] == '\0') {
		reason = program_problem(name);
		if (reason == 0 && start != SEARCH_OURS_TOO && is_ours(name))
			reason = SEARCH_IS_OURS;
		errno = reason;
		return reason == 0 ? strdup(name) : NULL;
	}
	if (path == NULL)
		path = "/bin:/usr/bin";
	rest = behind = path;
	if (start == SEARCH_OURS_TOO) {
		char *first = first_program(&rest, name, ANY, &reason);
		errno = reason;
		return first;
	}
	char *found = first_program(&rest, name, NOT_OURS, &reason);
	char *self = first_program(&behind, name, OURS, &reason);
	/* What is left of PATH is the shorter the later it was found. */
	bool is_behind = self != NULL && (rest == NULL || (behind != NULL && rest > behind));
	if (found != NULL && self != NULL && !is_behind && start == SEARCH_BEHIND_OURS) {
		char *next = program_behind(path, behind, name, &reason);
		if (next != NULL) {
			free(found);
			found = next;
			is_behind = true;
		}
	}
	if (is_first != NULL)
		*is_first = !is_behind;
	free(self);
	errno = reason;
	return found;
}

void search_hide_ours(const char *name)
{
	const char *path = getenv("PATH"), *folder;
	char *left, *end;

	if (path == NULL || (left = malloc(strlen(path) + 2)) == NULL)
		return;
	end = left;
	while (path != NULL) {
		size_t length = take_folder(&path, &folder);
		char *file = path_in_folder(folder, length, name);
		if (file == NULL || !is_ours(file)) {
			end = (char *)mempcpy(end, folder, length);
			*end++ = ':';
		}
		free(file);
	}
	/* All were ours, or the one that is left is the current folder by an empty element. */
	if (end > left + 1) {
		end[-1] = '\0';
		setenv("PATH", left, 1);
	}
	free(left);
}
