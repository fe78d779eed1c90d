/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the folders of PATH. An element may be empty, which means the current folder, or
 * relative; it may occur twice, or lead to the same folder as another one. Like shells, the search
 * skips files that cannot be run.
 */
#include "program-search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The programs that a search accepts. */
enum wanted { ANY, OURS, NOT_OURS };

static bool is_same(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Opens /proc/self/exe, because under qemu-user stat() on this link finds the emulator. */
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

/* The interpreter (heap) of a script if it does not exist, or NULL. */
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
 * Takes the next folder from the front of *path, which becomes NULL after the last one. Returns the
 * folder's length, and its beginning in *folder.
 */
static size_t take_folder(const char **path, const char **folder)
{
	size_t length = strcspn(*path, ":");

	*folder = *path;
	*path = (*path)[length] == ':' ? *path + length + 1 : NULL;
	return length;
}

/* The path (heap) of a file in a folder of PATH, or NULL. An empty folder is the current one. */
static char *path_in_folder(const char *folder, size_t length, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? folder : ".",
		   name) < 0
		   ? NULL
		   : path;
}

/*
 * The first wanted program with this name in these folders (heap); *path then begins after its
 * folder. NULL if there is none; *reason is EACCES if one cannot be run.
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

/* Is the file also found by that name in a folder between path and end? */
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
 * The first program after ompinst in PATH (heap), or NULL. A program that also comes before
 * ompinst, such as ccache in two folders, has started ompinst and is skipped.
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
	/* The later a program was found, the shorter is the rest of PATH. */
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
	/*
	 * PATH stays if it would become empty, or only an empty element (the current folder) would
	 * be left.
	 */
	if (end > left + 1) {
		end[-1] = '\0';
		setenv("PATH", left, 1);
	}
	free(left);
}
