/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells processes from core files, and says what is wrong with a word that is neither. */
#include "inspect-target.h"

#include "error-text.h"
#include "text-file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number behind the name in /proc/PID/status, or -1. */
static long status_of(pid_t process, const char *name)
{
	char path[64], line[256];
	long value = -1;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)process);
	FILE *file = fopen(path, "re");
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':')
			value = strtol(line + strlen(name) + 1, NULL, 10);
	if (file != NULL)
		fclose(file);
	return value;
}

static bool read_process(long number, pid_t *process, char **error)
{
	long leader = number > 0 && number == (pid_t)number ? status_of((pid_t)number, "Tgid") : -1;

	if (leader <= 0)
		return error_set(error, "there is no process %ld", number);
	*process = (pid_t)leader; /* the number may be one of its threads */
	long tracer = status_of(*process, "TracerPid");
	if (tracer > 0)
		return error_set(error,
		    "process %ld is looked at by another debugger already, process %ld; only one can "
		    "at a time",
		    leader, tracer);
	long owner = status_of(*process, "Uid");
	if (geteuid() != 0 && owner >= 0 && (uid_t)owner != geteuid())
		return error_set(
		    error, "process %ld belongs to another user, number %ld", leader, owner);
	return true;
}

static bool read_core(const char *path, struct inspect_target *target, char **error)
{
	unsigned char start[EI_NIDENT + sizeof(Elf64_Half)];
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (descriptor < 0)
		return error_set(error, "'%s': %s; expected a process number or a core file", path,
		    strerror(errno));
	ssize_t length = read(descriptor, start, sizeof start);
	close(descriptor);
	/* Little and big endian. */
	bool is_core = length == (ssize_t)sizeof start && memcmp(start, ELFMAG, SELFMAG) == 0 &&
		       start[EI_NIDENT] + start[EI_NIDENT + 1] == ET_CORE;
	if (!is_core)
		return error_set(
		    error, "'%s' is no core file; expected a process number or a core file", path);
	target->core = path;
	return true;
}

/* The number that the word is; 0: it is none, or names a file. */
static long number_in(const char *word)
{
	char *end;

	errno = 0;
	long number = strtol(word, &end, 10);
	bool is_number = word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0;
	return is_number && access(word, F_OK) != 0 ? number : 0;
}

/* The processes behind the first one. */
static bool read_others(const char *const *words, struct inspect_target *target, char **error)
{
	for (; *words != NULL; words++) {
		long number = number_in(*words);
		if (number == 0)
			return error_set(error,
			    "'%s': expected nothing but numbers of further "
			    "ranks' processes after the process number",
			    *words);
		if (target->other_count == INSPECT_MOST_PROCESSES - 1)
			return error_set(
			    error, "expected at most %d processes", INSPECT_MOST_PROCESSES);
		if (!read_process(number, &target->others[target->other_count++], error))
			return false;
	}
	return true;
}

bool inspect_target_read(const char *const *words, struct inspect_target *target, char **error)
{
	*error = NULL;
	*target = (struct inspect_target){.process = 0};
	if (words[0] == NULL)
		return error_set(error, "expected a process number or a core file");
	long number = number_in(words[0]);
	if (number != 0)
		return read_process(number, &target->process, error) &&
		       read_others(words + 1, target, error);
	if (words[1] != NULL && words[2] != NULL)
		return error_set(error, "'%s': expected nothing after the program", words[2]);
	target->program = words[1];
	if (target->program != NULL && access(target->program, R_OK) != 0)
		return error_set(error, "'%s': %s; expected the program that the core file is of",
		    target->program, strerror(errno));
	return read_core(words[0], target, error);
}

char *inspect_scope_refusal(const char *setting, bool is_root)
{
	static const char *const reasons[] = {
	    ['1'] = "lets only a process's parent look at it",
	    ['2'] = "lets only root look at processes",
	    ['3'] = "lets nobody look at processes, until it is started anew",
	};
	struct text_file file;
	char *result = NULL;

	if (text_file_read(setting, &file) != 0)
		return NULL;
	char value = file.bytes[0];
	if (value >= (is_root ? '3' : '1') && value <= '3')
		error_set(&result, "this system %s (kernel.yama.ptrace_scope is %c)%s",
		    reasons[(int)value], value,
		    value != '3'
			? ": look as root, or 'sysctl kernel.yama.ptrace_scope=0' allows it"
			: "");
	text_file_finish(&file);
	return result;
}

char *inspect_target_refusal(const struct inspect_target *target)
{
	return target->process != 0
		   ? inspect_scope_refusal("/proc/sys/kernel/yama/ptrace_scope", geteuid() == 0)
		   : NULL;
}
