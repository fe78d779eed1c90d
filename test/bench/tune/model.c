/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs for search.py --model, which do not compute but print the time that a simple model gives
 * for the environment: that of the kernels with the same names, on two processors. A schedule's
 * time is that of its slowest thread; what chunks, regions, tasks, locks and mapped memory cost are
 * constants. The variable MODEL_NOISE adds noise: 0 none, 1 of a quiet machine, 2 of one with a
 * neighbour.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { COUNT = 512, THREADS = 2 };

/* Microseconds. */
static const double chunk_cost = 0.15, region_cost = 3, task_cost = 0.12, start_cost = 2000;

enum shape { EVEN, TRIANGLE, HEAVY, BIMODAL, CLUSTERS, GROWING, CRUMBS, SHARING };

struct loop {
	enum shape shape;
	const char *name;
	const char *written; /* the schedule */
	double repeat;
};

/* The loops as libpomp would find them, for `ompinst tune`. */
#define LISTED(text)                                                                               \
	__attribute__((section("ompinst_loops"), used)) static const char listed[] = text;
#define ONE(shape, written)                                                                        \
	LISTED("model.c:1=" written)                                                               \
	static const struct loop loops[] = {{shape, "model.c:1=", written, 1}};

#if defined(triangle)
ONE(TRIANGLE, "static")
#elif defined(heavy)
ONE(HEAVY, "static")
#elif defined(bimodal)
ONE(BIMODAL, "static")
#elif defined(clusters)
ONE(CLUSTERS, "dynamic,128")
#elif defined(growing)
ONE(GROWING, "static,64")
#elif defined(crumbs)
ONE(CRUMBS, "dynamic")
#elif defined(sharing)
ONE(SHARING, "static,1")
#elif defined(two)
LISTED("model.c:1=static\0model.c:2=dynamic")
static const struct loop loops[] = {
    {TRIANGLE, "model.c:1=", "static", 1}, {CRUMBS, "model.c:2=", "dynamic", 0.5}};
#elif defined(regions) || defined(nested) || defined(contended) || defined(even) || defined(stream)
ONE(EVEN, "static")
#elif defined(balanced)
ONE(EVEN, "dynamic,4")
#else
static const struct loop loops[] = {{EVEN, "", "", 0}};
#endif

#ifdef churn
#define CHURN 20000.0
#else
#define CHURN 0.0
#endif
#if defined(regions) || defined(nested)
#define REGIONS 10000.0
#else
#define REGIONS 10.0
#endif
#ifdef tasks
#define TASKS 200000.0
#else
#define TASKS 0.0
#endif
#ifdef contended
#define LOCKED 200000.0
#else
#define LOCKED 0.0
#endif

static double cost_of(enum shape shape, int i)
{
	switch (shape) {
	case TRIANGLE:
		return 0.4 * i;
	case HEAVY:
		return i == COUNT / 3 ? 20000 : 90;
	case BIMODAL:
		return i < COUNT / 2 ? 240 : 20;
	case CLUSTERS:
		return i >= 200 && i < 320 ? 500 : 4;
	case GROWING:
		return 0.9 * (i / 32) * (i / 32);
	case CRUMBS:
		return 0.05;
	case SHARING:
		return 10;
	case EVEN:
		break;
	}
	return 100;
}

/* Microseconds of a loop whose iterations are handed out as the schedule says. */
static double time_of(const struct loop *loop, const char *schedule, int threads)
{
	double busy[THREADS] = {0}, most = 0;
	const char *comma = strchr(schedule, ',');
	int chunk = comma != NULL ? atoi(comma + 1) : 0, repeats = loop->shape == CRUMBS ? 400 : 1;
	int is_static = schedule[0] == 's', is_guided = schedule[0] == 'g';
	double factor = loop->shape == SHARING && threads > 1 && chunk == 1 ? 6 : 1;

	for (int at = 0, number = 0; at < COUNT; number++) {
		int size = chunk > 0   ? chunk
			   : is_static ? COUNT / threads
			   : is_guided ? (COUNT - at + 2 * threads - 1) / (2 * threads)
				       : 1;
		int next = is_static                      ? number % threads
			   : busy[0] <= busy[threads - 1] ? 0
							  : threads - 1;
		busy[next] += is_static ? 0 : chunk_cost * threads;
		for (int i = at; i < at + size && i < COUNT; i++)
			busy[next] += factor * cost_of(loop->shape, i);
		at += size;
	}
	for (int i = 0; i < threads; i++)
		most = fmax(most, busy[i]);
	return loop->repeat * repeats * most;
}

/* The schedule that the environment has for the loop. */
static void find_schedule(const struct loop *loop, char schedule[32])
{
	const char *setting = getenv("POMP_LOOP_SCHEDULES");
	const char *found =
	    setting != NULL && loop->name[0] != '\0' ? strstr(setting, loop->name) : NULL;

	snprintf(schedule, 32, "%s", loop->written);
	if (found != NULL)
		snprintf(schedule, 32, "%.*s", (int)strcspn(found + strlen(loop->name), ";"),
		    found + strlen(loop->name));
}

static double uniform(void)
{
	unsigned value = 0;

	return getrandom(&value, sizeof value, 0) == sizeof value ? (value + 0.5) / 4294967296.0
								  : 0.5;
}

/* How many times longer a run takes by chance. */
static double noise(void)
{
	const char *kind = getenv("MODEL_NOISE");
	int level = kind != NULL ? atoi(kind) : 0;
	double normal = sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (level == 0)
		return 1;
	if (level == 1)
		return exp(0.01 * normal) * (uniform() < 0.03 ? 1 + 0.3 * uniform() : 1);
	/* The neighbour comes and goes, and the machine gets slower and faster. */
	return exp(0.03 * normal) * (uniform() < 0.4 ? 1 + uniform() : 1) *
	       (1 + 0.05 * sin((double)now.tv_sec + 1e-9 * (double)now.tv_nsec));
}

static int holds(const char *name, const char *value)
{
	const char *found = getenv(name);

	return found != NULL && strcmp(found, value) == 0;
}

int main(void)
{
	int threads = holds("OMP_NUM_THREADS", "1") ? 1 : THREADS;
	double wait = holds("OMP_WAIT_POLICY", "active")    ? 0.8
		      : holds("OMP_WAIT_POLICY", "passive") ? 3
							    : 1;
	double time = start_cost + (threads > 1 ? REGIONS * region_cost * wait : REGIONS * 0.2) +
		      TASKS * task_cost * (threads > 1 ? 2.5 : 0.5) +
		      LOCKED * 0.05 * (threads > 1 ? 3 : 1);

	for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
		char schedule[32];
		find_schedule(&loops[i], schedule);
		double factor = REGIONS > 10 || LOCKED > 0 ? 0.1 : 1;
		if (loops[i].repeat > 0)
			time += factor * time_of(&loops[i], schedule, threads);
	}
	if (getenv("MALLOC_MMAP_THRESHOLD_") == NULL && getenv("MALLOC_MMAP_MAX_") == NULL)
		time += CHURN;
	else if (getenv("MALLOC_TRIM_THRESHOLD_") == NULL)
		time += CHURN / 2;
	printf("time: %.9f\n", 1e-6 * time * noise());
	return 0;
}
