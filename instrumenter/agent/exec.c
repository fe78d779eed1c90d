/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps libc's functions that start programs. A script that sets LD_PRELOAD or OMP_TOOL_LIBRARIES
 * for a program, for an allocator or another tool, would lose what `ompinst run` put there; these
 * functions add it again to a value that lacks it. A variable that was removed or set empty stays
 * so. A program that could not start with our libraries gets LD_PRELOAD without them. These
 * functions may run between vfork and exec: they use only memory on the stack.
 */
#include "exec.h"

#include "shared/run-agent.h"
#include "program-header.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

/* What the variables must contain; NULL: not under `ompinst run`. */
static const char *kept_tool, *kept_preload;

void exec_keep(const char *tool, const char *preload)
{
	kept_tool = tool;
	kept_preload = preload;
}

/* The next definitions: libc's, or those of another library. */
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

/*
 * Finds the functions on first use, because another library's constructor may start a program
 * before ours has run.
 */
static const struct functions *libc(void)
{
	if (functions.execve == NULL)
		find_functions();
	return &functions;
}

#define PRELOAD "LD_PRELOAD="
#define TOOLS   "OMP_TOOL_LIBRARIES="

/* What is wrong with an environment; all NULL if nothing is. */
struct fault {
	const char *preload, *tools; /* values that lack our entry */
	const char *unwanted;        /* our entry, if the program cannot load it */
};

static const char *find_value(char *const *variables, const char *name)
{
	for (; variables != NULL && *variables != NULL; variables++)
		if (strncmp(*variables, name, strlen(name)) == 0)
			return *variables + strlen(name);
	return NULL;
}

/* takes: the program can load our libraries. An empty value stays empty. */
static struct fault find_fault(char *const *variables, bool takes)
{
	struct fault fault = {0};

	if (kept_preload == NULL)
		return fault;
	const char *preload = find_value(variables, PRELOAD), *tools = find_value(variables, TOOLS);
	if (preload != NULL && preload[0] != '\0') {
		const char *ours = strstr(preload, kept_preload);
		if (!takes)
			fault.unwanted = ours;
		else if (ours == NULL)
			fault.preload = preload;
	}
	if (tools != NULL && tools[0] != '\0' && strstr(tools, kept_tool) == NULL)
		fault.tools = tools;
	return fault;
}

/* The bytes that the repaired environment needs; 0 if it needs no repair. */
static size_t room_for(char *const *variables, const struct fault *fault)
{
	size_t count = 0;

	if (fault->preload == NULL && fault->tools == NULL && fault->unwanted == NULL)
		return 0;
	while (variables[count] != NULL)
		count++;
	return (count + 1) * sizeof(char *) +
	       (fault->preload != NULL
		       ? strlen(PRELOAD) + run_agent_room(fault->preload, kept_preload)
		       : 0) +
	       (fault->unwanted != NULL
		       ? strlen(find_value(variables, PRELOAD)) + strlen(PRELOAD) + 1
		       : 0) +
	       (fault->tools != NULL ? strlen(TOOLS) + run_agent_room(fault->tools, kept_tool) : 0);
}

/* Writes LD_PRELOAD=... without our entry and one colon next to it. Returns its end. */
static char *write_without(char *to, const char *variable, const char *unwanted)
{
	size_t before = (size_t)(unwanted - variable);
	const char *behind = unwanted + strlen(kept_preload);

	if (behind[0] != '\0')
		behind++;
	else if (variable[before - 1] == ':')
		before--;
	memcpy(to, variable, before);
	return stpcpy(to + before, behind) + 1;
}

/* A repaired copy in room_for() bytes, or the environment itself if that is 0. */
static char *const *repair(char *const *variables, const struct fault *fault, void *room)
{
	char **copy = room;
	size_t count = 0;

	if (room_for(variables, fault) == 0)
		return variables;
	while (variables[count] != NULL)
		count++;
	char *text = (char *)(copy + count + 1);
	for (size_t i = 0; i < count; i++) {
		bool preload = strncmp(variables[i], PRELOAD, strlen(PRELOAD)) == 0;
		copy[i] = variables[i];
		if (fault->preload == variables[i] + strlen(PRELOAD)) {
			copy[i] = text;
			run_agent_merge(stpcpy(text, PRELOAD), fault->preload, kept_preload);
			text += strlen(text) + 1;
		} else if (preload && fault->unwanted != NULL) {
			copy[i] = text;
			text = write_without(text, variables[i], fault->unwanted);
		} else if (fault->tools == variables[i] + strlen(TOOLS)) {
			copy[i] = text;
			text = stpcpy(stpcpy(text, TOOLS), kept_tool);
			text = stpcpy(stpcpy(text, ":"), fault->tools) + 1;
		}
	}
	copy[count] = NULL;
	return copy;
}

/* Allocates in the caller's frame, because a child of vfork() must not call malloc(). */
#define STACK(size) __builtin_alloca((size) + 1)

/* Defines `repaired` in the caller's frame, because it must live until exec. */
#define REPAIR(variables, takes)                                                                   \
	const struct fault fault = find_fault(variables, takes);                                   \
	char *const *repaired = repair(variables, &fault, STACK(room_for(variables, &fault)))

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int execve(const char *path, char *const *arguments, char *const *variables)
{
	REPAIR(variables, target_takes_libraries(path));
	return libc()->execve(path, arguments, repaired);
}

EXPORTED int execv(const char *path, char *const *arguments)
{
	return execve(path, arguments, environ);
}

EXPORTED int execvpe(const char *file, char *const *arguments, char *const *variables)
{
	REPAIR(variables, target_in_path_takes_libraries(file));
	return libc()->execvpe(file, arguments, repaired);
}

EXPORTED int execvp(const char *file, char *const *arguments)
{
	return execvpe(file, arguments, environ);
}

EXPORTED int fexecve(int file, char *const *arguments, char *const *variables)
{
	REPAIR(variables, target_descriptor_takes_libraries(file));
	return libc()->fexecve(file, arguments, repaired);
}

EXPORTED int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const *arguments, char *const *variables)
{
	REPAIR(variables, target_takes_libraries(path));
	return libc()->posix_spawn(child, path, actions, attributes, arguments, repaired);
}

EXPORTED int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const *arguments, char *const *variables)
{
	REPAIR(variables, target_in_path_takes_libraries(file));
	return libc()->posix_spawnp(child, file, actions, attributes, arguments, repaired);
}

/* Counts the arguments of execl() and similar functions: `first`, the rest, and NULL. */
static size_t count_arguments(const char *first, va_list rest)
{
	size_t count = 1;

	while (first != NULL) {
		first = va_arg(rest, const char *);
		count++;
	}
	return count;
}

/*
 * Takes the list by address: whether a va_list that is passed by value has advanced afterwards
 * depends on the processor.
 */
static void copy_arguments(char **to, size_t count, const char *first, va_list *rest)
{
	to[0] = (char *)first;
	for (size_t i = 1; i < count; i++)
		to[i] = va_arg(*rest, char *);
}

/* Defines `arguments`, the vector of a variadic call; `rest` is then after its NULL. */
#define VECTOR(first)                                                                              \
	va_list rest;                                                                              \
	va_start(rest, first);                                                                     \
	size_t count = count_arguments(first, rest);                                               \
	va_end(rest);                                                                              \
	char **arguments = STACK(count * sizeof *arguments);                                       \
	va_start(rest, first);                                                                     \
	copy_arguments(arguments, count, first, &rest)

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

/* For functions without an environment argument: changes the process's own, as setenv() does. */
static void repair_own(void)
{
	struct fault fault = find_fault(environ, true);
	char *value = NULL;

	if (fault.preload != NULL &&
	    (value = malloc(run_agent_room(fault.preload, kept_preload))) != NULL) {
		run_agent_merge(value, fault.preload, kept_preload);
		setenv("LD_PRELOAD", value, 1);
		free(value);
	}
	if (fault.tools != NULL && asprintf(&value, "%s:%s", kept_tool, fault.tools) > 0) {
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
