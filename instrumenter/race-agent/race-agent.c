/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into programs under `ompinst race run`: writes ThreadSanitizer's reports to the log
 * that include/shared/race-log.h describes, and marks each report as suppressed, so that nothing is
 * printed and the program keeps its own exit status.
 *
 * The sanitizer calls on_report() with its own locks held, for one thread at a time, before it
 * would print. Nothing here allocates or waits. One write() writes a report to a file that is
 * opened for appending, so that the findings of a process remain even if it is killed next.
 */
#include "held-locks.h"
#include "order-clocks.h"
#include "report-text.h"
#include "tsan-report.h"

#include "shared/race-log.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* Written by the constructor; `file` and `owner` under the lock. */
static struct {
	char folder[PATH_BYTES];
	struct agent_lock lock;
	int file;    /* -1: not open */
	pid_t owner; /* the process to which the log belongs: a forked child has its own */
} log_place = {.file = -1};

static void ignore_new(const volatile void *memory, uintptr_t size)
{
	(void)memory;
	(void)size;
}

/* A child of fork() has one thread; what another one was changing cannot be continued. */
static void begin_child(void)
{
	order_clocks_stop();
	agent_lock_give(&log_place.lock);
}

__attribute__((constructor)) static void begin(void)
{
	const char *words = getenv(RACE_VARIABLE);
	const char *folder = words != NULL ? race_find_word(words, RACE_LOG) : NULL;

	if (folder != NULL)
		snprintf(log_place.folder, sizeof(log_place.folder), "%.*s",
		    (int)strcspn(folder, ","), folder);
	if (folder != NULL && pthread_atfork(NULL, NULL, begin_child) == 0 &&
	    __sanitizer_install_malloc_and_free_hooks != NULL &&
	    __sanitizer_install_malloc_and_free_hooks(ignore_new, held_lock_free) != 0)
		order_clocks_begin();
}

/* Returns false if there is no log. */
static bool open_log(void)
{
	pid_t process = (pid_t)syscall(SYS_getpid);
	char path[PATH_BYTES + 16], program[PATH_BYTES], first[PATH_BYTES + 64];
	ssize_t length;

	if (log_place.file >= 0 && log_place.owner == process)
		return true;
	if (log_place.folder[0] == '\0')
		return false;
	snprintf(path, sizeof(path), "%s/%ld", log_place.folder, (long)process);
	log_place.file = (int)syscall(
	    SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (log_place.file < 0)
		return false;
	log_place.owner = process;
	length = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof(program));
	length = snprintf(first, sizeof(first), RACE_VERSION "\n" RACE_PROGRAM "\t%.*s\n",
	    length > 0 ? (int)length : 1, length > 0 ? program : "?");
	(void)syscall(SYS_write, log_place.file, first, (size_t)length);
	return true;
}

bool report_write(const struct report_text *text)
{
	agent_lock_take(&log_place.lock);
	bool is_open = open_log();
	agent_lock_give(&log_place.lock);
	return is_open &&
	       syscall(SYS_write, log_place.file, text->bytes, text->length) == (long)text->length;
}

/*
 * The sanitizer's hook under its C++ name, because the hook with a C name is called after printing.
 */
bool on_report(const void *report, bool suppressed) __asm__(
    "_ZN6__tsan8OnReportEPKNS_10ReportDescEb");

__attribute__((visibility("default"))) bool on_report(const void *report, bool suppressed)
{
	static struct report_text text; /* only one thread calls at a time */

	if (log_place.folder[0] == '\0')
		return suppressed;
	if (!suppressed && report_describe((void *)(uintptr_t)report, &text))
		(void)report_write(&text);
	return true;
}
