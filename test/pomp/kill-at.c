/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded, kills the process with SIGKILL before its KILL_AT-th call that changes a file system,
 * as a batch system may at its time limit. KILL_RANK: only the rank of MPI with that number.
 * KILL_MARK: a file that is made first, because a launcher may not say that a rank was killed.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static bool concerns_this_rank(void)
{
	const char *rank = getenv("KILL_RANK"), *own = getenv("OMPI_COMM_WORLD_RANK");

	if (own == NULL)
		own = getenv("PMI_RANK");
	return rank == NULL || (own != NULL && strcmp(rank, own) == 0);
}

static void kill_now(void)
{
	const char *mark = getenv("KILL_MARK");

	if (mark != NULL)
		close(creat(mark, 0666));
	kill(getpid(), SIGKILL);
}

/* path: NULL where the call has none. */
static void count_call(const char *path)
{
	static _Atomic int calls;
	const char *at = getenv("KILL_AT"), *name = getenv("KILL_NAME");

	if (name != NULL && (path == NULL || strstr(path, name) == NULL))
		return;
	if (at != NULL && concerns_this_rank() && atomic_fetch_add(&calls, 1) + 1 == atoi(at))
		kill_now();
}

#pragma GCC visibility push(default)

/* The function that is called, behind this one. */
#define CHANGES(type, name, parameters, arguments, path)                                           \
	type name parameters;                                                                      \
	type name parameters                                                                       \
	{                                                                                          \
		type(*real) parameters = (type(*) parameters)dlsym(RTLD_NEXT, #name);              \
		count_call(path);                                                                  \
		return real arguments;                                                             \
	}

CHANGES(ssize_t, write, (int file, const void *data, size_t size), (file, data, size), NULL)
CHANGES(ssize_t, pwrite64, (int file, const void *data, size_t size, off_t at),
    (file, data, size, at), NULL)
CHANGES(int, mkdir, (const char *path, mode_t mode), (path, mode), path)
CHANGES(int, mkdirat, (int top, const char *path, mode_t mode), (top, path, mode), path)
CHANGES(int, rename, (const char *from, const char *to), (from, to), from)
CHANGES(
    int, renameat, (int old, const char *from, int top, const char *to), (old, from, top, to), from)
CHANGES(int, unlink, (const char *path), (path), path)
CHANGES(int, unlinkat, (int top, const char *path, int flags), (top, path, flags), path)
CHANGES(int, rmdir, (const char *path), (path), path)
CHANGES(int, ftruncate64, (int file, off_t size), (file, size), NULL)
CHANGES(int, posix_fallocate64, (int file, off_t at, off_t size), (file, at, size), NULL)

int open64(const char *path, int flags, ...);
int open64(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) =
	    (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
	va_list rest;

	va_start(rest, flags);
	mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	if (flags & O_CREAT)
		count_call(path);
	return real(path, flags, mode);
}

#pragma GCC visibility pop
