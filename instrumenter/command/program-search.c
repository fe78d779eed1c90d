/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks through the folders of PATH. An element may be empty, which is the current folder,
 * relative, lead to the same folder as another one, or be there again.
 */
#include "program-search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* 0, or the errno that execve() would give for this file. */
static int check_program(const char *path)
{
	struct stat state;

	if (stat(path, &state) != 0)
		return errno;
	if (S_ISDIR(state.st_mode))
		return EACCES;
	return access(path, X_OK) == 0 ? 0 : errno;
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

/* The path (heap) of a file in a folder, or NULL. */
static char *path_in_folder(const char *folder, size_t length, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%.*s%s%s", (int)length, folder, length > 0 ? "/" : "", name) < 0
		   ? NULL
		   : path;
}

/*
 * The first program of the name in these folders (heap), of those that are ours or of those that
 * are not; then *path begins behind its folder. NULL: none; *reason is EACCES if one cannot be run.
 */
static char *first_program(const char **path, const char *name, bool ours, int *reason)
{
	const char *folder;

	while (*path != NULL) {
		size_t length = take_folder(path, &folder);
		char *candidate = path_in_folder(folder, length, name);
		int problem = candidate != NULL ? check_program(candidate) : ENOMEM;
		if (problem == 0 && is_ours(candidate) == ours)
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

	while ((found = first_program(&rest, name, false, reason)) != NULL &&
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
	if (strchr(name, '/') != NULL) {
		reason = is_ours(name) ? ELOOP : check_program(name);
		errno = reason;
		return reason == 0 ? strdup(name) : NULL;
	}
	if (path == NULL)
		path = "/bin:/usr/bin";
	rest = behind = path;
	char *found = first_program(&rest, name, false, &reason);
	char *self = first_program(&behind, name, true, &reason);
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
