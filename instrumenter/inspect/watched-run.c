/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor time is read several times in each period. The program runs on while that is done;
 * it stands still only while gdb looks at it: when it has used none, and once in each period in
 * which it has, because threads also wait by polling (OMP_WAIT_POLICY=active, MPI's calls). When no
 * thread is then seen to execute the program, it goes on under gdb for as long again, which notices
 * calls that return (ompd/gdb/omp_still.py).
 */
#include "watched-run.h"

#include "construct-report.h"
#include "process-times.h"
#include "program.h"
#include "word-list.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { LOOKS = 8, GRACE_SECONDS = 10 };

/* Of a processor, in a period in which nothing has moved. */
#define STILL 0.01

struct watched {
	struct process_watch *watch;
	struct inspect_question *question;
	const char *name;
	pid_t program;
	FILE *out;
	double seconds[LOOKS]; /* of the processor, at the looks of one period, the oldest first */
	bool runnable[LOOKS];  /* a thread ran then, or could run */
	size_t looks;
	bool is_said;  /* that it stands still; until it moves */
	bool is_still; /* nothing moved at the last look in a period with movement */
	char *said;    /* heap: the last answer that was printed */
	bool has_ended;
	int status;
};

static bool take_end(struct watched *watched)
{
	pid_t done = waitpid(watched->program, &watched->status, WNOHANG);

	watched->has_ended |= done == watched->program || (done < 0 && errno != EINTR);
	return watched->has_ended;
}

/* In seconds. */
static double now(void)
{
	struct timespec moment;

	clock_gettime(CLOCK_MONOTONIC, &moment);
	return (double)moment.tv_sec + 1e-9 * (double)moment.tv_nsec;
}

/* Passes on the signals that arrive in this time; true if the program has ended. */
static bool wait_for(struct watched *watched, double seconds)
{
	double end = now() + seconds;

	while (!take_end(watched)) {
		double left = end - now();
		if (left <= 0)
			return false;
		struct timespec rest = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
		int got = sigtimedwait(&watched->watch->waited, NULL, &rest);
		if (got > 0 && got != SIGCHLD)
			kill(watched->program, got);
	}
	return true;
}

/* Has the process an OpenMP runtime that gdb's commands may know? */
static bool has_runtime(pid_t process)
{
	char path[64], *line = NULL;
	size_t room = 0;
	bool found = false;

	snprintf(path, sizeof path, "/proc/%ld/maps", (long)process);
	FILE *maps = fopen(path, "re");
	while (maps != NULL && !found && getline(&line, &room, maps) > 0)
		found = strstr(line, "/libgomp.so") != NULL || strstr(line, "/libomp.so") != NULL ||
			strstr(line, "/libiomp5.so") != NULL;
	if (maps != NULL)
		fclose(maps);
	free(line);
	return found;
}

/* Those of its processes that gdb's commands may know something about. */
static void choose(struct inspect_target *target, const struct process_times *times)
{
	*target = (struct inspect_target){.process = 0};
	for (size_t i = 0; i < times->count; i++) {
		if (!has_runtime(times->processes[i]))
			continue;
		if (target->process == 0)
			target->process = times->processes[i];
		else if (target->other_count < INSPECT_MOST_PROCESSES - 1)
			target->others[target->other_count++] = times->processes[i];
	}
}

/* The processor time of the others. */
static double seconds_of_others(const struct process_times *times)
{
	double seconds = 0;

	for (size_t i = 0; i < times->count; i++)
		if (!has_runtime(times->processes[i]))
			seconds += times->process_seconds[i];
	return seconds;
}

static void say(struct watched *watched, const char *what, const char *answer)
{
	const struct inspect_target *target = &watched->question->target;

	fprintf(watched->out, "ompinst: '%s' (", watched->name);
	if (target->other_count > 0)
		fprintf(watched->out, "%zu processes", target->other_count + 1);
	else
		fprintf(watched->out, "process %ld", (long)target->process);
	fprintf(watched->out, ") %s:\n%s", what, answer);
	if (answer[0] != '\0' && answer[strlen(answer) - 1] != '\n')
		fputc('\n', watched->out);
	fflush(watched->out);
}

/* Asks about the chosen processes; passes on to the program what has ended that. */
static int ask(struct watched *watched, char **answer)
{
	int code = inspect_ask(watched->watch, watched->question, answer);
	int signal = watched->watch->interrupted;

	watched->watch->interrupted = 0;
	if (signal != 0)
		kill(watched->program, signal);
	return code;
}

/*
 * After a period in which processors were used. Says it if there is a deadlock, or if nothing moves
 * all the same in as much time again: once, until it is something else. Returns whether it was said
 * now.
 */
static bool look_closely(struct watched *watched, struct process_times *times)
{
	const unsigned period = watched->question->options.watch;
	double seconds = times->seconds, others = seconds_of_others(times), begin = now();
	size_t count = times->count;
	char *answer;

	watched->question->window = watched->is_still ? 1 : period;
	int code = ask(watched, &answer);
	double took = now() - begin;
	process_times_read(watched->program, times);
	if (code == INSPECT_STILL &&
	    (times->count != count || seconds_of_others(times) - others >= STILL * took))
		code = INSPECT_NO_DEADLOCK;
	watched->is_still = code == INSPECT_STILL;
	bool is_stuck = answer != NULL && (code == INSPECT_DEADLOCK || code == INSPECT_STILL);
	if (!is_stuck || (watched->said != NULL && strcmp(answer, watched->said) == 0)) {
		free(answer);
		return false;
	}
	if (code == INSPECT_STILL)
		fprintf(watched->out,
		    "ompinst: '%s' has used %.2f s of processor time in %.1f s, but nothing has moved: "
		    "no thread was seen to execute the program, and no call has returned.\n",
		    watched->name, times->seconds - seconds, took);
	say(watched, code == INSPECT_STILL ? "stands still" : "is in a deadlock", answer);
	free(watched->said);
	watched->said = answer;
	return true;
}

/* After a period in which nothing ran: says so, and what each process waits for. */
static void look(struct watched *watched, double used)
{
	char *answer = NULL;

	fprintf(watched->out, "ompinst: '%s' has used %.2f s of processor time in the last %u s.\n",
	    watched->name, used, watched->question->options.watch);
	watched->question->window = 0;
	if (watched->question->target.process == 0)
		fputs("ompinst: none of its processes has an OpenMP runtime.\n", watched->out);
	else if (ask(watched, &answer), answer != NULL)
		say(watched, "stands still", answer);
	fflush(watched->out);
	free(watched->said);
	watched->said = answer;
}

/* At the end of a period, of which the times are known. Returns whether something was said. */
static bool judge(struct watched *watched, struct process_times *times, double used, bool moves)
{
	choose(&watched->question->target, times);
	if (moves) {
		watched->is_said = false;
		return watched->question->target.process != 0 && look_closely(watched, times);
	}
	if (watched->is_said)
		return false;
	look(watched, used);
	watched->is_said = true;
	return true;
}

/* Ends the program so that it leaves a core file. */
static void end(struct watched *watched)
{
	fprintf(watched->out, "ompinst: '%s' is ended by SIGABRT.\n", watched->name);
	fflush(watched->out);
	kill(watched->program, SIGABRT);
	if (!wait_for(watched, GRACE_SECONDS)) {
		kill(watched->program, SIGKILL);
		while (waitpid(watched->program, &watched->status, 0) < 0 && errno == EINTR)
			;
		watched->has_ended = true;
	}
}

/* Forgets the oldest looks. */
static void forget(struct watched *watched, size_t count)
{
	watched->looks -= count;
	memmove(watched->seconds, watched->seconds + count,
	    watched->looks * sizeof watched->seconds[0]);
	memmove(watched->runnable, watched->runnable + count,
	    watched->looks * sizeof watched->runnable[0]);
}

static void follow(struct watched *watched)
{
	const unsigned period = watched->question->options.watch;
	struct process_times *times = malloc(sizeof *times);

	if (times == NULL)
		return;
	while (!wait_for(watched, (double)period / (LOOKS - 1))) {
		process_times_read(watched->program, times);
		if (watched->looks == LOOKS)
			forget(watched, 1);
		watched->runnable[watched->looks] = times->runnable > 0;
		watched->seconds[watched->looks++] = times->seconds;
		if (watched->looks < LOOKS)
			continue;
		double used = times->seconds - watched->seconds[0];
		bool moves = used >= STILL * period;
		/* On a busy machine a thread may wait for a processor all the time. */
		for (size_t i = 0; i < LOOKS; i++)
			moves |= watched->runnable[i];
		/* A period with movement is judged once, one without at each look. */
		if (moves)
			forget(watched, LOOKS - 1);
		if (judge(watched, times, used, moves) && watched->question->options.ends)
			end(watched);
	}
	free(times);
}

int watched_run(
    struct process_watch *watch, struct inspect_question *question, const char *const *words)
{
	struct watched watched = {.watch = watch, .question = question, .out = stderr};
	struct program program;
	struct words arguments = {0};
	char *error = NULL;
	int code = INSPECT_CANNOT;

	if (words[0] != NULL && strcmp(words[0], "--") == 0)
		words++;
	if (words[0] == NULL) {
		report_error(NULL, "expected a program to watch; see 'ompinst why --help'");
		return INSPECT_CANNOT;
	}
	watched.name = words[0];
	question->options.ranks = false; /* all that the program starts are looked at together */
	if (program_find(words[0], &program, &error) != 0) {
		report_error(NULL, "%s", error != NULL ? error : "out of memory");
		free(error);
		program_finish(&program);
		return INSPECT_CANNOT;
	}
	if (question->options.output != NULL)
		watched.out = fopen(question->options.output, "ae");
	words_add_all(&arguments, words);
	const struct process_start start = {.program = program.path,
	    .arguments = words_vector(&arguments),
	    .streams = {-1, -1, -1},
	    .may_be_traced = true};
	if (watched.out == NULL) {
		report_error(
		    NULL, "cannot write '%s': %s", question->options.output, strerror(errno));
	} else if (start.arguments == NULL) {
		report_error(NULL, "out of memory");
	} else if ((errno = process_start(watch, &start, &watched.program)) != 0) {
		report_not_run(program.path, errno);
	} else {
		follow(&watched);
		code = WIFSIGNALED(watched.status) ? 128 + WTERMSIG(watched.status)
						   : WEXITSTATUS(watched.status);
	}
	if (watched.out != NULL && watched.out != stderr)
		fclose(watched.out);
	words_finish(&arguments);
	program_finish(&program);
	free(watched.said);
	return code;
}
