/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One table has all settings: a row is one candidate, and rows of one group exclude each other. A
 * row whose condition does not hold on this machine or for this program is left out, and for a
 * group without rows one sentence says why.
 */
#include "tuned-settings.h"

#include "shared/loop-schedule.h"
#include "shared/tuned-file.h"

#include <stdlib.h>
#include <string.h>

enum condition {
	ALWAYS,
	PROCESSORS, /* more than one */
	LOOPS,      /* the program may have loops with schedule(runtime) */
	GLIBC,
	ADVICE,
	HUGE_PAGES,
};

/* The number in the place of '%' in a row. */
enum number { NO_NUMBER, ONE, QUARTER, HALF, CORES, ALL };

/*
 * malloc takes at most 32M as the threshold above which it maps memory of its own. Each variable
 * of malloc also switches off that it adapts the thresholds to what the program frees.
 */
static const struct row {
	enum tune_group group;
	enum condition condition;
	enum number number;
	const char *title; /* NULL: the variables */
	const char *variables;
} rows[] = {
    {TUNE_THREADS, PROCESSORS, ONE, NULL, "OMP_NUM_THREADS=%"},
    {TUNE_THREADS, PROCESSORS, QUARTER, NULL, "OMP_NUM_THREADS=%"},
    {TUNE_THREADS, PROCESSORS, HALF, NULL, "OMP_NUM_THREADS=%"},
    {TUNE_THREADS, PROCESSORS, CORES, NULL, "OMP_NUM_THREADS=%"},
    {TUNE_THREADS, PROCESSORS, ALL, NULL, "OMP_NUM_THREADS=%"},
    {TUNE_BINDING, PROCESSORS, NO_NUMBER, "bind close, cores",
	"OMP_PROC_BIND=close OMP_PLACES=cores"},
    {TUNE_BINDING, PROCESSORS, NO_NUMBER, "bind spread, cores",
	"OMP_PROC_BIND=spread OMP_PLACES=cores"},
    {TUNE_BINDING, PROCESSORS, NO_NUMBER, "bind close, threads",
	"OMP_PROC_BIND=close OMP_PLACES=threads"},
    {TUNE_BINDING, PROCESSORS, NO_NUMBER, "bind spread, sockets",
	"OMP_PROC_BIND=spread OMP_PLACES=sockets"},
    {TUNE_BINDING, PROCESSORS, NO_NUMBER, NULL, "OMP_PROC_BIND=false"},
    {TUNE_WAIT, PROCESSORS, NO_NUMBER, NULL, "OMP_WAIT_POLICY=active"},
    {TUNE_WAIT, PROCESSORS, NO_NUMBER, NULL, "OMP_WAIT_POLICY=passive"},
    {TUNE_SCHEDULE, LOOPS, NO_NUMBER, NULL, "OMP_SCHEDULE=static"},
    {TUNE_SCHEDULE, LOOPS, NO_NUMBER, NULL, "OMP_SCHEDULE=static,1"},
    {TUNE_SCHEDULE, LOOPS, NO_NUMBER, NULL, "OMP_SCHEDULE=dynamic"},
    {TUNE_SCHEDULE, LOOPS, NO_NUMBER, NULL, "OMP_SCHEDULE=dynamic,16"},
    {TUNE_SCHEDULE, LOOPS, NO_NUMBER, NULL, "OMP_SCHEDULE=dynamic,256"},
    {TUNE_SCHEDULE, LOOPS, NO_NUMBER, NULL, "OMP_SCHEDULE=guided"},
    {TUNE_MALLOC, GLIBC, NO_NUMBER, "malloc maps from 32M, keeps 1G",
	"MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=1073741824 "
	"MALLOC_TOP_PAD_=16777216"},
    {TUNE_MALLOC, GLIBC, NO_NUMBER, "malloc maps nothing, keeps 1G",
	"MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1073741824 MALLOC_TOP_PAD_=16777216"},
    {TUNE_MALLOC, GLIBC, NO_NUMBER, "malloc maps from 4M, keeps 64M",
	"MALLOC_MMAP_THRESHOLD_=4194304 MALLOC_TRIM_THRESHOLD_=67108864"},
    {TUNE_MALLOC, GLIBC, NO_NUMBER, "malloc maps from 32M", "MALLOC_MMAP_THRESHOLD_=33554432"},
    {TUNE_MALLOC, GLIBC, NO_NUMBER, "malloc grows by 16M", "MALLOC_TOP_PAD_=16777216"},
    {TUNE_ARENAS, GLIBC, ONE, NULL, "MALLOC_ARENA_MAX=%"},
    {TUNE_ARENAS, GLIBC, ALL, NULL, "MALLOC_ARENA_MAX=%"},
    {TUNE_PAGES, ADVICE, NO_NUMBER, "malloc asks for huge pages",
	TUNED_LIST "=glibc.malloc.hugetlb=1"},
    {TUNE_PAGES, HUGE_PAGES, NO_NUMBER, "malloc takes reserved huge pages",
	TUNED_LIST "=glibc.malloc.hugetlb=2"},
};

/* The schedules that each loop is tried with, except for the one as written. */
static const char *const schedules[] = {
    "static", "static,1", "dynamic", "dynamic,16", "dynamic,128", "guided"};

/*
 * Loops that are tried; each is as many candidates as there are schedules. Regions: as many as
 * there are numbers of threads.
 */
enum { LOOPS_MOST = 6, REGIONS_MOST = 4, TASKLOOPS_MOST = 4 };

static const char *const group_names[] = {
#define GROUP_NAME(id, name) name,
    TUNE_GROUPS(GROUP_NAME)
#undef GROUP_NAME
};

/* NULL: the condition holds. Else why it does not. */
static const char *obstacle(enum condition condition, const struct tuned_machine *machine)
{
	switch (condition) {
	case ALWAYS:
		break;
	case PROCESSORS:
		return machine->processors > 1 ? NULL : "there is one processor";
	case LOOPS:
		return machine->loops != RUNTIME_LOOPS_NONE
			   ? NULL
			   : "the program has no loop with schedule(runtime)";
	case GLIBC:
		return machine->has_glibc ? NULL : "malloc is not glibc's";
	case ADVICE:
		return machine->has_glibc && machine->has_advice
			   ? NULL
			   : "it takes glibc 2.35 and a kernel that gives huge pages on request";
	case HUGE_PAGES:
		return machine->has_glibc && machine->has_huge_pages
			   ? NULL
			   : "the system has none reserved";
	}
	return NULL;
}

static unsigned value_of(enum number number, const struct tuned_machine *machine)
{
	unsigned all = machine->processors;

	switch (number) {
	case NO_NUMBER:
		return 0;
	case ONE:
		return 1;
	case QUARTER:
		return all / 4 > 1 ? all / 4 : 1;
	case HALF:
		return all / 2 > 1 ? all / 2 : 1;
	case CORES:
		return machine->cores;
	case ALL:
		return all;
	}
	return 0;
}

/* The words of the text, with the number in the place of '%'. */
static void add_variables(const char *text, unsigned number, struct words *variables)
{
	struct words parts = {0};

	words_add_text(&parts, text);
	for (size_t i = 0; i < parts.count; i++) {
		const char *place = strchr(parts.items[i], '%');
		if (place == NULL || number == 0)
			words_add(variables, parts.items[i]);
		else
			words_add_format(variables, "%.*s%u%s", (int)(place - parts.items[i]),
			    parts.items[i], number, place + 1);
	}
	variables->failed |= parts.failed;
	words_finish(&parts);
}

static bool holds_already(const char *variable)
{
	char name[64];
	size_t length = tuned_name(variable);

	if (length >= sizeof name)
		return false;
	memcpy(name, variable, length);
	name[length] = '\0';
	return tuned_holds(variable, getenv(name));
}

/* Do all of the variables have these values anyway? */
static bool is_unchanged(const struct words *variables, const struct tuned_machine *machine)
{
	bool all_hold = true;

	for (size_t i = 0; i < variables->count; i++)
		all_hold = all_hold && holds_already(variables->items[i]);
	/* As many threads as processors are the default. */
	if (!all_hold && variables->count == 1 && getenv("OMP_NUM_THREADS") == NULL &&
	    strncmp(variables->items[0], "OMP_NUM_THREADS=", 16) == 0)
		all_hold = strtoul(variables->items[0] + 16, NULL, 10) == machine->processors;
	return all_hold;
}

static bool is_same(const struct words *one, const struct words *other)
{
	if (one->count != other->count)
		return false;
	for (size_t i = 0; i < one->count; i++)
		if (strcmp(one->items[i], other->items[i]) != 0)
			return false;
	return true;
}

/* Adds the setting unless it changes nothing or is there already. `place`: see tuned_setting. */
static void add(struct tuned_settings *settings, const struct tuned_machine *machine,
    const char *name, const char *title, size_t place, struct words *variables)
{
	bool is_useless =
	    settings->count == TUNED_SETTINGS_MOST || is_unchanged(variables, machine);

	for (unsigned i = 0; i < settings->count && !is_useless; i++)
		is_useless = is_same(&settings->items[i].variables, variables);
	if (variables->failed || words_vector(variables) == NULL)
		settings->failed = true;
	if (is_useless || settings->failed) {
		words_finish(variables);
		return;
	}
	struct tuned_setting *item = &settings->items[settings->count++];
	*item = (struct tuned_setting){.name = name, .variables = *variables, .place = place};
	item->title = strdup(title != NULL ? title : variables->items[0]);
	settings->failed |= item->title == NULL;
}

static bool share_a_variable(const struct words *one, const struct words *other)
{
	for (size_t i = 0; i < one->count; i++)
		for (size_t k = 0; k < other->count; k++)
			if (strncmp(
				one->items[i], other->items[k], tuned_name(one->items[i]) + 1) == 0)
				return true;
	return false;
}

static void exclude(struct tuned_settings *settings)
{
	memset(settings->excludes, 0, sizeof settings->excludes);
	for (unsigned i = 0; i < settings->count; i++)
		for (unsigned k = 0; k < settings->count; k++) {
			const struct tuned_setting *one = &settings->items[i],
						   *other = &settings->items[k];
			bool same_group =
			    strcmp(one->name, other->name) == 0 && strcmp(one->name, "try") != 0;
			bool excluded =
			    same_group || share_a_variable(&one->variables, &other->variables);
			/* Those of several places are one value: tuned_settings_variables(). */
			if (one->place != 0 && other->place != 0)
				excluded = one->place == other->place;
			else if (one->place != 0 || other->place != 0)
				excluded = share_a_variable(&one->variables, &other->variables);
			if (i != k && excluded)
				settings->excludes[i] |= (gain_set)1 << k;
		}
}

/*
 * Nothing is said of one kind of huge pages where the other is there, or could be, and of
 * OMP_SCHEDULE where loops have schedules of their own.
 */
static bool is_second_choice(const struct row *row, const struct tuned_machine *machine)
{
	return row->condition == HUGE_PAGES || (row->condition == LOOPS && machine->has_loops) ||
	       (row->condition == ADVICE && obstacle(HUGE_PAGES, machine) == NULL);
}

/* Adds the loop with each schedule but the one as written. */
static void add_loop(
    struct tuned_settings *settings, const struct tuned_machine *machine, size_t number)
{
	const char *loop = machine->listed.items[number];
	const char *written = strrchr(loop, '=') + 1;

	for (size_t i = 0; i < sizeof schedules / sizeof schedules[0]; i++) {
		struct words variables = {0};
		size_t name = strlen(LOOP_SCHEDULE_SETTING "=");
		if (strcmp(written, schedules[i]) == 0)
			continue;
		words_add_format(&variables, LOOP_SCHEDULE_SETTING "=%.*s%s", (int)(written - loop),
		    loop, schedules[i]);
		settings->failed |= variables.failed;
		add(settings, machine, group_names[TUNE_SCHEDULE],
		    variables.count > 0 ? variables.items[0] + name : "", number + 1, &variables);
	}
}

/* Adds the first loops of the list, except for those whose schedule the program leaves to us. */
static void add_loops(struct tuned_settings *settings, const struct tuned_machine *machine)
{
	const struct words *listed = &machine->listed;
	size_t tried = 0, left = 0;

	for (size_t i = 0; i < listed->count; i++) {
		const char *equals = strrchr(listed->items[i], '=');
		if (equals == NULL || strcmp(equals + 1, LOOP_SCHEDULE_RUNTIME) == 0)
			continue;
		left += tried == LOOPS_MOST;
		if (tried < LOOPS_MOST) {
			add_loop(settings, machine, i);
			tried++;
		}
	}
	if (left > 0)
		words_add_format(&settings->left_out,
		    "%zu further loop%s not tried with other schedules: at most %d are%s", left,
		    left == 1 ? " is" : "s are", LOOPS_MOST,
		    machine->is_ordered ? "" : ", and --summary=FILE says which take most time");
}

/* Adds the first regions of the list with fewer threads than there are processors. */
static void add_regions(struct tuned_settings *settings, const struct tuned_machine *machine)
{
	static const enum number numbers[] = {ONE, QUARTER, HALF, CORES};

	for (size_t i = 0; i < machine->regions.count && i < REGIONS_MOST; i++)
		for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
			unsigned threads = value_of(numbers[k], machine);
			struct words variables = {0};
			if (threads == machine->processors)
				continue;
			words_add_format(&variables, REGION_THREADS_SETTING "=%s=%u",
			    machine->regions.items[i], threads);
			settings->failed |= variables.failed;
			add(settings, machine, group_names[TUNE_THREADS], NULL,
			    machine->listed.count + 1 + i, &variables);
		}
}

/* Adds the first tasks and taskloops of the list with coarser and finer grains. */
static void add_grains(struct tuned_settings *settings, const struct tuned_machine *machine)
{
	static const char *const grains[2][4] = {
	    {"*16", "*4", "/4", "/16"}, {"*4", "*2", "/2", "/4"}};
	const size_t others = machine->listed.count + machine->regions.count;

	for (size_t i = 0; i < machine->tasks.count && i < TASKLOOPS_MOST; i++)
		for (size_t k = 0; k < sizeof grains[0] / sizeof grains[0][0]; k++) {
			const char *task = machine->tasks.items[i];
			bool is_cutoff = strcmp(strrchr(task, '='), "=if") == 0 ||
					 strcmp(strrchr(task, '='), "=final") == 0;
			struct words variables = {0};
			words_add_format(&variables, TASK_GRAIN_SETTING "=%.*s=%s",
			    (int)(strrchr(task, '=') - task), task, grains[is_cutoff][k]);
			settings->failed |= variables.failed;
			add(settings, machine, group_names[TUNE_TASKS], NULL, others + 1 + i,
			    &variables);
		}
}

void tuned_settings_make(const struct tune_options *options, const struct tuned_machine *machine,
    struct tuned_settings *settings)
{
	*settings = (struct tuned_settings){.count = 0};
	for (unsigned i = 0; i < options->try_count; i++) {
		struct words variables = {0};
		add_variables(options->tries[i], 0, &variables);
		add(settings, machine, "try", options->tries[i], 0, &variables);
	}
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct words variables = {0};
		const char *why = obstacle(rows[i].condition, machine);
		bool is_first = i == 0 || rows[i - 1].condition != rows[i].condition ||
				rows[i - 1].group != rows[i].group;
		if ((options->groups >> rows[i].group & 1) == 0)
			continue;
		if (why == NULL) {
			add_variables(
			    rows[i].variables, value_of(rows[i].number, machine), &variables);
			add(settings, machine, group_names[rows[i].group], rows[i].title, 0,
			    &variables);
		} else if (is_first && !is_second_choice(&rows[i], machine)) {
			words_add_format(&settings->left_out, "%s is not tried: %s",
			    group_names[rows[i].group], why);
		}
	}
	if ((options->groups >> TUNE_SCHEDULE & 1) != 0)
		add_loops(settings, machine);
	if ((options->groups >> TUNE_THREADS & 1) != 0)
		add_regions(settings, machine);
	if ((options->groups >> TUNE_TASKS & 1) != 0)
		add_grains(settings, machine);
	if (machine->short_places > 0)
		words_add_format(&settings->left_out,
		    "%zu loop%s or region%s too short for a gain of %g %%: not tried",
		    machine->short_places, machine->short_places == 1 ? "" : "s",
		    machine->short_places == 1 ? " is" : "s are", 100 * options->min_gain);
	exclude(settings);
}

static void finish_setting(struct tuned_setting *setting)
{
	free(setting->title);
	words_finish(&setting->variables);
}

void tuned_settings_keep(struct tuned_settings *settings, const bool *kept)
{
	unsigned count = 0;

	for (unsigned i = 0; i < settings->count; i++)
		if (kept[i])
			settings->items[count++] = settings->items[i];
		else
			finish_setting(&settings->items[i]);
	settings->count = count;
	exclude(settings);
}

/* Adds the value for one place to those of others, and in front what the user has. */
static void join_places(const char *variable, struct words *joined)
{
	size_t length = tuned_name(variable) + 1, i = 0;
	char *longer = NULL;
	int made;

	while (i < joined->count && strncmp(joined->items[i], variable, length) != 0)
		i++;
	if (i == joined->count) {
		char *name = strndup(variable, length - 1);
		const char *own = name != NULL ? getenv(name) : NULL;
		bool has_own = own != NULL && own[0] != '\0';
		words_add_format(joined, "%.*s%s%s%s", (int)length, variable, has_own ? own : "",
		    has_own ? ";" : "", variable + length);
		free(name);
		return;
	}
	made = asprintf(&longer, "%s;%s", joined->items[i], variable + length);
	if (made < 0) {
		joined->failed = true;
		return;
	}
	free(joined->items[i]);
	joined->items[i] = longer;
}

void tuned_settings_variables(
    const struct tuned_settings *settings, gain_set set, struct words *variables)
{
	struct words joined = {0};

	for (unsigned i = 0; i < settings->count; i++)
		if ((set >> i & 1) != 0 && settings->items[i].place != 0)
			join_places(settings->items[i].variables.items[0], &joined);
		else if ((set >> i & 1) != 0)
			words_add_list(variables, &settings->items[i].variables);
	words_add_list(variables, &joined);
	variables->failed |= joined.failed;
	words_finish(&joined);
}

/* Does the variable change single loops or regions, "NAME=FILE:LINE=VALUE;..."? */
static bool is_of_places(const char *variable)
{
	static const char *const names[] = {
	    LOOP_SCHEDULE_SETTING "=", REGION_THREADS_SETTING "=", TASK_GRAIN_SETTING "="};
	bool is_one = false;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		is_one |= strncmp(variable, names[i], strlen(names[i])) == 0;
	return is_one;
}

gain_set tuned_settings_add_patched(struct tuned_settings *settings, gain_set best)
{
	struct tuned_setting *item = &settings->items[settings->count];
	struct words variables = {0};

	*item = (struct tuned_setting){.name = "patch", .title = strdup("patched program")};
	tuned_settings_variables(settings, best, &variables);
	for (size_t i = 0; i < variables.count; i++)
		if (!is_of_places(variables.items[i]))
			words_add(&item->variables, variables.items[i]);
	settings->failed |= variables.failed || item->variables.failed || item->title == NULL;
	words_finish(&variables);
	return (gain_set)1 << settings->count++;
}

char *tuned_settings_title(const struct tuned_settings *settings, gain_set set)
{
	char *title = NULL, *longer;

	for (unsigned i = 0; i < settings->count; i++) {
		if ((set >> i & 1) == 0)
			continue;
		if (asprintf(&longer, "%s%s%s", title != NULL ? title : "",
			title != NULL ? " + " : "", settings->items[i].title) < 0)
			longer = NULL;
		free(title);
		title = longer;
		if (title == NULL)
			return NULL;
	}
	return title != NULL ? title : strdup("unchanged");
}

void tuned_settings_finish(struct tuned_settings *settings)
{
	for (unsigned i = 0; i < settings->count; i++)
		finish_setting(&settings->items[i]);
	words_finish(&settings->left_out);
	settings->count = 0;
}
