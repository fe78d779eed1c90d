/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets the variables of OpenMP, of the sanitizers and of the loader. The user's options for
 * sanitizers apply, except those for the place and form of its reports.
 */
#include "run-environment.h"

#include "examination.h"
#include "race-reports.h"
#include "shared/race-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

#define TSAN "TSAN_OPTIONS"

/*
 * These come before the user's options, which can change them. Orders of locks are found by the
 * preloaded library, which knows OpenMP's. ThreadSanitizer does not report a
 * race if it has forgotten the older access. Each strand has a history; compared with the default
 * (2), this one needs up to a third more memory in a small program with tasks, and 8 percent more
 * in a program of 150 MB.
 */
#define TSAN_WISHES                                                                                \
	"history_size=4:report_thread_leaks=0:report_destroy_locked=0:detect_deadlocks=0"

/*
 * These come after the user's options. A crash must end the program with its signal. With
 * verbosity=1 (add_tsan()) each process writes to its log that ThreadSanitizer runs in it; with
 * exitcode=0 the program keeps its own exit status.
 */
#define TSAN_NEEDS                                                                                 \
	"report_bugs=1:report_signal_unsafe=0:die_after_fork=0:halt_on_error=0:exitcode=0:"        \
	"atexit_sleep_ms=0:print_suppressions=0:color=never:"                                      \
	"handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:"            \
	"stack_trace_format='" RACE_TSAN_FRAME "'"

/*
 * A second error is reported as the first one is, but a crash ends the program with a signal. What
 * the program has at its end is not looked at.
 */
#define ASAN "ASAN_OPTIONS"
/* Else gfortran's handlers of signals take the place of AddressSanitizer's. */
#define ASAN_WISHES "handle_segv=2"
#define ASAN_NEEDS                                                                                 \
	"halt_on_error=0:detect_stack_use_after_return=1:detect_leaks=0:abort_on_error=1:"         \
	"handle_abort=0:verify_asan_link_order=0:color=never:verbosity=1:symbolize=0:"             \
	"stack_trace_format='" RACE_TSAN_FRAME "'"
#define MSAN "MSAN_OPTIONS"
#define MSAN_NEEDS                                                                                 \
	"halt_on_error=0:exitcode=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0:"               \
	"color=never:verbosity=1:symbolize=0:stack_trace_format='" RACE_TSAN_FRAME "'"

/* Variables that the run sets or removes. */
static const char *const replaced[] = {RACE_VARIABLE, TSAN, ASAN, MSAN, "LD_PRELOAD",
    "OMP_NUM_THREADS", "OMP_DYNAMIC", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY", "OMP_TOOL",
    "POMP_DISABLE", "OMP_DISPLAY_ENV"};

static bool is_variable(const char *entry, const char *name)
{
	size_t length = strlen(name);

	return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static bool is_replaced(const char *entry, const struct race_run *run)
{
	for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++)
		if (is_variable(entry, replaced[i]))
			return true;
	return run->schedule != NULL && is_variable(entry, "OMP_SCHEDULE");
}

static const char *own(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? value : "";
}

/* Suppressions name functions, which ThreadSanitizer must then look up. */
static void add_tsan(const struct race_run *run, const char *folder, struct words *environment)
{
	const char *options = own(TSAN);
	bool symbols = strstr(options, "suppressions=") != NULL;

	words_add_format(environment,
	    TSAN "=" TSAN_WISHES "%s%s:%s:%sverbosity=%d:symbolize=%d:log_path='%s/tsan'",
	    options[0] != '\0' ? ":" : "", options, TSAN_NEEDS,
	    run->again ? RACE_TSAN_ADDRESSES "=0:" : "", run->asks_it, symbols, folder);
}

static void add_memory_sanitizers(const char *folder, struct words *environment)
{
	static const struct {
		const char *name, *wishes, *needs;
	} sanitizers[] = {{ASAN, ASAN_WISHES, ASAN_NEEDS}, {MSAN, "handle_segv=0", MSAN_NEEDS}};

	for (size_t i = 0; i < sizeof sanitizers / sizeof sanitizers[0]; i++) {
		const char *options = own(sanitizers[i].name);
		words_add_format(environment, "%s=%s:%s%s%s:log_path='%s/memory'",
		    sanitizers[i].name, sanitizers[i].wishes, options,
		    options[0] != '\0' ? ":" : "", sanitizers[i].needs, folder);
	}
}

static void add_preload(const struct race_preload *preload, struct words *environment)
{
	const char *parts[RUNTIME_PRELOADS + 2] = {preload->agent};
	char *list = NULL;

	memcpy(parts + 1, preload->runtime, sizeof preload->runtime);
	parts[RUNTIME_PRELOADS + 1] = getenv("LD_PRELOAD");
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		char *longer = NULL;
		if (parts[i] == NULL || parts[i][0] == '\0')
			continue;
		if (asprintf(&longer, "%s%s%s", list != NULL ? list : "", list != NULL ? ":" : "",
			parts[i]) < 0) {
			environment->failed = true;
			longer = NULL;
		}
		free(list);
		list = longer;
	}
	if (list != NULL)
		words_add_format(environment, "LD_PRELOAD=%s", list);
	free(list);
}

/*
 * The program's stack begins below the variables, aligned to 16 bytes. With these two, the begin is
 * aligned to ALIGNMENT bytes as in other runs: then a lock of main() is at the same distance from
 * it also if the compiler aligns variables there. The number of variables becomes even, because the
 * addresses of two take 16 bytes.
 */
static void add_fillers(struct words *environment)
{
	enum { ALIGNMENT = 64 };
	static const char name[] = "OMPINST_FILL=";
	size_t bytes = sizeof name;

	if (environment->count % 2 == 0)
		words_add(environment, "OMPINST_EVEN=");
	for (size_t i = 0; i < environment->count; i++)
		bytes += strlen(environment->items[i]) + 1;
	bytes += (environment->count + 1) * sizeof(char *);
	words_add_format(environment, "%s%0*d", name, (int)(ALIGNMENT - bytes % ALIGNMENT), 0);
}

bool race_environment_has_cancellation(void)
{
	return getenv("OMP_CANCELLATION") != NULL;
}

void race_environment_make(const struct race_run *run, const struct race_preload *preload,
    const char *folder, struct words *environment)
{
	/* In "4,2", the numbers for nested regions stay the user's. */
	const char *levels = strchr(own("OMP_NUM_THREADS"), ',');

	for (char **entry = environ; *entry != NULL; entry++)
		if (!is_replaced(*entry, run))
			words_add(environment, *entry);
	words_add_format(
	    environment, "OMP_NUM_THREADS=%u%s", run->threads, levels != NULL ? levels : "");
	if (run->schedule != NULL)
		words_add_format(environment, "OMP_SCHEDULE=%s", run->schedule);
	if (run->cancellation)
		words_add(environment, "OMP_CANCELLATION=true");
	words_add(environment, "OMP_DYNAMIC=false");
	/* While one thread pauses, others would keep the processors busy. */
	if (getenv("OMP_WAIT_POLICY") == NULL && getenv("GOMP_SPINCOUNT") == NULL)
		words_add(environment, "OMP_WAIT_POLICY=passive");
	/* Neither a tool nor libpomp, because they would only cost time. */
	words_add(environment, "OMP_TOOL=disabled");
	words_add(environment, "POMP_DISABLE=yes");
	words_add_format(environment,
	    RACE_VARIABLE "=" RACE_SEED "=%u," RACE_STRANDS "=%d," RACE_CHUNK "=%u,%s%s" RACE_LOG
			  "=%s",
	    run->seed, run->strands, run->chunk, preload->memory ? RACE_MEMORY "=1," : "",
	    run->asks ? RACE_ASKS "=1," : "", folder);
	if (preload->memory)
		add_memory_sanitizers(folder, environment);
	else
		add_tsan(run, folder, environment);
	add_preload(preload, environment);
	add_fillers(environment);
}
