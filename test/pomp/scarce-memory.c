/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts the event logs of a folder with memory that runs out: once at each allocation, OTF2's own included,
 * and once from there on. Each attempt, in a process of its own, makes the archive or returns a failure, and
 * then leaves the logs as they are and nothing else.
 */
#include "shared/trace-convert.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static long failing; /* counts down; 0: not any more, or never */
static bool for_good;

/* By one thread only: the conversion is bound to one processor. */
static bool fails(void)
{
	if (failing == 0 || --failing > 0)
		return false;
	failing = for_good;
	errno = ENOMEM;
	return true;
}

#pragma GCC visibility push(default)
void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}
#pragma GCC visibility pop

enum { MADE = 1, FAILED = 2 };

/* Only the first allocations of a process differ from those of the next one; this one has made none. */
static int attempt(const char *folder, long at)
{
	struct trace_conversion conversion = {.keep_logs = true};
	char *error = NULL;
	pid_t child = fork();
	int status;

	if (child == 0) {
		failing = at;
		int result = trace_convert(folder, &conversion, &error);
		failing = 0;
		_exit(result == 0 ? MADE : FAILED);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	printf("%s: killed by signal %d when allocation %ld failed%s\n", folder, WTERMSIG(status),
	    at, for_good ? " and all that followed" : "");
	return -1;
}

static bool is_log(const char *name)
{
	return name[0] == '.' || strcmp(name, "pomp.cfg") == 0 || strstr(name, ".pomplog") != NULL;
}

static bool is_clean(const char *folder)
{
	DIR *entries = opendir(folder);
	bool clean = entries != NULL;

	for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;)
		if (!is_log(entry->d_name)) {
			printf("%s/%s is left\n", folder, entry->d_name);
			clean = false;
		}
	if (entries != NULL)
		closedir(entries);
	return clean;
}

static void remove_archive(const char *folder)
{
	char command[4096];

	snprintf(command, sizeof(command), "rm -rf '%s'/traces*", folder);
	if (system(command) != 0)
		exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	long at = 0;

	if (argc != 2)
		return 2;
	for (int kind = 0; kind < 2; kind++) {
		int result;
		for_good = kind == 1;
		at = 0;
		int made = 0;
		/* A table's growth is not needed where it fails for once: an archive may be made all the same. */
		while (made < 20) {
			result = attempt(argv[1], ++at);
			if (result < 0 || (result == FAILED && !is_clean(argv[1]))) {
				printf("allocation %ld\n", at);
				return EXIT_FAILURE;
			}
			made = result == MADE ? made + 1 : 0;
			if (result == MADE)
				remove_archive(argv[1]);
		}
		printf("%ld allocations\n", at - made);
	}
	return at > 100 ? EXIT_SUCCESS : EXIT_FAILURE;
}
