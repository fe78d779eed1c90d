/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * POMP_SNAPSHOT: the profile so far, written to a file every so many seconds. The profile is read
 * as another process would read it (measured-copy.c), so no event waits for it. The child of a fork
 * writes none. The first failure is reported, and writing goes on: a disk may have room again.
 */
#include "at-start.h"
#include "live-reader.h"
#include "message-file.h"
#include "own-thread.h"
#include "process-state.h"
#include "profile-table.h"
#include "shared/write-whole.h"
#include "start-folder.h"
#include "thread-usage.h"
#include "usable-processors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COLUMNS = 80 };

/* Of the waiting thread, and of the acting one while the former waits for it. */
static struct {
	struct pomp_start_folder folder;
	uint64_t due;        /* CLOCK_MONOTONIC */
	unsigned number;     /* of the latest file */
	int error;           /* of the latest file; 0: it is there */
	const char *problem; /* the same, if it has no errno */
	bool has_told;       /* a failure */
} snapshots = {.folder = {.name = "pomp-snapshots", .mode = 0777}};

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

/* Writes the file under another name first; false with errno. */
static bool write_file(const struct summary *summary)
{
	char *path = NULL, *whole = NULL;
	bool is_written = false;

	if (asprintf(&whole, "%s/%04u.json", snapshots.folder.path, snapshots.number + 1) < 0)
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

static void write_snapshot(void)
{
	struct live_profile profile;

	snapshots.error = 0;
	snapshots.problem = NULL;
	if (!pomp_start_folder_is_there(&snapshots.folder)) {
		snapshots.problem = "the folder of the start is not there any more";
		return;
	}
	if (!read_profile(&profile)) {
		snapshots.problem = "the profile cannot be read";
		return;
	}
	struct pomp_held_limit held = pomp_hold_limit();
	errno = 0;
	if (!pomp_start_folder_make(&snapshots.folder) || !write_file(&profile.summary))
		snapshots.error = errno != 0 ? errno : ENOMEM;
	else
		snapshots.number++;
	pomp_release_limit(&held);
	pomp_live_release(&profile);
}

static void tell_failure(void)
{
	if ((snapshots.error == 0 && snapshots.problem == NULL) || snapshots.has_told)
		return;
	snapshots.has_told = true;
	fprintf(pomp_message_file(),
	    "pomp: POMP_SNAPSHOT: no snapshot %u in '%s': %s; expected room for one every %llu "
	    "seconds; the program goes on, and so do attempts\n",
	    snapshots.number + 1,
	    snapshots.folder.path != NULL ? snapshots.folder.path : pomp_at_start.folder,
	    snapshots.problem != NULL ? snapshots.problem : strerror(snapshots.error),
	    (unsigned long long)pomp_process.settings.snapshot);
}

static uint64_t period(void)
{
	return pomp_process.settings.snapshot * UINT64_C(1000000000);
}

static bool is_due(uint64_t now)
{
	bool is_time = now >= snapshots.due;

	while (snapshots.due <= now)
		snapshots.due += period();
	return is_time;
}

static bool prepare(void)
{
	snapshots.due = pomp_clock_monotonic() + period();
	return pomp_process.settings.snapshot != 0 && pomp_process.settings.profiling &&
	       pomp_start_folder_note(&snapshots.folder);
}

const struct pomp_duty pomp_snapshot_duty = {prepare, is_due, write_snapshot, tell_failure};
