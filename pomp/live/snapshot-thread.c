/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that exists only if POMP_SNAPSHOT is set. It waits, and starts another for each file:
 *
 *   - The writing thread leaves the program's descriptors (close_range(2)) before it opens its
 * file: the program can neither close it nor meet its number.
 *   - The waiting thread keeps the program's descriptors, because exit() may run on it: after main
 *     has ended by pthread_exit(), the process lives as long as its last thread. It therefore ends
 *     when only threads of this library are left.
 *
 * The profile is read as another process would read it (measured-copy.c), so no event waits for it.
 * The child of a fork writes none. The folder is made with the first file; it is left alone if it
 * is not where it was at the start, as after chroot(). The first failure is reported, and writing
 * goes on: a disk may have room again.
 */
#include "snapshot-thread.h"

#include "at-start.h"
#include "last-thread.h"
#include "limited-calls.h"
#include "live-reader.h"
#include "message-file.h"
#include "process-state.h"
#include "profile-table.h"
#include "shared/read-text.h"
#include "shared/write-whole.h"
#include "thread-usage.h"
#include "usable-processors.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 80, UNSHARE = 1 << 1 /* CLOSE_RANGE_UNSHARE */ };
#define SLICE UINT64_C(1000000000) /* ns: the waiting thread looks whether it is the last one */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* it shall end; by CLOCK_MONOTONIC, because the time may be set */
	pthread_t thread;
	bool runs, ends;  /* under the lock */
	sigset_t signals; /* blocked by the thread that made this one */

	/* Of the waiting thread, and of the writing one while the former waits for it. */
	char *folder; /* absolute */
	dev_t device; /* of the folder at the start ... */
	ino_t file;
	unsigned number;        /* of the latest file */
	int error;              /* of the latest file; 0: it is there */
	const char *problem;    /* the same, if it has no errno */
	bool is_made, has_told; /* the folder; a failure */
} snapshots = {.lock = PTHREAD_MUTEX_INITIALIZER};

/*
 * Own memory may disappear while it is read: the kernel then says so. It is that of this thread,
 * because the initial one may have ended.
 */
static bool read_own(void *context, const struct live_part *parts, size_t count)
{
	(void)context;
	for (size_t i = 0; i < count; i++) {
		struct iovec here = {parts[i].buffer, parts[i].bytes};
		struct iovec there = {(void *)(uintptr_t)parts[i].address, parts[i].bytes};
		if (process_vm_readv(gettid(), &here, 1, &there, 1, 0) != (ssize_t)parts[i].bytes)
			return false;
	}
	return true;
}

static bool read_profile(struct live_profile *profile)
{
	struct rusage counted;
	struct live_source source = {
	    .read = read_own, .table = (uint64_t)(uintptr_t)&pomp_debug_table};

	source.usage_is_known = getrusage(RUSAGE_SELF, &counted) == 0;
	if (source.usage_is_known) {
		source.system = pomp_usage_from_timeval(counted.ru_stime);
		source.ran = source.system + pomp_usage_from_timeval(counted.ru_utime);
		source.faults = (uint64_t)(counted.ru_minflt + counted.ru_majflt);
	}
	if (pomp_live_read(&source, profile) != LIVE_READ)
		return false;
	profile->summary.program = program_invocation_name;
	profile->summary.processors = pomp_processors_count();
	return true;
}

static bool is_old_place(void)
{
	struct stat status;

	return stat(pomp_at_start.folder, &status) == 0 && status.st_dev == snapshots.device &&
	       status.st_ino == snapshots.file;
}

/* Makes a folder that nobody else has; false with errno. */
static bool make_folder(void)
{
	char name[64];

	for (unsigned i = 0; !snapshots.is_made; i++) {
		snprintf(name, sizeof(name),
		    i == 0 ? "pomp-snapshots-%ld" : "pomp-snapshots-%ld-%u", (long)pomp_process.pid,
		    i);
		free(snapshots.folder);
		snapshots.folder = pomp_at_start_path(name);
		if (snapshots.folder == NULL)
			return false;
		snapshots.is_made = mkdir(snapshots.folder, 0777) == 0;
		if (!snapshots.is_made && errno != EEXIST)
			return false;
	}
	return true;
}

/* Writes the file under another name first; false with errno. */
static bool write_file(const struct summary *summary)
{
	char *path = NULL, *whole = NULL;
	bool is_written = false;

	if (asprintf(&whole, "%s/%04u.json", snapshots.folder, snapshots.number + 1) < 0)
		whole = NULL;
	if (whole == NULL || asprintf(&path, "%s.new", whole) < 0)
		path = NULL;
	FILE *file = path != NULL ? fopen(path, "we") : NULL;
	if (file != NULL) {
		is_written = summary_print(file, summary, SUMMARY_JSON, COLUMNS, 0) == 0;
		is_written = fclose(file) == 0 && is_written && rename(path, whole) == 0;
		int error = errno;
		if (!is_written)
			unlink(path);
		errno = error;
	}
	free(path);
	free(whole);
	return is_written;
}

static void *write_snapshot(void *unused)
{
	struct live_profile profile;

	snapshots.error = 0;
	snapshots.problem = NULL;
#ifdef SYS_close_range
	syscall(SYS_close_range, 0u, ~0u, UNSHARE);
#endif
	if (!is_old_place()) {
		snapshots.problem = "the folder of the start is not there any more";
		return unused;
	}
	if (!read_profile(&profile)) {
		snapshots.problem = "the profile cannot be read";
		return unused;
	}
	struct pomp_held_limit held = pomp_hold_limit();
	errno = 0;
	if (!make_folder() || !write_file(&profile.summary))
		snapshots.error = errno != 0 ? errno : ENOMEM;
	else
		snapshots.number++;
	pomp_release_limit(&held);
	pomp_live_release(&profile);
	return unused;
}

static void take_snapshot(void)
{
	pthread_t writer;
	int error = pomp_thread_start(&writer, pomp_processors(), write_snapshot, NULL);

	if (error == 0) {
		pthread_setname_np(writer, "pomp-snapshot");
		pthread_join(writer, NULL);
		error = snapshots.error;
	}
	if ((error == 0 && snapshots.problem == NULL) || snapshots.has_told)
		return;
	snapshots.has_told = true;
	fprintf(pomp_message_file(),
	    "pomp: POMP_SNAPSHOT: no snapshot %u in '%s': %s; expected room for one every %llu "
	    "seconds; the program goes on, and so do attempts\n",
	    snapshots.number + 1,
	    snapshots.folder != NULL ? snapshots.folder : pomp_at_start.folder,
	    snapshots.problem != NULL ? snapshots.problem : strerror(error),
	    (unsigned long long)pomp_process.settings.snapshot);
}

/* Returns whether the initial thread has ended, and only threads of this library are left. */
static bool is_alone(void)
{
	char path[320], text[1024];
	bool is_alone = read_text("/proc/self/stat", text, sizeof(text));
	const char *rest = is_alone ? strrchr(text, ')') : NULL;
	const struct dirent *entry;

	if (rest == NULL || rest[1] != ' ' || rest[2] != 'Z')
		return false;
	DIR *tasks = opendir("/proc/self/task");
	is_alone = tasks != NULL;
	while (is_alone && (entry = readdir(tasks)) != NULL) {
		if (entry->d_name[0] == '.' || strtol(entry->d_name, NULL, 10) == pomp_process.pid)
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		is_alone = !read_text(path, text, sizeof(text)) || strncmp(text, "pomp-", 5) == 0;
	}
	if (tasks != NULL)
		closedir(tasks);
	return is_alone;
}

/* Sleeps a while or until the end. Lock held. */
static void sleep_until(uint64_t due)
{
	uint64_t now = pomp_clock_monotonic();
	uint64_t length = due > now ? due - now : 0;
	struct timespec limit;

	length = length < SLICE ? length : SLICE;
	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_sec += (time_t)((uint64_t)limit.tv_nsec + length) / 1000000000;
	limit.tv_nsec = (long)(((uint64_t)limit.tv_nsec + length) % 1000000000);
	pthread_cond_timedwait(&snapshots.changed, &snapshots.lock, &limit);
}

static void *wait_and_write(void *unused)
{
	uint64_t period = pomp_process.settings.snapshot * UINT64_C(1000000000);
	uint64_t due = pomp_clock_monotonic() + period;

	pthread_mutex_lock(&snapshots.lock);
	while (!snapshots.ends) {
		sleep_until(due);
		bool is_over = pomp_calls_are_limited() || is_alone();
		if (snapshots.ends || is_over) {
			if (!snapshots.ends)
				pthread_detach(pthread_self());
			break;
		}
		if (pomp_clock_monotonic() < due)
			continue;
		pthread_mutex_unlock(&snapshots.lock);
		take_snapshot();
		for (uint64_t now = pomp_clock_monotonic(); due <= now;)
			due += period;
		pthread_mutex_lock(&snapshots.lock);
	}
	snapshots.runs = snapshots.ends;
	sigset_t before = snapshots.signals;
	pthread_mutex_unlock(&snapshots.lock);
	/* This process's exit() may come next, with the signals that were sent to the process. */
	if (pomp_thread_is_last())
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	return unused;
}

static void forget_in_child(void)
{
	pthread_mutex_init(&snapshots.lock, NULL);
	snapshots.runs = false;
}

void pomp_snapshots_start(void)
{
	pthread_condattr_t attributes;
	struct stat status;
	sigset_t all;

	if (pomp_process.settings.snapshot == 0 || !pomp_process.settings.profiling ||
	    pomp_at_start.folder == NULL || stat(pomp_at_start.folder, &status) != 0)
		return;
	snapshots.device = status.st_dev;
	snapshots.file = status.st_ino;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&snapshots.changed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_atfork(NULL, NULL, forget_in_child);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &snapshots.signals);
	pthread_mutex_lock(&snapshots.lock);
	snapshots.runs =
	    pomp_thread_start(&snapshots.thread, pomp_processors(), wait_and_write, NULL) == 0;
	if (snapshots.runs)
		pthread_setname_np(snapshots.thread, "pomp-snapshots");
	pthread_mutex_unlock(&snapshots.lock);
	pthread_sigmask(SIG_SETMASK, &snapshots.signals, NULL);
}

void pomp_snapshots_stop(void)
{
	pthread_mutex_lock(&snapshots.lock);
	bool runs = snapshots.runs;
	snapshots.ends = true;
	if (runs)
		pthread_cond_broadcast(&snapshots.changed);
	pthread_mutex_unlock(&snapshots.lock);
	if (runs)
		pthread_join(snapshots.thread, NULL);
	snapshots.runs = false;
}
