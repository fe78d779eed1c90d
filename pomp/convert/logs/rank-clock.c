/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brings the ranks' times to a common clock. Ranks on one machine read the same counter: their
 * times remain unchanged, to the tick. For another machine, the log has comparisons with the
 * reference's clock. In between, clocks drift steadily, and a straight line is the best estimate. A
 * log without comparisons (the program was killed at its start) is aligned by the time of day.
 *
 * A comparison is wrong by half the difference of the two ways of its message. A message of the
 * program may have been quicker than both, and would then seem to arrive before it was sent. To
 * prevent that, the ranks find shifts that keep the order of their messages
 * (convert_order_messages).
 */
#include "rank-clock.h"

#include "shared/clock.h"
#include "shared/precondition.h"
#include "shared/search.h"

#include <stdlib.h>
#include <string.h>

enum { WORSE = 3 };

/*
 * Returns the latest known moment besides the start. A killed program left at best the moment of
 * its last window. But as long as the machine has not been rebooted, its counter continues at the
 * same rate, and the current moment is the best of all.
 */
static struct trace_log_moment latest_moment(const struct convert_input *input)
{
	struct trace_log_moment latest = input->process.end;
	struct pomp_clock clock;

	if (latest.ticks != 0)
		return latest;
	if (input->process.boot != 0 && input->process.boot == pomp_clock_boot() &&
	    pomp_clock_init(&clock, POMP_TIMER_TSC) &&
	    clock.start.ticks > input->process.start.ticks)
		return clock.start;
	for (size_t i = 0; i < input->log_count; i++)
		if (input->logs[i].latest.ticks > latest.ticks)
			latest = input->logs[i].latest;
	return latest;
}

uint64_t convert_ticks_per_second(const struct convert_input *input)
{
	struct trace_log_moment start = input->process.start;
	struct trace_log_moment end = latest_moment(input);
	double rate;

	if (input->process.tick_is_nanosecond || end.ticks <= start.ticks ||
	    end.monotonic <= start.monotonic)
		return 1000000000;
	rate = (double)(end.ticks - start.ticks) * 1e9 / (double)(end.monotonic - start.monotonic);
	/* No machine has such a counter: one of the moments is damaged. */
	if (rate < 1e3 || rate > 1e12)
		return 1000000000;
	return (uint64_t)(rate + 0.5);
}

struct convert_reference convert_reference_of(const struct convert_input *input)
{
	return (struct convert_reference){
	    .start = input->process.start,
	    .boot = input->process.boot,
	    .tick_is_nanosecond = input->process.tick_is_nanosecond,
	    .ticks_per_second = convert_ticks_per_second(input),
	};
}

static int by_local(const void *left, const void *right)
{
	const struct trace_log_sync *one = left, *two = right;

	return one->local < two->local ? -1 : one->local > two->local;
}

/* Points must increase in both clocks; of two that do not, the more exact one is kept. */
static void drop_contradictions(struct convert_clock *clock)
{
	size_t kept = 0;

	for (size_t i = 0; i < clock->count; i++) {
		struct trace_log_sync point = clock->points[i];
		while (kept > 0 && (point.local <= clock->points[kept - 1].local ||
				       point.reference <= clock->points[kept - 1].reference)) {
			if (point.error >= clock->points[kept - 1].error)
				break;
			kept--;
		}
		if (kept == 0 || (point.local > clock->points[kept - 1].local &&
				     point.reference > clock->points[kept - 1].reference))
			clock->points[kept++] = point;
	}
	clock->count = kept;
}

/*
 * A comparison that was interrupted is far less exact than the others, and so would be a line
 * through it. Points with several times the least error are dropped, as long as two remain.
 */
static void drop_inexact(struct convert_clock *clock)
{
	uint64_t least = UINT64_MAX;
	size_t exact = 0, kept = 0;

	for (size_t i = 0; i < clock->count; i++)
		least = clock->points[i].error < least ? clock->points[i].error : least;
	for (size_t i = 0; i < clock->count; i++)
		exact += clock->points[i].error / WORSE <= least;
	if (exact < 2)
		return;
	for (size_t i = 0; i < clock->count; i++)
		if (clock->points[i].error / WORSE <= least)
			clock->points[kept++] = clock->points[i];
	clock->count = kept;
}

static struct trace_log_sync by_time_of_day(
    const struct convert_input *input, const struct convert_reference *reference)
{
	double later = (double)input->process.start.realtime - (double)reference->start.realtime;
	double ticks =
	    later * (double)reference->ticks_per_second / 1e9 + (double)reference->start.ticks;

	return (struct trace_log_sync){
	    .local = input->process.start.ticks, .reference = ticks > 0 ? (uint64_t)ticks : 0};
}

bool convert_clock_init(struct convert_clock *clock, const struct convert_input *input,
    const struct convert_reference *reference)
{
	*clock = (struct convert_clock){0};
	if (input->process.boot == reference->boot &&
	    input->process.tick_is_nanosecond == reference->tick_is_nanosecond)
		return true;
	clock->points = malloc((input->sync_count + 1) * sizeof(*clock->points));
	if (clock->points == NULL)
		return false;
	if (input->sync_count > 0)
		memcpy(clock->points, input->syncs, input->sync_count * sizeof(*clock->points));
	clock->count = input->sync_count;
	qsort(clock->points, clock->count, sizeof(*clock->points), by_local);
	drop_inexact(clock);
	drop_contradictions(clock);
	if (clock->count == 0)
		clock->points[clock->count++] = by_time_of_day(input, reference);
	clock->slope =
	    (double)reference->ticks_per_second / (double)convert_ticks_per_second(input);
	return true;
}

bool convert_clock_shift(struct convert_clock *clock, const int64_t *shift, uint32_t windows,
    uint64_t start, uint64_t window)
{
	CHECK(clock->shift == NULL && window > 0, "the clock has no shifts");
	clock->shift = malloc(((size_t)windows + 1) * sizeof(*shift));
	if (clock->shift == NULL)
		return false;
	memcpy(clock->shift, shift, ((size_t)windows + 1) * sizeof(*shift));
	clock->windows = windows;
	clock->start = start;
	clock->window = window;
	return true;
}

void convert_clock_free(struct convert_clock *clock)
{
	free(clock->points);
	free(clock->shift);
	*clock = (struct convert_clock){0};
}

/* Returns the last point before the time, but never the last of all. */
static size_t find_point(const struct convert_clock *clock, uint64_t ticks)
{
	size_t next;

	SEARCH_BETWEEN(next, 1, clock->count - 1, clock->points[next].local <= ticks);
	return next - 1;
}

static uint64_t shifted(const struct convert_clock *clock, uint64_t time)
{
	if (clock->shift == NULL)
		return time;
	if (time <= clock->start)
		return time + (uint64_t)clock->shift[0];
	uint64_t window = (time - clock->start) / clock->window;
	if (window >= clock->windows)
		return time + (uint64_t)clock->shift[clock->windows];
	const int64_t *shift = &clock->shift[window];
	double part = (double)((time - clock->start) % clock->window) / (double)clock->window;
	return time + (uint64_t)(shift[0] + (int64_t)((double)(shift[1] - shift[0]) * part));
}

static uint64_t laid_on_reference(const struct convert_clock *clock, uint64_t ticks)
{
	if (clock->points == NULL)
		return ticks;
	size_t place = find_point(clock, ticks);
	const struct trace_log_sync *point = &clock->points[place];
	double slope = clock->slope;

	if (clock->count > 1)
		slope = (double)(point[1].reference - point->reference) /
			(double)(point[1].local - point->local);
	double distance = ticks >= point->local ? (double)(ticks - point->local)
						: -(double)(point->local - ticks);
	double moved = distance * slope + (distance >= 0 ? 0.5 : -0.5);
	if (moved < 0 && (double)point->reference + moved < 0)
		return 0;
	return point->reference + (uint64_t)(int64_t)moved;
}

uint64_t convert_clock_time(const struct convert_clock *clock, uint64_t ticks)
{
	return shifted(clock, laid_on_reference(clock, ticks));
}

uint64_t convert_clock_ticks(
    const struct convert_clock *clock, uint64_t time, uint64_t low, uint64_t high)
{
	uint64_t ticks;

	SEARCH_BETWEEN(ticks, low, high, convert_clock_time(clock, ticks) < time);
	return ticks;
}
