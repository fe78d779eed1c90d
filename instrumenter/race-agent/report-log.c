/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One write() writes a report to a file that is opened for appending, so that the findings of a
 * process remain even if it is killed next. No functions of libc are called that ThreadSanitizer
 * replaces.
 */
#include "report-log.h"

#include "order-clocks.h"

#include "shared/race-log.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* Written at the begin; `file` and `owner` under the lock. */
static struct {
	char folder[PATH_BYTES];
	struct agent_lock lock;
	int file;    /* -1: not open */
	pid_t owner; /* the process to which the log belongs: a forked child has its own */
} log_place = {.file = -1};

void report_log_begin_child(void)
{
	agent_lock_give(&log_place.lock);
}

bool report_log_is_wanted(void)
{
	return log_place.folder[0] != '\0';
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

void report_log_begin(const char *folder, size_t length, bool at_once)
{
	snprintf(log_place.folder, sizeof(log_place.folder), "%.*s", (int)length, folder);
	if (at_once)
		(void)open_log();
}

bool report_write(const struct report_text *text)
{
	agent_lock_take(&log_place.lock);
	bool is_open = open_log();
	agent_lock_give(&log_place.lock);
	return is_open &&
	       syscall(SYS_write, log_place.file, text->bytes, text->length) == (long)text->length;
}
