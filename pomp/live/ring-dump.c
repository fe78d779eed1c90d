/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same copy as `ompinst trace` makes, of this process's own files: threads go on with events
 * meanwhile. No thread waits for it, except another one that wants a numbered copy.
 */
#include "ring-dump.h"

#include "common/ring-copy-files.h"
#include "experiment.h"
#include "limited-calls.h"
#include "plain-name.h"
#include "pomp-atomics.h"
#include "process-state.h"
#include "shared/write-whole.h"
#include "start-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Under the lock. */
static struct {
	pthread_mutex_t lock;
	struct pomp_start_folder folder;
	unsigned number; /* of the latest one */
} dumps = {.lock = PTHREAD_MUTEX_INITIALIZER, .folder = {.name = "pomp-traces", .mode = 0700}};

/* Opens the folder with the rings. Returns a descriptor, or -1 with errno. */
static int open_rings(void)
{
	pomp_lock_process();
	const char *path = load_relaxed(&pomp_experiment.path);
	char *copy = path != NULL ? strdup(path) : NULL;
	pomp_unlock_process();
	if (copy == NULL) {
		errno = ENODATA;
		return -1;
	}
	int folder = open(copy, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = errno;
	free(copy);
	if (folder >= 0 && !ring_copy_is_private(folder)) {
		close(folder);
		folder = -1;
		error = EACCES;
	}
	errno = error;
	return folder;
}

/* Returns 0 or an errno. */
static int copy_rings(int from, int to)
{
	struct ring_copy copy = {.seconds = 0};

	switch (ring_copy_files(from, to, &copy)) {
	case RING_COPIED:
		return 0;
	case RING_NOT_WRITTEN:
		return errno;
	case RING_UNDEFINED:
	case RING_NONE:
		break;
	}
	return ENODATA;
}

/* Returns 0 or an errno. */
static int copy_to(int from, const char *path)
{
	if (mkdir(path, 0700) != 0)
		return errno;
	int to = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = to >= 0 ? 0 : errno;
	struct pomp_held_limit held = pomp_hold_limit();
	if (error == 0)
		error = copy_rings(from, to);
	pomp_release_limit(&held);
	if (to < 0)
		rmdir(path);
	else if (error != 0)
		ring_copy_remove(to, path);
	else
		close(to);
	return error;
}

/* Into this folder, which is made; otherwise as pomp_ring_dump_numbered(). */
static int dump_to(const char *path)
{
	/* Later there are no events, and the files are about to be removed. */
	if (load_relaxed(&pomp_state) != POMP_STATE_ON || pomp_process.settings.ring == 0)
		return ENOTSUP;
	if (pomp_calls_are_limited())
		return EPERM;
	int from = open_rings();
	if (from < 0)
		return errno;
	int error = copy_to(from, path);
	close(from);
	return error;
}

/* Returns 0 or an errno. */
static int dump_next(char **path)
{
	if (load_relaxed(&pomp_state) != POMP_STATE_ON || pomp_process.settings.ring == 0)
		return ENOTSUP;
	if (!pomp_start_folder_is_there(&dumps.folder))
		return ENOENT;
	if (!pomp_start_folder_make(&dumps.folder))
		return errno;
	if (asprintf(path, "%s/%04u", dumps.folder.path, dumps.number + 1) < 0) {
		*path = NULL;
		return ENOMEM;
	}
	int error = dump_to(*path);
	if (error == 0)
		dumps.number++;
	else
		rmdir(dumps.folder.path); /* unless there are others in it */
	return error;
}

int pomp_ring_dump_numbered(char **path)
{
	*path = NULL;
	pthread_mutex_lock(&dumps.lock);
	int error = dump_next(path);
	if (error != 0 && dumps.number == 0)
		dumps.folder.is_made = false;
	pthread_mutex_unlock(&dumps.lock);
	return error;
}

static void forget_in_child(void)
{
	pthread_mutex_init(&dumps.lock, NULL);
	pomp_start_folder_forget(&dumps.folder);
	dumps.number = 0;
}

void pomp_ring_dump_prepare(void)
{
	pomp_start_folder_note(&dumps.folder);
	pthread_atfork(NULL, NULL, forget_in_child);
}

int pomp_trace_ring(const char *output)
{
	int before, error = errno;
	char *path = NULL;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	int result = output != NULL ? dump_to(output) : pomp_ring_dump_numbered(&path);
	free(path);
	pthread_setcancelstate(before, NULL);
	errno = error;
	return result;
}
PLAIN_NAME(pomp_trace_ring)
