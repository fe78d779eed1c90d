/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds libpomp in a process, and has this installation's own one read it. */
#include "measured-process.h"

#include "error-text.h"
#include "module-symbols.h"
#include "process-stat.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TABLE_SYMBOL "pomp_debug_table"

bool profile_library_open(struct profile_library *library, const char *path, char **error)
{
	*library = (struct profile_library){NULL, NULL};
	if (path == NULL)
		return error_set(error, "libpomp.so is not where ompinst is installed");
	/* It must not measure the reader. */
	if (setenv("POMP_DISABLE", "yes", 1) == 0)
		library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library->handle == NULL)
		return error_set(error, "cannot load libpomp: %s", dlerror());
	library->functions = dlsym(library->handle, LIVE_PROFILE_SYMBOL);
	if (library->functions != NULL && library->functions->version == LIVE_PROFILE_VERSION)
		return true;
	profile_library_close(library);
	return error_set(
	    error, "'%s' cannot read profiles; expected the one of this version", path);
}

void profile_library_close(struct profile_library *library)
{
	if (library->handle != NULL)
		dlclose(library->handle);
	*library = (struct profile_library){NULL, NULL};
}

uint64_t measured_table(struct target_memory *memory, const struct loaded_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++) {
		const char *file = strrchr(modules->items[i].path, '/') + 1;
		if (strncmp(file, "libpomp.so", strlen("libpomp.so")) != 0)
			continue;
		uint64_t table = module_symbol(memory, modules->items[i].begin, TABLE_SYMBOL);
		if (table != 0 || memory->problem == EPERM)
			return table;
	}
	return 0;
}

struct reading {
	struct target_memory *memory;
	struct place_names *names;
};

static bool read_memory(void *context, const struct live_part *parts, size_t count)
{
	const struct reading *reading = context;

	return target_memory_read_now(reading->memory, parts, count);
}

static void find_name(void *context, const struct code_question *question, struct code_name *name)
{
	const struct reading *reading = context;

	place_names_find(reading->names, reading->memory->process, question, name);
}

static void set_usage(struct live_source *source, pid_t process)
{
	struct process_stat stat;
	double tick = 1e9 / process_tick_rate();

	source->usage_is_known = process_stat_read(process, &stat);
	if (!source->usage_is_known)
		return;
	source->ran = (uint64_t)((double)stat.time * tick);
	source->system = (uint64_t)((double)stat.system_time * tick);
	source->faults = stat.faults;
}

/* Has the process a time namespace of its own? Times since its start would make no sense here. */
static bool has_other_time(pid_t process)
{
	struct stat its, ours;
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/ns/time", (long)process);
	return stat(path, &its) == 0 && stat("/proc/self/ns/time", &ours) == 0 &&
	       its.st_ino != ours.st_ino;
}

enum live_result measured_read(const struct profile_library *library, struct target_memory *memory,
    struct place_names *names, uint64_t table, struct live_profile *profile)
{
	struct reading reading = {memory, names};
	struct live_source source = {
	    .context = &reading, .read = read_memory, .name = find_name, .table = table};
	cpu_set_t processors;

	if (has_other_time(memory->process))
		return LIVE_OTHER_TIME;
	place_names_begin(names);
	target_memory_begin(memory);
	set_usage(&source, memory->process);
	enum live_result result = library->functions->read(&source, profile);
	if (result != LIVE_READ)
		return result;
	profile->summary.program = NULL;
	profile->summary.processors =
	    sched_getaffinity(memory->process, sizeof processors, &processors) == 0
		? (uint64_t)CPU_COUNT(&processors)
		: 0;
	return LIVE_READ;
}

enum live_result measured_read_samples(const struct profile_library *library,
    struct target_memory *memory, uint64_t table, struct live_samples *samples)
{
	struct reading reading = {memory, NULL};
	const struct live_source source = {
	    .context = &reading, .read = read_memory, .table = table};

	target_memory_begin(memory);
	return library->functions->read_samples(&source, samples);
}

const char *measured_problem(enum live_result result)
{
	switch (result) {
	case LIVE_OTHER_VERSION:
		return "is measured by libpomp of another version, which cannot be read";
	case LIVE_NOT_STARTED:
		return "has not begun to measure; expected after its first OpenMP construct";
	case LIVE_OFF:
		return "has no profile: POMP_DISABLE or POMP_ENABLE_PROFILING switched it off";
	case LIVE_OVER:
		return "has ended its measurement; its summary is where POMP_SUMMARY says";
	case LIVE_NO_MEMORY:
		return "cannot be read: out of memory";
	case LIVE_OTHER_TIME:
		return "counts time from another begin (a time namespace); expected ompinst in the same "
		       "one: nsenter --time";
	case LIVE_UNSTEADY:
		return "cannot be read now: its threads end all the time; expected a moment in which "
		       "none does";
	default:
		return "cannot be read: its memory makes no sense, or it is ending";
	}
}
