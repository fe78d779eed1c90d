/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses and calibrates the clock. The counter is suitable if the processor declares it invariant:
 * it ticks at one rate in every power state, and the kernel synchronises it across cores. If a
 * hypervisor hides the flag, CLOCK_MONOTONIC is used, which costs three times as much per event.
 */
#include "constant-counter.h"
#include "shared/clock.h"
#include "shared/read-text.h"
#include "shared/text-hash.h"

struct trace_log_moment pomp_clock_moment(const struct pomp_clock *clock)
{
	struct trace_log_moment best = {0};
	uint64_t narrowest = UINT64_MAX;

	/*
	 * A moment is as exact as its bracket is narrow; an interrupt spoils only one of the
	 * attempts.
	 */
	for (int attempt = 0; attempt < 8; attempt++) {
		uint64_t before = pomp_clock_ticks(clock);
		uint64_t monotonic = pomp_clock_monotonic();
		uint64_t after = pomp_clock_ticks(clock);
		if (after - before >= narrowest)
			continue;
		narrowest = after - before;
		best.ticks = clock->counter ? before + narrowest / 2 : monotonic;
		best.monotonic = monotonic;
	}
	struct timespec real;
	clock_gettime(CLOCK_REALTIME, &real);
	uint64_t since = pomp_clock_monotonic() - best.monotonic;
	best.realtime = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec - since;
	return best;
}

bool pomp_clock_init(struct pomp_clock *clock, enum pomp_timer timer)
{
	bool fit = pomp_counter_is_invariant();

	clock->counter = fit && timer != POMP_TIMER_MONOTONIC;
	clock->start = pomp_clock_moment(clock);
	clock->end = clock->start;
	return fit || timer != POMP_TIMER_TSC;
}

uint64_t pomp_clock_boot(void)
{
	char text[64];
	uint64_t boot = 0;

	read_text("/proc/sys/kernel/random/boot_id", text, sizeof(text));
	for (const char *byte = text; *byte != '\0'; byte++)
		boot = text_hash_byte(boot, (unsigned char)*byte);
	return boot;
}

double pomp_clock_tick(const struct pomp_clock *clock)
{
	uint64_t ticks = clock->end.ticks - clock->start.ticks;

	if (!clock->counter || ticks == 0)
		return 1;
	return (double)(clock->end.monotonic - clock->start.monotonic) / (double)ticks;
}

double pomp_clock_measure_tick(const struct pomp_clock *clock)
{
	struct pomp_clock brief = *clock;

	brief.start = pomp_clock_moment(clock);
	nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	brief.end = pomp_clock_moment(clock);
	return pomp_clock_tick(&brief);
}
