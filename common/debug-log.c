/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OMPINST_DEBUG: reads the list of subjects when the library is loaded, and prints their lines. It
 * is compiled once for each room, with DEBUG_LOG_ROOM: runtime, pomp or wrapper. It depends only on
 * the C library, so that the runtime can link it too.
 */
#include "shared/debug-log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(DEBUG_LOG_COUNT <= 32, "debug_log_subjects has a bit for each");

#define TEXT(word)   TEXT_2(word)
#define TEXT_2(word) #word

static const char own_room[] = TEXT(DEBUG_LOG_ROOM);

static const struct subject {
	const char *name, *room;
	bool built;
	const char *purpose;
} subjects[] = {
#define ROW(subject, room, path, purpose) {#subject, #room, DEBUG_LOG_HAS_##path != 0, purpose},
    DEBUG_LOG_SUBJECTS(ROW)
#undef ROW
};

unsigned debug_log_subjects;
static struct timespec loaded;

/*
 * Prints "[room process.thread +seconds] " and the text in one call, so that threads' lines do not
 * mix.
 */
static void print(const char *subject, const char *format, va_list arguments)
{
	char line[600];
	struct timespec now;
	int kept_errno = errno;

	clock_gettime(CLOCK_MONOTONIC, &now);
	long long microseconds =
	    (now.tv_sec - loaded.tv_sec) * 1000000LL + (now.tv_nsec - loaded.tv_nsec) / 1000;
	int head =
	    snprintf(line, sizeof(line), "[%s %ld.%ld +%lld.%06lld] %s: ", own_room, (long)getpid(),
		syscall(SYS_gettid), microseconds / 1000000, microseconds % 1000000, subject);
	int text = vsnprintf(line + head, sizeof(line) - 1 - (size_t)head, format, arguments);
	size_t length = (size_t)head + (text > 0 ? (size_t)text : 0);
	if (length > sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	if (write(STDERR_FILENO, line, length) < 0)
		errno = 0; /* stderr is closed: there is no better place to report it */
	errno = kept_errno;
}

void debug_log_write(enum debug_log_subject subject, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(subjects[subject].name, format, arguments);
	va_end(arguments);
}

__attribute__((format(printf, 1, 2))) static void print_about_list(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print("OMPINST_DEBUG", format, arguments);
	va_end(arguments);
}

static void print_help(void)
{
	for (size_t i = 0; i < DEBUG_LOG_COUNT; i++)
		if (strcmp(subjects[i].room, own_room) == 0)
			print_about_list("%s: %s%s", subjects[i].name, subjects[i].purpose,
			    subjects[i].built ? "" : " (needs a build with -Ddebug_log=true)");
}

/* Returns the bits for a word of the list: a subject, a room, or all. */
static unsigned bits_of(const char *word, size_t length)
{
	unsigned bits = 0;

	for (size_t i = 0; i < DEBUG_LOG_COUNT; i++) {
		const struct subject *subject = &subjects[i];
		bool named =
		    strlen(subject->name) == length && strncmp(subject->name, word, length) == 0;
		if (named ||
		    (strlen(subject->room) == length &&
			strncmp(subject->room, word, length) == 0) ||
		    (length == 3 && strncmp(word, "all", length) == 0))
			bits |= 1U << i;
		if (named && !subject->built && strcmp(subject->room, own_room) == 0)
			print_about_list("'%s' needs a build with -Ddebug_log=true; it is ignored",
			    subject->name);
	}
	return bits;
}

__attribute__((constructor(101))) static void read_list(void)
{
	const char *list = secure_getenv("OMPINST_DEBUG");

	if (list == NULL)
		return;
	clock_gettime(CLOCK_MONOTONIC, &loaded);
	while (*list != '\0') {
		size_t length = strcspn(list, ", ");
		unsigned bits = bits_of(list, length);
		if (length == 4 && strncmp(list, "help", length) == 0)
			print_help();
		else if (bits == 0 && length > 0)
			print_about_list(
			    "'%.*s' is unknown; expected subjects (OMPINST_DEBUG=help "
			    "lists them), runtime, pomp, wrapper or all; it is ignored",
			    (int)length, list);
		debug_log_subjects |= bits;
		list += length;
		list += strspn(list, ", ");
	}
}
