/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target: event logs as a dying program may leave them, through the conversion that
 * `ompreport recover` does and then through the reader of the archive that came of them.
 *
 * The input is logs one after the other, each behind two bytes with its length, low byte first: the
 * definitions log, then threads' logs, which hold their header without its padding. What must hold:
 * no crash and no undefined behaviour (sanitizers), an archive that was written is read to its end
 * with as many events as the conversion promised, and the memory that the caller allows is enough.
 */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis.h"
#include "shared/trace-convert.h"
#include "shared/trace-log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { THREADS_MAX = 8 };

static void write_at(FILE *file, const uint8_t *data, size_t size, long at)
{
	if (size > 0 && (fseek(file, at, SEEK_SET) != 0 || fwrite(data, 1, size, file) != size))
		abort();
}

/* A thread's log has its records behind a whole page. */
static void write_log(const char *folder, int thread, const uint8_t *data, size_t size)
{
	size_t head = sizeof(struct trace_log_thread);
	char path[200], name[64];
	FILE *file;

	snprintf(name, sizeof(name), TRACE_LOG_THREAD, (unsigned)thread);
	snprintf(path, sizeof(path), "%s/%s", folder, thread < 0 ? TRACE_LOG_DEFINITIONS : name);
	file = fopen(path, "wb");
	if (!file)
		abort();
	if (thread < 0 || size < head) {
		write_at(file, data, size, 0);
	} else {
		write_at(file, data, head, 0);
		write_at(file, data + head, size - head, TRACE_LOG_HEADER_BYTES);
	}
	fclose(file);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *position)
{
	(void)status, (void)kind, (void)position;
	return remove(path);
}

static void remove_folder(const char *folder)
{
	if (nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
		abort();
}

/* Reads what was written, with a timeline, as the reports do. */
static void read_archive(const char *folder, const struct trace_conversion *conversion)
{
	struct analysis_choice choice = {
	    .to = SUMMARY_NOT_MEASURED, .timeline = {.bins = 16, .stretches_max = 100}};
	char *error = NULL;
	struct archive *archive = archive_open(folder, &error);
	struct analysis *analysis;
	struct summary summary;

	if (!archive) {
		fprintf(stderr, "the archive that was written cannot be opened: %s\n", error);
		abort();
	}
	analysis = analysis_run(archive, &choice);
	analysis_summarize(analysis, &summary);
	if (archive->events != conversion->events) {
		fprintf(stderr, "%llu events were promised, %llu read\n",
		    (unsigned long long)conversion->events, (unsigned long long)archive->events);
		abort();
	}
	analysis_free_summary(&summary);
	analysis_free(analysis);
	archive_close(archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_conversion conversion = {.keep_logs = true};
	/* In memory where that can be: a disk takes most of the time. */
	char in_memory[] = "/dev/shm/ompinst-fuzz-XXXXXX", on_disk[] = "/tmp/ompinst-fuzz-XXXXXX";
	char *folder = access("/dev/shm", W_OK) == 0 ? in_memory : on_disk;
	char *error = NULL;

	if (!mkdtemp(folder))
		abort();
	for (int thread = -1; thread < THREADS_MAX && size >= 2; thread++) {
		size_t length = data[0] | (size_t)data[1] << 8;

		data += 2;
		size -= 2;
		if (length > size)
			length = size;
		write_log(folder, thread, data, length);
		data += length;
		size -= length;
	}
	if (trace_convert(folder, &conversion, &error) == 0) {
		read_archive(folder, &conversion);
	} else if (error == NULL || strstr(error, "memory") != NULL) {
		fprintf(stderr, "memory of a small log ran out: %s\n",
		    error != NULL ? error : "no reason given");
		abort();
	}
	free(error);
	remove_folder(folder);
	return 0;
}
