/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records the folder and the arguments of the process at its start. The library's constructor is
 * early enough in a program that is linked to it. But a runtime loads the measurement tool with the
 * first region; then the library that `ompinst run` preloads has recorded the folder.
 */
#include "at-start.h"

#include "process-state.h"
#include "shared/array.h"
#include "shared/run-agent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pomp_at_start pomp_at_start;

#pragma weak ompinst_run_start_folder

void pomp_at_start_note_folder(void)
{
	const char *noted = ompinst_run_start_folder != NULL ? ompinst_run_start_folder() : NULL;

	pomp_at_start.folder = noted != NULL ? strdup(noted) : getcwd(NULL, 0);
}

char *pomp_at_start_path(const char *path)
{
	const char *folder = pomp_at_start.folder;
	char *joined;

	if (path[0] == '/' || folder == NULL)
		return strdup(path);
	bool ends = folder[strlen(folder) - 1] == '/'; /* only the root ends with a slash */
	return asprintf(&joined, "%s%s%s", folder, ends ? "" : "/", path) < 0 ? NULL : joined;
}

/* Reads everything that the kernel has, which can be megabytes. False: there is nothing to read. */
static bool read_arguments(int file, struct pomp_at_start *start)
{
	enum { PIECE = 4096 };
	size_t capacity = 0;

	for (;;) {
		if (!ARRAY_ROOM(start->arguments, start->arguments_bytes, capacity, PIECE)) {
			pomp_out_of_memory("the program's arguments");
			return false;
		}
		ssize_t got = read(file, start->arguments + start->arguments_bytes, PIECE - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		start->arguments_bytes += (size_t)got;
	}
	/*
	 * A program that overwrote its arguments may have left no NUL at the end. There is room for
	 * one.
	 */
	if (start->arguments_bytes > 0 && start->arguments[start->arguments_bytes - 1] != '\0')
		start->arguments[start->arguments_bytes++] = '\0';
	return start->arguments_bytes > 0;
}

void pomp_at_start_note_arguments(void)
{
	struct pomp_at_start *start = &pomp_at_start;
	int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return;
	if (!read_arguments(file, start)) {
		free(start->arguments);
		start->arguments = NULL;
		start->arguments_bytes = 0;
	}
	close(file);
}
