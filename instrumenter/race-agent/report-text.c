/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts ThreadSanitizer's report to text. A code address becomes the file that contains it and
 * the address in that file, so that the log can be read when the process no longer exists.
 */
#include "report-text.h"

#include "tsan-report.h"

#include "shared/race-log.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 64, KIND_BYTES = 16, FRAME_ROOM = 4096 };

void report_add(struct report_text *text, const char *format, ...)
{
	size_t room = sizeof(text->bytes) - text->length;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text->bytes + text->length, room, format, arguments);
	va_end(arguments);
	if (length > 0 && (size_t)length < room)
		text->length += (size_t)length;
}

bool report_find_module(const void *address, uintptr_t *offset, const char **module)
{
	struct link_map *map = NULL;
	Dl_info information;

	if (dladdr1(address, &information, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
		return false;
	*offset = (uintptr_t)address - map->l_addr;
	*module = map->l_name[0] != '\0' ? map->l_name : information.dli_fname;
	return true;
}

/*
 * Inlined functions have the same address as the function that contains them: one line stands for
 * all.
 */
void report_add_frames(struct report_text *text, void *const *trace, int room)
{
	const void *last = NULL;

	for (int i = 0; i < room && trace[i] != NULL; i++) {
		const char *module = "-";
		uintptr_t offset = (uintptr_t)trace[i];

		if (trace[i] == last || text->length + FRAME_ROOM > sizeof(text->bytes))
			continue;
		last = trace[i];
		report_find_module((char *)trace[i] - 1, &offset, &module);
		report_add(text, RACE_FRAME "\t%lx\t%s\n", (unsigned long)offset + (*module != '-'),
		    module);
	}
}

struct strand {
	unsigned thread;
	char kind[KIND_BYTES];
};

/* Identifies a strand by the name that the runtime gave it. */
static struct strand find_strand(void *report, int threads, int tid)
{
	struct strand strand = {RACE_OTHER_THREADS + (unsigned)tid, RACE_STRAND_THREAD};
	void *trace[1];

	for (int i = 0; i < threads; i++) {
		int found = -1, running, parent;
		const char *name = NULL;
		uint64_t os_id;
		if (!__tsan_get_report_thread(
			report, (uintptr_t)i, &found, &os_id, &running, &name, &parent, trace, 1) ||
		    found != tid || name == NULL)
			continue;
		if (sscanf(name, "omp %u %15s", &strand.thread, strand.kind) == 2)
			break;
	}
	return strand;
}

/* Returns true if a strand made the access. */
static bool add_access(struct report_text *text, void *report, int threads, int index)
{
	void *trace[FRAMES] = {NULL}, *address = NULL;
	int tid = 0, size = 0, write = 0, atomic = 0;
	struct strand strand;

	__tsan_get_report_mop(
	    report, (uintptr_t)index, &tid, &address, &size, &write, &atomic, trace, FRAMES);
	strand = find_strand(report, threads, tid);
	report_add(text, RACE_ACCESS "\t%s\t%s\t%d\t%lx\t%u\t%s\n", write ? "write" : "read",
	    atomic ? "atomic" : "plain", size, (unsigned long)(uintptr_t)address, strand.thread,
	    strand.kind);
	report_add_frames(text, trace, FRAMES);
	return strcmp(strand.kind, RACE_STRAND_THREAD) != 0;
}

/* The first byte of the later access. */
static void *accessed(void *report)
{
	void *trace[1], *address = NULL;
	int tid, size, write, atomic;

	__tsan_get_report_mop(report, 0, &tid, &address, &size, &write, &atomic, trace, 1);
	return address;
}

/* Returns false if each thread has its own copy of the memory. */
static bool add_place(struct report_text *text, void *report)
{
	void *trace[FRAMES] = {NULL}, *address = NULL;
	const char *type = "unknown", *module = "-";
	uintptr_t start = 0, size = 0, offset = 0;
	int tid, fd, suppressable;

	__tsan_get_report_loc(
	    report, 0, &type, &address, &start, &size, &tid, &fd, &suppressable, trace, FRAMES);
	/*
	 * For a global, `address` is its start, which is unknown without ThreadSanitizer's symbols.
	 */
	if (strcmp(type, "global") == 0) {
		start = (uintptr_t)address;
		if (!report_find_module(start != 0 ? address : accessed(report), &offset, &module))
			offset = 0;
	}
	report_add(text, RACE_PLACE "\t%s\t%lx\t%lu\t%lx\t%s\n", type, (unsigned long)start,
	    (unsigned long)size, (unsigned long)offset, module);
	if (strcmp(type, "heap") == 0)
		report_add_frames(text, trace, FRAMES);
	return strcmp(type, "tls") != 0;
}

bool report_describe(void *report, struct report_text *text)
{
	int count, stacks, accesses = 0, places = 0, mutexes, threads = 0, tids;
	bool of_strands = false, of_all = true;
	const char *kind = "";
	void *trace[1];

	text->length = 0;
	if (__tsan_get_report_data == NULL ||
	    !__tsan_get_report_data(report, &kind, &count, &stacks, &accesses, &places, &mutexes,
		&threads, &tids, trace, 1))
		return false;
	if (accesses < 2 || strstr(kind, "race") == NULL)
		return false;
	report_add(text, RACE_REPORT "\n");
	for (int i = 0; i < 2; i++)
		of_strands |= add_access(text, report, threads, i);
	if (places > 0)
		of_all = add_place(text, report);
	else
		report_add(text, RACE_PLACE "\tunknown\t0\t0\t0\t-\n");
	report_add(text, RACE_END "\n");
	return of_all || !of_strands;
}
