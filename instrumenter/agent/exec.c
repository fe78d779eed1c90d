/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands before libc's functions that start programs. A script that sets LD_PRELOAD or
 * OMP_TOOL_LIBRARIES for a program, for an allocator or another tool, would lose what `ompinst run`
 * put there: it is added again to a value that lacks it. A variable that was removed or set empty
 * stays so. These functions may run between vfork and exec: they take memory from the stack only.
 */
#include "exec.h"

#include "shared/run-agent.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

/* What has to be in the variables; NULL: not under `ompinst run`. */
static const char *kept_tool, *kept_preload;

void exec_keep(const char *tool, const char *preload)
{
	kept_tool = tool;
	kept_preload = preload;
}

/* libc's, or those of another library that stands before it. */
static struct functions {
	int (*execve)(const char *, char *const *, char *const *);
	int (*execvpe)(const char *, char *const *, char *const *);
	int (*fexecve)(int, char *const *, char *const *);
	int (*posix_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	    const posix_spawnattr_t *, char *const *, char *const *);
	int (*posix_spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	    const posix_spawnattr_t *, char *const *, char *const *);
	int (*system)(const char *);
	FILE *(*popen)(const char *, const char *);
} functions;

__attribute__((constructor)) static void find_functions(void)
{
	*(void **)&functions.execvpe = dlsym(RTLD_NEXT, "execvpe");
	*(void **)&functions.fexecve = dlsym(RTLD_NEXT, "fexecve");
	*(void **)&functions.posix_spawn = dlsym(RTLD_NEXT, "posix_spawn");
	*(void **)&functions.posix_spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
	*(void **)&functions.system = dlsym(RTLD_NEXT, "system");
	*(void **)&functions.popen = dlsym(RTLD_NEXT, "popen");
	*(void **)&functions.execve = dlsym(RTLD_NEXT, "execve");
}

/* Another library's constructor may start a program before ours has run. */
static const struct functions *libc(void)
{
	if (functions.execve == NULL)
		find_functions();
	return &functions;
}

#define PRELOAD "LD_PRELOAD="
#define TOOLS   "OMP_TOOL_LIBRARIES="

/* A value that someone set and that lacks what we had put there; "" stays "". */
static const char *find_changed(char *const *variables, const char *name, const char *ours)
{
	if (ours == NULL || ours[0] == '\0' || variables == NULL)
		return NULL;
	for (; *variables != NULL; variables++) {
		if (strncmp(*variables, name, strlen(name)) != 0)
			continue;
		const char *value = *variables + strlen(name);
		return value[0] != '\0' && strstr(value, ours) == NULL ? value : NULL;
	}
	return NULL;
}

/* Bytes that the repaired environment takes, or 0: it is as it should be. */
static size_t room_for(char *const *variables)
{
	const char *preload = find_changed(variables, PRELOAD, kept_preload);
	const char *tools = find_changed(variables, TOOLS, kept_tool);
	size_t count = 0;

	if (preload == NULL && tools == NULL)
		return 0;
	while (variables[count] != NULL)
		count++;
	return (count + 1) * sizeof(char *) +
	       (preload != NULL ? strlen(PRELOAD) + run_agent_room(preload, kept_preload) : 0) +
	       (tools != NULL ? strlen(TOOLS) + run_agent_room(tools, kept_tool) : 0);
}

/* A copy in room_for() bytes, or the environment itself, where that is 0. */
static char *const *repair(char *const *variables, void *room)
{
	const char *preload = find_changed(variables, PRELOAD, kept_preload);
	const char *tools = find_changed(variables, TOOLS, kept_tool);
	char **copy = room;
	size_t count = 0;

	if (preload == NULL && tools == NULL)
		return variables;
	while (variables[count] != NULL)
		count++;
	char *text = (char *)(copy + count + 1);
	for (size_t i = 0; i < count; i++) {
		copy[i] = variables[i];
		if (preload != NULL && variables[i] + strlen(PRELOAD) == preload) {
			copy[i] = strcpy(text, PRELOAD);
			run_agent_merge(text + strlen(PRELOAD), preload, kept_preload);
			text += strlen(text) + 1;
		} else if (tools != NULL && variables[i] + strlen(TOOLS) == tools) {
			copy[i] = strcpy(text, TOOLS);
			strcat(strcat(strcat(text, kept_tool), ":"), tools);
			text += strlen(text) + 1;
		}
	}
	copy[count] = NULL;
	return copy;
}

/* In the caller's frame: the copy must live until exec. */
#define REPAIRED(variables) repair(variables, alloca(room_for(variables)))

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int execve(const char *path, char *const *arguments, char *const *variables)
{
	return libc()->execve(path, arguments, REPAIRED(variables));
}

EXPORTED int execv(const char *path, char *const *arguments)
{
	return libc()->execve(path, arguments, REPAIRED(environ));
}

EXPORTED int execvpe(const char *file, char *const *arguments, char *const *variables)
{
	return libc()->execvpe(file, arguments, REPAIRED(variables));
}

EXPORTED int execvp(const char *file, char *const *arguments)
{
	return libc()->execvpe(file, arguments, REPAIRED(environ));
}

EXPORTED int fexecve(int file, char *const *arguments, char *const *variables)
{
	return libc()->fexecve(file, arguments, REPAIRED(variables));
}

EXPORTED int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const *arguments, char *const *variables)
{
	return libc()->posix_spawn(
	    child, path, actions, attributes, arguments, REPAIRED(variables));
}

EXPORTED int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const *arguments, char *const *variables)
{
	return libc()->posix_spawnp(
	    child, file, actions, attributes, arguments, REPAIRED(variables));
}

/* The arguments of execl() and the like, the first apart, NULL included. */
static size_t count_arguments(const char *first, va_list rest)
{
	size_t count = 1;

	while (first != NULL) {
		first = va_arg(rest, const char *);
		count++;
	}
	return count;
}

static void copy_arguments(char **to, size_t count, const char *first, va_list rest)
{
	to[0] = (char *)first;
	for (size_t i = 1; i < count; i++)
		to[i] = va_arg(rest, char *);
}

/* Declares `arguments`, the vector of a variadic call, and leaves `rest` behind its NULL. */
#define VECTOR(first)                                                                              \
	va_list rest;                                                                              \
	va_start(rest, first);                                                                     \
	size_t count = count_arguments(first, rest);                                               \
	va_end(rest);                                                                              \
	char **arguments = alloca(count * sizeof *arguments);                                      \
	va_start(rest, first);                                                                     \
	copy_arguments(arguments, count, first, rest)

EXPORTED int execl(const char *path, const char *first, ...)
{
	VECTOR(first);
	va_end(rest);
	return execv(path, arguments);
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
	VECTOR(first);
	va_end(rest);
	return execvp(file, arguments);
}

EXPORTED int execle(const char *path, const char *first, ...)
{
	VECTOR(first);
	char *const *variables = va_arg(rest, char *const *);
	va_end(rest);
	return execve(path, arguments, variables);
}

/* Those without an argument for the environment: the process's own is changed, as setenv() does. */
static void repair_own(void)
{
	const char *preload = find_changed(environ, PRELOAD, kept_preload);
	const char *tools = find_changed(environ, TOOLS, kept_tool);
	char *value = NULL;

	if (preload != NULL && (value = malloc(run_agent_room(preload, kept_preload))) != NULL) {
		run_agent_merge(value, preload, kept_preload);
		setenv("LD_PRELOAD", value, 1);
		free(value);
	}
	if (tools != NULL && asprintf(&value, "%s:%s", kept_tool, tools) > 0) {
		setenv("OMP_TOOL_LIBRARIES", value, 1);
		free(value);
	}
}

EXPORTED int system(const char *command)
{
	int saved = errno;

	repair_own();
	errno = saved;
	return libc()->system(command);
}

EXPORTED FILE *popen(const char *command, const char *mode)
{
	int saved = errno;

	repair_own();
	errno = saved;
	return libc()->popen(command, mode);
}
