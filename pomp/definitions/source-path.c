/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A descriptor contains the file name as the user gave it to the compiler, often relative to the
 * folder in which the compiler ran. If the object contains that folder, the path is right by
 * construction, and it is not checked whether the file exists: sources may be on another machine.
 * Otherwise two folders are tried, which are right for programs that run where they were built: the
 * one in which the process started and the one that contains its program. A name that is found in
 * neither stays unchanged.
 */
#include "source-path.h"

#include "at-start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *join(const char *folder, const char *file)
{
	char *path;
	size_t length = strlen(folder);
	bool ends = length > 0 && folder[length - 1] == '/';

	while (file[0] == '.' && file[1] == '/')
		for (file += 2; *file == '/'; file++)
			;
	return asprintf(&path, "%s%s%s", folder, ends ? "" : "/", file) < 0 ? NULL : path;
}

/* Returns the path in that folder, if there is such a file. */
static char *find_in(const char *folder, const char *file)
{
	char *path = folder != NULL ? join(folder, file) : NULL;

	if (path != NULL && access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static char *find_beside_program(const char *file)
{
	char program[4096];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (length <= 0)
		return NULL;
	program[length] = '\0';
	char *slash = strrchr(program, '/');
	if (slash == NULL)
		return NULL;
	slash[1] = '\0';
	return find_in(program, file);
}

char *pomp_source_path(const char *file, const char *folder)
{
	if (file[0] == '/' || file[0] == '\0')
		return NULL;
	if (folder != NULL && folder[0] != '\0')
		return join(folder, file);
	char *found = find_in(pomp_at_start.folder, file);
	return found != NULL ? found : find_beside_program(file);
}
