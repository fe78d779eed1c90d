/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded into ompreport by LD_PRELOAD: file systems in trouble. TROUBLE says how:
 *   slow          each read of a file of events takes 5 ms more
 *   failing=NAME  no byte of the files of that name can be read
 *   full          temporary files have room for 2 MiB
 *   lost          temporary files can be written and not read
 * TROUBLE_RANK, if it is set, is the only process of an MPI's job in which this happens.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum { ROOM = 2 << 20, DELAY_NS = 5000000 };

EXPORTED size_t fread(void *bytes, size_t size, size_t count, FILE *file);
EXPORTED ssize_t pread64(int file, void *bytes, size_t size, off64_t at);
EXPORTED ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at);

static bool is_here(void)
{
	const char *wanted = getenv("TROUBLE_RANK"), *rank = getenv("OMPI_COMM_WORLD_RANK");

	if (!rank)
		rank = getenv("PMI_RANK");
	return !wanted || (rank && strcmp(rank, wanted) == 0);
}

/* Returns what follows the kind of trouble in TROUBLE, or NULL if that is of another kind. */
static const char *trouble(const char *kind)
{
	const char *set = getenv("TROUBLE");
	size_t length = strlen(kind);

	return set && strncmp(set, kind, length) == 0 && is_here() ? set + length : NULL;
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), least = strlen(end);

	return length >= least && strcmp(text + length - least, end) == 0;
}

/* Whether the path of the open file ends so. */
static bool is_named(FILE *file, const char *end)
{
	char link[64], path[4096];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(file));
	length = readlink(link, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	return ends_in(path, end);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
	static size_t (*next)(void *, size_t, size_t, FILE *);
	const char *name = trouble("failing=");

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fread");
	if (name && is_named(file, name)) {
		errno = EIO;
		return 0;
	}
	if (trouble("slow") && is_named(file, ".evt"))
		nanosleep(&(struct timespec){0, DELAY_NS}, NULL);
	return next(bytes, size, count, file);
}

ssize_t pread64(int file, void *bytes, size_t size, off64_t at)
{
	static ssize_t (*next)(int, void *, size_t, off64_t);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "pread64");
	if (!trouble("lost"))
		return next(file, bytes, size, at);
	errno = EIO;
	return -1;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
	static ssize_t (*next)(int, const void *, size_t, off64_t);
	static _Atomic size_t written;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "pwrite64");
	if (!trouble("full") || (written += size) <= ROOM)
		return next(file, bytes, size, at);
	errno = ENOSPC;
	return -1;
}
