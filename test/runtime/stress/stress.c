/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random regions on the runtime until the time is over, every result checked.
 *
 *   stress [--seed N] [--seconds S] [--rounds R] [--threads T] [--storm 1]
 *
 * --storm 1: all steps are storms of tasks (storm.c), in one region at a time.
 *
 * The suite runs it for a second (stress.sh). The long form, by hand before a release, for each of
 * several thread counts (fewer than, as many as and far more than processors) and wait policies:
 *
 *   RUNTIME_UNDER_TEST=build/runtime/libgomp.so.1 LD_LIBRARY_PATH=build/runtime \
 *       build/test/runtime/stress/stress --seconds 600 --threads 8 --seed $(date +%s)
 *
 * and the same with test/runtime/stress/libgomp.so.1 of the build folder and RUNTIME_DELAYS=SEED,
 * which is the runtime with delays inside (delays.c).
 *
 * Round r runs with seed N + r. A failure, also a hang (no round ends within a minute), prints the
 * round's seed: `--seed` with it and `--rounds 1` draws the same regions again, though not the same
 * interleaving.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "stress.h"

#define HANG_SECONDS 60
#define MOST_MASTERS 3

struct options {
	unsigned long seed;
	unsigned long seconds;
	unsigned long rounds;
	unsigned long threads;
	unsigned long storm;
};

static volatile unsigned long current_seed; /* for the handler */

uint64_t next_random(struct random *random)
{
	/* splitmix64: any two seeds give unrelated sequences */
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

unsigned below(struct random *random, unsigned bound)
{
	return (unsigned)((next_random(random) >> 32) * bound >> 32);
}

void delay(struct step *step)
{
	unsigned kind = below(step->own, 128);

	if (kind == 0)
		usleep(below(step->own, 100));
	else if (kind < 6)
		sched_yield();
	else if (kind < 40)
		dawdle((int)below(step->own, 300));
}

static uint64_t mark_of(const struct step *step, unsigned piece)
{
	struct random hash = {(uint64_t)step->number << 32 | piece};

	return next_random(&hash);
}

void mark(struct step *step, unsigned piece)
{
	__atomic_fetch_add(&step->region->done, mark_of(step, piece), __ATOMIC_RELAXED);
}

void expect(struct step *step, unsigned pieces)
{
	if (step->thread != 0)
		return;
	for (unsigned piece = 0; piece < pieces; piece++)
		step->region->expected += mark_of(step, piece);
}

static step_function *const steps[] = {loop_step, loop_step, ordered_step, doacross_step,
    sections_step, reduction_step, cancelled_loop_step, single_step, critical_step, lock_step,
    barrier_step, atomic_step, masked_step, nested_step, cancelled_region_step, tasks_step,
    depend_step, taskgroup_step, taskloop_step, cancelled_group_step, detach_step, storm_step};
static bool only_storms;

static void run_steps(struct region *region)
{
	struct random common = {region->seed};
	struct random own = {region->seed ^ (uint64_t)(omp_get_thread_num() + 1) << 40};
	struct step step = {.region = region,
	    .thread = omp_get_thread_num(),
	    .team = omp_get_num_threads(),
	    .common = &common,
	    .own = &own};

	for (int number = 0; number < STEPS; number++) {
		step.number = number;
		step.slot = &region->slots[number];
		if (only_storms)
			storm_step(&step);
		else
			steps[below(&common, sizeof(steps) / sizeof(steps[0]))](&step);
	}
}

void run_region(uint64_t seed, int size, int depth)
{
	struct region *region = calloc(1, sizeof(*region));
	int members = 0;
	int team = 0;

	if (!CHECK(region != NULL))
		return;
	region->seed = seed;
	region->size = size;
	region->depth = depth;
	omp_init_lock(&region->lock);
	omp_init_nest_lock(&region->nest_lock);
#pragma omp parallel num_threads(size) reduction(+ : members)
	{
		members++;
#pragma omp master
		team = omp_get_num_threads();
		run_steps(region);
	}
	CHECK_EQUAL(members, team);
	CHECK(team >= 1 && team <= size);
	if (!CHECK_EQUAL(region->done, region->expected))
		fprintf(stderr, "region with seed %llu, %d threads, depth %d\n",
		    (unsigned long long)seed, team, depth);
	omp_destroy_nest_lock(&region->nest_lock);
	omp_destroy_lock(&region->lock);
	free(region);
}

struct master {
	uint64_t seed;
	int size;
};

static void *run_master(void *argument)
{
	struct master *master = argument;

	omp_set_dynamic(0);
	omp_set_max_active_levels(DEEPEST + 2);
	run_region(master->seed, master->size, 0);
	return NULL;
}

/* One region of the main thread, with other masters' regions beside it every fourth time. */
static void run_round(uint64_t seed, unsigned threads)
{
	struct random random = {seed};
	struct master masters[MOST_MASTERS];
	pthread_t others[MOST_MASTERS];
	unsigned started = 0;
	unsigned wanted =
	    !only_storms && below(&random, 4) == 0 ? 1 + below(&random, MOST_MASTERS) : 0;

	for (unsigned i = 0; i < wanted; i++) {
		masters[i].seed = next_random(&random);
		masters[i].size = 1 + (int)below(&random, threads);
		if (pthread_create(&others[started], NULL, run_master, &masters[i]) == 0)
			started++;
	}
	run_region(next_random(&random), 1 + (int)below(&random, threads), 0);
	for (unsigned i = 0; i < started; i++)
		pthread_join(others[i], NULL);
}

static void report_hang(int signal_number)
{
	char text[100];
	int length = snprintf(
	    text, sizeof(text), "stress: no end of the round with --seed %lu\n", current_seed);

	(void)signal_number;
	if (write(STDERR_FILENO, text, (size_t)length) != length)
		_exit(3);
	abort(); /* leaves a core to look into, where the system keeps them */
}

static bool read_options(int argc, char **arguments, struct options *options)
{
	const struct {
		const char *name;
		unsigned long *value;
	} known[] = {{"--seed", &options->seed}, {"--seconds", &options->seconds},
	    {"--rounds", &options->rounds}, {"--threads", &options->threads},
	    {"--storm", &options->storm}};

	for (int i = 1; i < argc; i += 2) {
		bool found = false;

		for (unsigned k = 0; k < sizeof(known) / sizeof(known[0]) && i + 1 < argc; k++) {
			char *end;

			if (strcmp(arguments[i], known[k].name) != 0)
				continue;
			errno = 0;
			*known[k].value = strtoul(arguments[i + 1], &end, 10);
			found = errno == 0 && *end == '\0' && end != arguments[i + 1];
		}
		if (!found) {
			fprintf(stderr,
			    "stress: '%s': expected --seed, --seconds, --rounds, --threads or "
			    "--storm and a number\n",
			    arguments[i]);
			return false;
		}
	}
	return options->threads > 0 && options->threads <= MOST_THREADS;
}

int main(int argc, char **arguments)
{
	struct options options = {.seed = 1, .seconds = 10, .rounds = ULONG_MAX, .threads = 4};
	unsigned long round = 0;
	double end;

	setenv("OMP_MAX_TASK_PRIORITY", "8", 1);
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	if (!read_options(argc, arguments, &options)) {
		fprintf(stderr,
		    "usage: stress [--seed N] [--seconds S] [--rounds R] "
		    "[--threads 1..%d] [--storm 1]\n",
		    MOST_THREADS);
		return 2;
	}
	only_storms = options.storm != 0;
	signal(SIGALRM, report_hang);
	omp_set_dynamic(0);
	omp_set_max_active_levels(DEEPEST + 2);
	end = check_clock() + (double)options.seconds;
	for (; round < options.rounds && check_clock() < end && !check_failures; round++) {
		current_seed = options.seed + round;
		check_alarm(HANG_SECONDS);
		run_round(current_seed, (unsigned)options.threads);
	}
	alarm(0);
	if (check_failures)
		fprintf(stderr, "stress: failed: --seed %lu --rounds 1 --threads %lu%s\n",
		    current_seed, options.threads, only_storms ? " --storm 1" : "");
	else
		printf("%lu rounds from seed %lu with up to %lu threads\n", round, options.seed,
		    options.threads);
	return check_result();
}
