/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides what is attached to a program: by LD_PRELOAD the library that reports what is measured,
 * the bundled runtime in place of GNU's, LLVM's and Intel's, and the wrappers of its MPI; by
 * OMP_TOOL_LIBRARIES the measurement tool. Preloading reaches what a run path or LD_LIBRARY_PATH
 * does not: copies of the runtime under other names, libraries that are loaded later, and the
 * programs that this one starts.
 */
#include "attachment.h"

#include "compiler-command.h"
#include "installation.h"
#include "loader-path.h"
#include "loader.h"
#include "shared/run-agent.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

extern char **environ;

/* What can be attached, and what the user has already set. */
struct plan {
	struct locations locations;
	char *tool;    /* its path, in a form that a list can contain */
	char *preload; /* a list separated by colons */
	const char *own_preload, *own_tools;
};

static void set_obstacle(struct attachment *attachment, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the reason why the program cannot be measured; the first one counts. */
static void set_obstacle(struct attachment *attachment, const char *format, ...)
{
	va_list arguments;

	if (attachment->obstacle != NULL)
		return;
	va_start(arguments, format);
	if (vasprintf(&attachment->obstacle, format, arguments) < 0) {
		attachment->obstacle = NULL;
		attachment->failed = true;
	}
	va_end(arguments);
}

static const char *or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* The file's path in a form that a list can contain (heap). If there is none, sets an obstacle. */
static char *path_for_list(const char *file, struct attachment *attachment)
{
	char *path = loader_path(file);

	if (path == NULL)
		set_obstacle(attachment,
		    "'%s' has a blank or a colon in its name, which LD_PRELOAD cannot hold, and for a "
		    "link to it there is no folder 'ompinst-%ld' of yours below XDG_RUNTIME_DIR, "
		    "TMPDIR, /tmp or /var/tmp",
		    file, (long)geteuid());
	return path;
}

/* Adds a file to the list; false if that is not possible. */
static bool add_preload(struct plan *plan, struct attachment *attachment, const char *file)
{
	char *list = NULL, *path = path_for_list(file, attachment);

	if (path == NULL)
		return false;
	if (asprintf(&list, "%s%s%s", or_empty(plan->preload), plan->preload ? ":" : "", path) < 0)
		list = NULL;
	free(path);
	attachment->failed |= list == NULL;
	if (list == NULL)
		return false;
	free(plan->preload);
	plan->preload = list;
	return true;
}

static bool has_value(const char *name, const char *value)
{
	const char *found = getenv(name);

	return found != NULL && strcasecmp(found, value) == 0;
}

/* Applies the user's own switches. Returns whether anything is to be attached. */
static bool obey_switches(struct attachment *attachment)
{
	static const char *const yes[] = {"yes", "1", "true", "on"};

	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
		if (has_value("POMP_DISABLE", yes[i])) {
			set_obstacle(attachment, "the environment has POMP_DISABLE=%s", yes[i]);
			return false;
		}
	if (has_value("OMP_TOOL", "disabled"))
		set_obstacle(attachment, "the environment has OMP_TOOL=disabled");
	return true;
}

static bool add_runtime(struct plan *plan, struct attachment *attachment)
{
	bool done = true;

	for (size_t i = 0; done && i < RUNTIME_PRELOADS; i++) {
		char *path = locate_preload(&plan->locations, i);
		if (path != NULL)
			done = add_preload(plan, attachment, path);
		attachment->failed |= i == 0 && path == NULL;
		free(path);
	}
	return done && !attachment->failed;
}

/* Finds ompinst's own libraries; false if one of them is missing. */
static bool plan_make(
    struct plan *plan, const struct launch_options *options, struct attachment *attachment)
{
	bool bundled = options->runtime == LAUNCH_RUNTIME_BUNDLED, done;

	locate_libraries(&plan->locations, NULL);
	const struct locations *locations = &plan->locations;
	if (locations->tool == NULL || locations->agent == NULL ||
	    (bundled && locations->runtime_folder == NULL)) {
		set_obstacle(attachment, "%s was not found (OMPINST_LIBDIR can name its folder)",
		    locations->tool == NULL    ? "libpomp_tool.so"
		    : locations->agent == NULL ? "ompinst/ompinst-run.so"
					       : "ompinst/libgomp.so.1");
		return false;
	}
	done = add_preload(plan, attachment, locations->agent) &&
	       (!bundled || add_runtime(plan, attachment));
	plan->tool = done ? path_for_list(locations->tool, attachment) : NULL;
	done = plan->tool != NULL;
	plan->own_preload = or_empty(getenv("LD_PRELOAD"));
	plan->own_tools = or_empty(getenv("OMP_TOOL_LIBRARIES"));
	return done;
}

static void plan_finish(struct plan *plan)
{
	free(plan->preload);
	free(plan->tool);
	locations_finish(&plan->locations);
}

/* Adds the program's LD_PRELOAD. */
static void add_preload_variable(const struct plan *plan, struct words *variables)
{
	if (strstr(plan->own_preload, plan->preload) != NULL) {
		words_add_format(variables, "LD_PRELOAD=%s", plan->own_preload);
		return;
	}
	char *merged = malloc(run_agent_room(plan->own_preload, plan->preload));
	if (merged != NULL)
		run_agent_merge(merged, plan->own_preload, plan->preload);
	words_add_format(variables, "LD_PRELOAD=%s", or_empty(merged));
	variables->failed |= merged == NULL;
	free(merged);
}

/*
 * Copies this process's environment with the variables added; they replace those of the same names.
 */
static void make_environment(const struct words *variables, struct words *environment)
{
	for (char **entry = environ; *entry != NULL; entry++) {
		bool replaced = false;
		for (size_t i = 0; i < variables->count && !replaced; i++) {
			size_t name = strcspn(variables->items[i], "=") + 1;
			replaced = strncmp(*entry, variables->items[i], name) == 0;
		}
		if (!replaced)
			words_add(environment, *entry);
	}
	words_add_list(environment, variables);
}

/* Does the program need the MPI for which this library of wrappers is made? */
static bool needs_same_mpi(const char *wrappers, const struct loader_answer *answer)
{
	struct words names = {0};
	bool same = false;

	program_needs(wrappers, &names);
	for (size_t i = 0; i < names.count; i++)
		same |=
		    strncmp(names.items[i], "libmpi", 6) == 0 && loader_has(answer, names.items[i]);
	words_finish(&names);
	return same;
}

/*
 * The wrappers come first: if two libraries define MPI_Send, the program uses the first. A program
 * that is linked with the wrappers, or has them in LD_PRELOAD, needs no more.
 */
static void add_mpi(struct plan *plan, const struct launch_options *options,
    const struct loader_answer *answer, struct attachment *attachment)
{
	static const struct {
		const char *name;
		enum launch_mpi choice;
	} kinds[] = {{"openmpi", LAUNCH_MPI_OPENMPI}, {"mpich", LAUNCH_MPI_MPICH}};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		struct locations locations;
		char name[64], file[80];
		if (options->mpi != LAUNCH_MPI_AUTO && options->mpi != kinds[i].choice)
			continue;
		/* A program may be linked with it by either name; one begins with the other. */
		snprintf(name, sizeof name, "libpomp_mpi-%s.so", kinds[i].name);
		snprintf(file, sizeof file, "%s.0", name);
		locate_libraries(&locations, file);
		if (locations.mpi == NULL && options->mpi == kinds[i].choice)
			set_obstacle(
			    attachment, "%s, for --mpi=%s, was not found", file, kinds[i].name);
		if (locations.mpi != NULL && !loader_has(answer, name) &&
		    (options->mpi == kinds[i].choice || needs_same_mpi(locations.mpi, answer)))
			add_preload(plan, attachment, locations.mpi);
		locations_finish(&locations);
	}
}

/* AddressSanitizer's library ends a program in which another library is loaded before it. */
static void add_sanitizer(const struct loader_answer *answer, struct words *variables)
{
	const char *own = or_empty(getenv("ASAN_OPTIONS"));

	if (loader_has(answer, "libasan.so") || loader_has(answer, "libclang_rt.asan-x86_64.so"))
		words_add_format(variables, "ASAN_OPTIONS=%s%sverify_asan_link_order=0", own,
		    own[0] != '\0' ? ":" : "");
}

/*
 * Asks the program's loader. False if it would not start the program with our libraries (another
 * libc, an older one, a container without the folder): then nothing may be attached.
 */
static bool ask_loader(struct plan *plan, const struct program *program,
    const struct launch_options *options, struct attachment *attachment)
{
	struct words variables = {0}, environment = {0};
	struct loader_answer answer = {0};
	char *problem = NULL;

	add_preload_variable(plan, &variables);
	make_environment(&variables, &environment);
	char **vector = words_vector(&environment);
	if (vector != NULL && loader_ask(program->loader, program->binary, vector, &answer))
		problem = loader_problem_with(&answer, plan->preload);
	if (problem != NULL) {
		set_obstacle(
		    attachment, "its loader does not take ompinst's libraries: %s", problem);
	} else {
		add_mpi(plan, options, &answer, attachment);
		add_sanitizer(&answer, &attachment->variables);
		if (program->contains_runtime)
			set_obstacle(attachment, "GNU's OpenMP runtime is linked into it, where it "
						 "cannot be replaced");
	}
	bool taken = problem == NULL;
	free(problem);
	loader_answer_finish(&answer);
	words_finish(&variables);
	words_finish(&environment);
	return taken;
}

/* Adds the options that stand for variables of the measurement library. */
static void add_settings(const struct launch_options *options, struct words *variables)
{
	const struct {
		const char *name, *value;
	} settings[] = {
	    {"POMP_ENABLE_TRACING", options->trace ? "yes" : NULL},
	    {"POMP_EXPERIMENT_DIRECTORY", options->folder},
	    {"POMP_SUMMARY", options->summary},
	    {"POMP_METRICS", options->metrics},
	    {"POMP_FILTERING_FILE", options->filter},
	};

	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		if (settings[i].value != NULL)
			words_add_format(variables, "%s=%s", settings[i].name, settings[i].value);
}

static void add_variables(const struct plan *plan, const struct launch_options *options, int mode,
    struct words *variables)
{
	const char *tool = plan->tool;

	add_preload_variable(plan, variables);
	if (strstr(plan->own_tools, tool) != NULL)
		words_add_format(variables, "OMP_TOOL_LIBRARIES=%s", plan->own_tools);
	else
		words_add_format(variables, "OMP_TOOL_LIBRARIES=%s%s%s", tool,
		    plan->own_tools[0] != '\0' ? ":" : "", plan->own_tools);
	words_add_format(variables, RUN_AGENT_VARIABLE "=" RUN_AGENT_FORMAT,
	    options->dry_run ? 0 : (int)getpid(), 0, mode, tool, plan->preload);
}

void attachment_make(const struct program *program, const struct launch_options *options,
    bool quiet, struct attachment *attachment)
{
	struct plan plan = {0};

	*attachment = (struct attachment){0};
	bool useful = plan_make(&plan, options, attachment);
	useful &= obey_switches(attachment);
	if (program->kind == PROGRAM_FOREIGN) {
		set_obstacle(attachment, "it is for another processor or word size than ompinst");
		useful = false;
	}
	if (useful && program->kind == PROGRAM_DYNAMIC && program->loader != NULL)
		useful = ask_loader(&plan, program, options, attachment);
	if (program->secure)
		set_obstacle(attachment,
		    "it runs with other rights than yours, so that its loader attaches nothing; "
		    "put 'ompinst run' behind it, before the program that it starts");
	if (program->kind == PROGRAM_STATIC)
		set_obstacle(attachment,
		    "it is linked statically: it has no loader that could attach "
		    "anything (programs that it starts are measured)");
	int mode = attachment->obstacle != NULL ? RUN_AGENT_EXPLAINED : RUN_AGENT_SPEAKING;
	if (useful) {
		add_variables(
		    &plan, options, quiet ? RUN_AGENT_QUIET : mode, &attachment->variables);
		if (plan.own_tools[0] != '\0' && strstr(plan.own_tools, plan.tool) == NULL)
			attachment->unused_tools = plan.own_tools;
	}
	add_settings(options, &attachment->variables);
	attachment->failed |= attachment->variables.failed;
	plan_finish(&plan);
}

void attachment_finish(struct attachment *attachment)
{
	words_finish(&attachment->variables);
	free(attachment->obstacle);
	*attachment = (struct attachment){0};
}
