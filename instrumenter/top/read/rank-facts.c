/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads /proc/PID/environ: what the process was started with. The process that launched a job on
 * this machine (mpirun, Hydra's proxy, slurmstepd) is the nearest ancestor that is no rank itself;
 * a script between both has the rank's variables, too.
 */
#include "rank-facts.h"

#include "process-stat.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_ENVIRONMENT = 1 << 18, MOST_ANCESTORS = 64 };

/* NULL: the launcher has no such variable. */
struct launcher {
	const char *rank, *size;
	const char *job, *step; /* their values make the job's name */
};

/* An mpirun that was started in a Slurm job leaves the job's variables, so its own come first. */
static const struct launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", NULL},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", NULL, NULL},
    {"PMIX_RANK", "SLURM_NTASKS", "PMIX_NAMESPACE", NULL},
    {"PMI_RANK", "PMI_SIZE", NULL, NULL},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_ID"},
};

struct environment {
	char *text; /* variables that end with NUL */
	size_t length;
};

static bool read_environment(struct environment *environment, pid_t process)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/environ", (long)process);
	FILE *file = fopen(path, "re");
	environment->length =
	    file != NULL ? fread(environment->text, 1, LONGEST_ENVIRONMENT - 1, file) : 0;
	environment->text[environment->length] = '\0';
	if (file != NULL)
		fclose(file);
	return file != NULL;
}

/* NULL: it is not set. */
static const char *value_of(const struct environment *environment, const char *name)
{
	size_t length = name != NULL ? strlen(name) : 0;

	for (size_t at = 0; name != NULL && at < environment->length;) {
		const char *variable = environment->text + at;
		if (strncmp(variable, name, length) == 0 && variable[length] == '=')
			return variable + length + 1;
		at += strlen(variable) + 1;
	}
	return NULL;
}

/* -1: it is no number of a rank. */
static long number_of(const struct environment *environment, const char *name)
{
	const char *text = value_of(environment, name);
	char *end;
	long number = text != NULL ? strtol(text, &end, 10) : -1;

	return text != NULL && end != text && *end == '\0' && number >= 0 ? number : -1;
}

static pid_t parent_of(pid_t process)
{
	struct process_stat stat;

	return process_stat_read(process, &stat) ? stat.parent : 0;
}

/* The process that has launched the rank; the environment's text is overwritten. */
static pid_t find_launcher(
    pid_t process, const struct launcher *launcher, struct environment *environment)
{
	pid_t parent = parent_of(process);

	for (int i = 0; i < MOST_ANCESTORS && parent > 1; i++) {
		/* What may not be read is no rank of this user. */
		if (!read_environment(environment, parent) ||
		    number_of(environment, launcher->rank) < 0)
			break;
		parent = parent_of(parent);
	}
	return parent;
}

static void name_job(struct rank_facts *facts, pid_t process, const struct launcher *launcher,
    struct environment *environment)
{
	const char *job = value_of(environment, launcher->job);
	const char *step = value_of(environment, launcher->step);

	if (job != NULL)
		snprintf(facts->job, sizeof facts->job, "%.60s%s%.60s", job,
		    step != NULL ? "." : "", step != NULL ? step : "");
	else
		snprintf(facts->job, sizeof facts->job, "%ld",
		    (long)find_launcher(process, launcher, environment));
}

void rank_facts_read(pid_t process, struct rank_facts *facts)
{
	struct environment environment = {.text = malloc(LONGEST_ENVIRONMENT)};

	*facts = (struct rank_facts){.rank = -1, .size = -1};
	if (environment.text == NULL)
		return;
	read_environment(&environment, process);
	for (size_t i = 0; i < sizeof launchers / sizeof launchers[0] && facts->rank < 0; i++) {
		facts->rank = number_of(&environment, launchers[i].rank);
		if (facts->rank < 0)
			continue;
		facts->size = number_of(&environment, launchers[i].size);
		name_job(facts, process, &launchers[i], &environment);
	}
	free(environment.text);
}
