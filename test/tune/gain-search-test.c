/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole searches over simulated measurements: with settings that change nothing, thousands of them
 * may not find more false gains than promised, whatever the noise is; and real gains, alone and
 * combined, are found. All seeds are fixed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gain-search.h"

enum { SETTINGS = 20, TRIES = 1000, GAIN_TRIES = 100 };

/* A simulated program and machine. */
struct machine {
	uint64_t random;
	double noise; /* standard deviation of the logarithm, or the scale of heavy tails */
	bool heavy;   /* Cauchy's distribution in the place of the normal one */
	double drift; /* standard deviation of a random walk, a step each measurement */
	double slope; /* each measurement is slower than the one before */
	double walked;
	double gains[SETTINGS]; /* logarithms */
	bool cancel;            /* settings 0 and 1 together are no more than one of them */
	unsigned passing; /* the gains are there in the first `passing` measurements; 0: in all */
	int unusable;     /* a setting, or -1 */
	unsigned measured, most; /* the search ends after `most`; 0: never */
	unsigned affordable;     /* as the search is told; 0: any number */
};

static int failures;

static void expect(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	failures++;
}

static double uniform(struct machine *machine)
{
	machine->random = machine->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return ((double)(machine->random >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct machine *machine)
{
	double radius = sqrt(-2 * log(uniform(machine)));

	return radius * cos(6.283185307179586 * uniform(machine));
}

static enum gain_measured measure(void *context, gain_set set, double *value)
{
	struct machine *machine = context;
	double noise =
	    machine->heavy ? tan(3.141592653589793 * (uniform(machine) - 0.5)) : normal(machine);

	if (machine->most != 0 && machine->measured == machine->most)
		return GAIN_ENDED;
	machine->measured++;
	machine->walked += machine->drift * normal(machine) + machine->slope;
	if (machine->unusable >= 0 && (set >> machine->unusable & 1) != 0)
		return GAIN_EXCLUDED;
	*value = machine->walked + machine->noise * noise;
	for (unsigned i = 0; i < SETTINGS; i++)
		if ((machine->passing == 0 || machine->measured <= machine->passing) &&
		    (set >> i & 1) != 0 && !(machine->cancel && i == 1 && (set & 1) != 0))
			*value -= machine->gains[i];
	return GAIN_MEASURED;
}

static void search(struct machine *machine, uint64_t seed, struct gain_result *result)
{
	/* Settings 4 to 7 exclude each other. */
	static const gain_set excludes[SETTINGS] = {[4] = 0xe0, [5] = 0xd0, [6] = 0xb0, [7] = 0x70};
	const struct gain_subject subject = {.setting_count = SETTINGS,
	    .excludes = excludes,
	    .least = log(1.03),
	    .affordable = machine->affordable,
	    .seed = seed,
	    .measure = measure,
	    .context = machine};

	machine->random = seed * 77 + 1;
	machine->walked = 0;
	machine->measured = 0;
	gain_search(&subject, result);
}

/* How many searches claim a gain though no setting changes anything. */
static unsigned count_false_gains(struct machine machine)
{
	static struct gain_result result;
	unsigned found = 0;

	machine.unusable = -1;
	for (unsigned i = 0; i < TRIES; i++) {
		search(&machine, i + 1, &result);
		found += result.best != 0;
	}
	return found;
}

static void no_more_false_gains_than_promised(void)
{
	static const struct {
		const char *what;
		struct machine machine;
	} cases[] = {
	    {"quiet", {.noise = 0.002}},
	    {"busy", {.noise = 0.1}},
	    {"very busy", {.noise = 0.5}},
	    {"heavy tails", {.noise = 0.05, .heavy = true}},
	    {"a drift at random", {.noise = 0.02, .drift = 0.05}},
	    {"ever slower", {.noise = 0.02, .slope = 0.01}},
	    {"heavy tails that drift",
		{.noise = 0.05, .heavy = true, .drift = 0.05, .slope = -0.01}},
	};
	/* More than three standard deviations above what is promised would be no accident. */
	double promised = GAIN_FALSE * TRIES, most = promised + 3 * sqrt(promised);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned found = count_false_gains(cases[i].machine);
		printf("%s: %u false gains in %d searches\n", cases[i].what, found, TRIES);
		expect(found <= most, cases[i].what);
	}
}

static struct machine with_gains(double noise)
{
	return (struct machine){.noise = noise,
	    .unusable = 9,
	    .gains = {[2] = 0.2, [5] = 0.3, [6] = 0.35, [9] = 1, [12] = 0.1, [15] = -0.5}};
}

static void gains_are_found_and_combined(void)
{
	static struct gain_result result;
	unsigned found = 0;

	for (unsigned i = 0; i < GAIN_TRIES; i++) {
		struct machine machine = with_gains(0.02);
		search(&machine, i + 1, &result);
		found += result.best == (1u << 2 | 1u << 6 | 1u << 12) && result.has_whole;
		expect(result.trials[9].state == GAIN_UNUSABLE, "a setting is unusable");
	}
	printf("the best combination was found in %u of %d searches\n", found, GAIN_TRIES);
	expect(found >= GAIN_TRIES * 9 / 10, "the best combination is found");
}

static void intervals_have_the_gain(void)
{
	static struct gain_result result;
	unsigned inside = 0;

	for (unsigned i = 0; i < GAIN_TRIES; i++) {
		struct machine machine = with_gains(0.03);
		search(&machine, i + 1, &result);
		const struct gain_trial *trial = &result.trials[2];
		inside += trial->state == GAIN_JUDGED && trial->judgement.low <= 0.2 &&
			  trial->judgement.high >= 0.2;
		expect(trial->differences[0] != trial->screened[0], "new pairs are judged");
	}
	expect(inside >= GAIN_TRIES * 95 / 100, "the interval has the true gain");
}

static void what_adds_nothing_is_left_out(void)
{
	static struct gain_result result;
	struct machine machine = {
	    .noise = 0.005, .unusable = -1, .gains = {0.2, 0.2}, .cancel = true};

	search(&machine, 3, &result);
	expect(result.best == 1 || result.best == 2, "one of two settings with the same effect");
	expect(result.has_whole && result.trials[result.best_one].set == result.best,
	    "its own comparison is that of the best");
}

/* A setting seems to be a gain as long as the machine is in another state. */
static void what_passes_is_no_gain(void)
{
	static struct gain_result result;
	struct machine machine = {.noise = 0.005, .unusable = -1, .gains = {[3] = 0.2}};

	search(&machine, 6, &result);
	expect(result.best == 1u << 3 && result.confirmed, "a gain that stays is confirmed");
	const struct gain_trial *last = &result.trials[result.trial_count - 1];
	expect(last->again && result.best_one == result.trial_count - 1, "by another comparison");
	machine.passing = machine.measured - 2 * (unsigned)last->count;
	search(&machine, 6, &result);
	expect(result.trials[3].judgement.verdict == GAIN_SURE, "it was sure");
	expect(result.best == 0 && !result.has_whole, "and is none once more");
}

static void small_gains_do_not_count(void)
{
	static struct gain_result result;
	struct machine machine = {.noise = 0.002, .unusable = -1, .gains = {[3] = 0.015}};

	search(&machine, 4, &result);
	expect(result.best == 0, "a gain of 1.5 % is below 3 %");
}

static void an_end_keeps_what_is_sure(void)
{
	static struct gain_result result;
	struct machine machine = with_gains(0.01);
	bool has_best = false;

	search(&machine, 5, &result);
	unsigned all = machine.measured;
	for (machine.most = 1; machine.most < all; machine.most++) {
		search(&machine, 5, &result);
		expect(result.ended, "the search knows that it ended early");
		expect(result.best != 0 || !has_best, "what was sure stays sure");
		expect((result.best & ~(gain_set)(1u << 2 | 1u << 6 | 1u << 12)) == 0,
		    "nothing else becomes the best");
		has_best |= result.best != 0;
		expect(!result.has_whole || result.trials[result.best_one].set == result.best,
		    "the whole is the best, not a part of it");
	}
	expect(has_best, "there is a best before the end");
}

/* Less is tried, so that the best can become sure. */
static void few_measurements_are_used_well(void)
{
	static struct gain_result result;
	unsigned found = 0;

	for (unsigned i = 0; i < GAIN_TRIES; i++) {
		struct machine machine = {.noise = 0.01,
		    .unusable = -1,
		    .gains = {[3] = 0.1, [5] = 0.2, [11] = 0.3},
		    .affordable = 60,
		    .most = 60};
		search(&machine, i + 1, &result);
		found += result.best == 1u << 11;
	}
	printf("with 60 measurements the best was found in %u of %d searches\n", found, GAIN_TRIES);
	expect(found >= GAIN_TRIES * 9 / 10, "the best is found with few measurements");
}

static void looks_are_few_and_fit(void)
{
	const struct gain_rule strictest = {0.03, GAIN_FALSE / 2 / (GAIN_COMBINED_MOST + 1)};
	size_t count = 0, looks = 0, next;

	while ((next = gain_next_count(&strictest, count)) != 0) {
		expect(next > count, "each look is later");
		count = next;
		looks++;
	}
	expect(looks == GAIN_LOOKS + 1, "one early look and those for a gain");
	expect(count <= GAIN_PAIRS_MOST, "all pairs have room");
}

/* Differences from `least` on, each a little larger. */
static struct gain_judgement judge(double least, size_t count)
{
	const struct gain_rule rule = {0.03, 0.005};
	double differences[GAIN_PAIRS_MOST];

	for (size_t i = 0; i < count; i++)
		differences[i] = least + 1e-5 * (double)i;
	return gain_judge(&rule, differences, count);
}

static void verdicts_follow_the_differences(void)
{
	const struct gain_rule rule = {0.03, 0.005};
	size_t early = gain_next_count(&rule, 0), look = gain_next_count(&rule, early);

	expect(look == 10, "at 10 pairs 2 to the power of -10 is below a quarter of 0.005");
	expect(judge(0.04, early).verdict == GAIN_OPEN, "no gain before the first look");
	expect(judge(0.04, look).verdict == GAIN_SURE, "a gain at the first look");
	expect(judge(0.02, early).verdict == GAIN_SMALL, "a small gain, before the first look");
	expect(judge(0.02, look).verdict == GAIN_SMALL, "a small gain, however sure");
	expect(judge(-0.1, look).high < 0, "what is worse has an interval below 0");
	expect(judge(0.04, look).low == 0.04, "the interval begins at the least difference");
}

int main(void)
{
	verdicts_follow_the_differences();
	looks_are_few_and_fit();
	no_more_false_gains_than_promised();
	gains_are_found_and_combined();
	intervals_have_the_gain();
	what_adds_nothing_is_left_out();
	what_passes_is_no_gain();
	small_gains_do_not_count();
	an_end_keeps_what_is_sure();
	few_measurements_are_used_well();
	return failures != 0;
}
