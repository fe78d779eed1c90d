/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Laws that are known are found from their points; of noisy ones the interval has another run's
 * time about as often as it says; and where the points cannot tell, the law does not.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "scaling-law.h"

static int failures;

static void expect(bool held, const char *what, int line)
{
	if (held)
		return;
	fprintf(stderr, "scaling-law-test.c:%d: %s: expected true, found false\n", line, what);
	failures++;
}

#define EXPECT(condition) expect((condition), #condition, __LINE__)

static bool is_near(double found, double wanted)
{
	return fabs(found - wanted) <= 1e-6 * (1 + fabs(wanted));
}

static double law_of(double serial, double work, double contention, double threads)
{
	return serial + work / threads + contention * (threads - 1);
}

enum { RUNS = 12 };

static const double threads_of_run[RUNS] = {1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8};

static void test_exact(double serial, double work, double contention)
{
	struct scaling_point points[RUNS];
	struct scaling_law law;
	double time, low, high;

	for (int i = 0; i < RUNS; i++)
		points[i] = (struct scaling_point){
		    threads_of_run[i], law_of(serial, work, contention, threads_of_run[i])};
	law = scaling_law_fit(points, RUNS);
	EXPECT(law.is_known && is_near(law.serial, serial) && is_near(law.work, work) &&
	       is_near(law.contention, contention));
	EXPECT(scaling_law_predict(&law, 64, &time, &low, &high));
	EXPECT(is_near(time, law_of(serial, work, contention, 64)) && low <= time && high >= time);
	EXPECT(high - low < 1e-3 * time);
}

static uint64_t state = 1;

/* About a normal distribution with a deviation of 1. */
static double draw(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(state >> 11) / 9007199254740992.0;
	}
	return sum;
}

/*
 * How often, of 1,000 series, the interval for 16 threads has the time of another run, where the
 * law tells it.
 */
static void test_noisy(double serial, double work, double contention, double noise, int least_told)
{
	enum { SERIES = 1000 };
	int inside = 0, told = 0;

	for (int series = 0; series < SERIES; series++) {
		struct scaling_point points[RUNS];
		double time, low, high, other;
		struct scaling_law law;

		for (int i = 0; i < RUNS; i++)
			points[i] = (struct scaling_point){
			    threads_of_run[i], law_of(serial, work, contention, threads_of_run[i]) *
						   (1 + noise * draw())};
		law = scaling_law_fit(points, RUNS);
		other = law_of(serial, work, contention, 16) * (1 + noise * draw());
		if (!scaling_law_predict(&law, 16, &time, &low, &high))
			continue;
		told++;
		inside += low <= other && other <= high;
	}
	EXPECT(told >= least_told);
	EXPECT(inside >= told * 92 / 100);
}

static void test_unknown(void)
{
	static const struct scaling_point two[] = {{1, 10}, {1, 11}, {2, 6}, {2, 6.1}};
	static const struct scaling_point three[] = {{1, 10}, {2, 6}, {4, 4}};
	static const struct scaling_point wild[] = {{1, 10}, {2, 30}, {3, 5}, {4, 25}, {4, 2}};
	struct scaling_law law = scaling_law_fit(two, 4);
	double time, low, high;

	EXPECT(!law.is_known && !scaling_law_predict(&law, 4, &time, &low, &high));
	law = scaling_law_fit(three, 3);
	EXPECT(
	    law.is_known && law.freedom == 0 && !scaling_law_predict(&law, 8, &time, &low, &high));
	EXPECT(is_near(time, law_of(law.serial, law.work, law.contention, 8)));
	law = scaling_law_fit(wild, 5);
	EXPECT(law.is_known && !scaling_law_predict(&law, 16, &time, &low, &high));
	EXPECT(law.serial >= 0 && law.work >= 0 && law.contention >= 0);
}

int main(void)
{
	test_exact(1, 100, 0);
	test_exact(0, 100, 0);
	test_exact(5, 0, 0);
	test_exact(1e9, 7e9, 3e6);
	test_exact(2, 50, 0.25);
	test_noisy(2, 100, 0, 0.02, 900);
	test_noisy(2, 100, 0.3, 0.02, 900);
	/* Without a serial part a small one that hides in the noise would be most of the time. */
	test_noisy(0, 100, 0, 0.03, 200);
	test_unknown();
	return failures != 0;
}
