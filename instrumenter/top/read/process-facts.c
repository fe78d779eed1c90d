/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads status and cmdline. */
#include "process-facts.h"

#include "error-text.h"
#include "inspect-target.h"
#include "process-stat.h"
#include "shared/read-text.h"
#include "thread-times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void set_path(char *path, size_t room, pid_t process, const char *file)
{
	snprintf(path, room, "/proc/%ld/%s", (long)process, file);
}

/* Sets the process of the thread, and whose it is: its own files are root's if it is unreadable. */
static bool read_status(struct process_facts *facts, pid_t number)
{
	char path[64], text[1024];
	long leader = 0;
	unsigned owner = 0;

	set_path(path, sizeof path, number, "status");
	if (!read_text(path, text, sizeof text))
		return false;
	const char *line = strstr(text, "\nTgid:"), *user = strstr(text, "\nUid:");
	if (line == NULL || user == NULL || sscanf(line, " Tgid: %ld", &leader) != 1 ||
	    sscanf(user, " Uid: %*u %u", &owner) != 1 || leader <= 0)
		return false;
	facts->process = (pid_t)leader;
	facts->owner = owner;
	return true;
}

/* "./a.out\0-n\0" becomes "a.out -n"; kernel threads and zombies have only a name. */
static void read_command(struct process_facts *facts)
{
	char path[64], text[PROCESS_NAME_SIZE + 1024];
	size_t length = 0;

	set_path(path, sizeof path, facts->process, "cmdline");
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
	if (file >= 0)
		close(file);
	length = got > 0 ? (size_t)got : 0;
	text[length] = '\0';
	if (text[0] == '\0') {
		set_path(path, sizeof path, facts->process, "comm");
		read_text(path, text, sizeof text);
		text[strcspn(text, "\n")] = '\0';
		snprintf(facts->command, sizeof facts->command, "%.250s", text);
		return;
	}
	const char *slash = strrchr(text, '/'); /* of the first word only: it ends with NUL */
	size_t skip = slash != NULL ? (size_t)(slash + 1 - text) : 0;
	while (length > skip && text[length - 1] == '\0')
		length--;
	for (size_t i = skip; i < length; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	text[length] = '\0';
	snprintf(facts->command, sizeof facts->command, "%.250s", text + skip);
}

bool process_facts_read(pid_t number, struct process_facts *facts)
{
	*facts = (struct process_facts){.process = 0};
	if (!read_status(facts, number))
		return false;
	facts->start = process_start_time(facts->process);
	rank_facts_read(facts->process, &facts->rank);
	read_command(facts);
	return facts->start != 0;
}

char *process_refusal(const struct process_facts *facts, int problem)
{
	const struct inspect_target target = {.process = facts->process};
	char *words = NULL, *refusal = NULL;

	if (geteuid() != 0 && facts->owner != geteuid()) {
		error_set(&words, "belongs to another user, number %ld", (long)facts->owner);
		return words;
	}
	refusal = problem == EPERM ? inspect_target_refusal(&target) : NULL;
	error_set(&words, "may not be read: %s",
	    refusal != NULL     ? refusal
	    : problem == EACCES ? "it has made itself unreadable (PR_SET_DUMPABLE), as set-user-ID "
				  "programs are; only root may look at it"
				: strerror(problem));
	free(refusal);
	return words;
}

bool process_has_name(const struct process_facts *facts, const char *name)
{
	char path[64], text[64];
	size_t length = strlen(name);

	if (strncmp(facts->command, name, length) == 0 &&
	    (facts->command[length] == '\0' || facts->command[length] == ' '))
		return true;
	set_path(path, sizeof path, facts->process, "comm");
	read_text(path, text, sizeof text);
	text[strcspn(text, "\n")] = '\0';
	return strcmp(text, name) == 0;
}

double process_age(const struct process_facts *facts)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
	       (double)facts->start / process_tick_rate();
}
