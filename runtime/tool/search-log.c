/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report on the search for a tool. Each line is one system call, so that several processes can
 * write to one file. It names the process, because such files collect lines of many processes.
 */
#include "search-log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "message.h"

static int log_file = -1;

bool rt_tool_log_is_file(const char *where)
{
	return *where != '\0' && strcasecmp(where, "disabled") != 0 &&
	       strcasecmp(where, "stdout") != 0 && strcasecmp(where, "stderr") != 0;
}

void rt_tool_log_open(const char *where, const char *path)
{
	if (strcasecmp(where, "stdout") == 0) {
		log_file = STDOUT_FILENO;
	} else if (strcasecmp(where, "stderr") == 0) {
		log_file = STDERR_FILENO;
	} else if (rt_tool_log_is_file(where)) {
		log_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (log_file < 0) {
			rt_message(
			    "OMP_TOOL_VERBOSE_INIT='%s': expected disabled, stdout, stderr or "
			    "a file that can be written (%s); using stderr",
			    where, strerror(errno));
			log_file = STDERR_FILENO;
		}
	}
}

void rt_tool_log_close(void)
{
	if (log_file > STDERR_FILENO)
		close(log_file);
	log_file = -1;
}

bool rt_tool_log(const char *format, ...)
{
	enum { ROOM = 2048 };
	char line[ROOM];
	va_list arguments;
	int used, length;

	if (log_file < 0)
		return false;
	used = snprintf(line, sizeof(line), "runtime: tool for process %d: ", (int)getpid());
	va_start(arguments, format);
	length = vsnprintf(line + used, sizeof(line) - (size_t)used, format, arguments);
	va_end(arguments);
	if (length < 0)
		return false;
	length += used;
	if (length > ROOM - 2)
		length = ROOM - 2;
	line[length] = '\n';
	while (write(log_file, line, (size_t)length + 1) < 0 && errno == EINTR)
		;
	return true;
}
