/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shifts that put machines' messages in order: shift MACHINES. Clocks that are wrong by a
 * little, each in its own way, and changing slowly, send each other quick messages; afterwards none
 * may be early. Clocks that contradict each other must be reported.
 */
#include "clock-shift.h"
#include "check.h"

#include <math.h>

enum { WINDOWS = 256, WINDOW = 1000000, MESSAGES = 20000, LATENCY = 1000, STEEPEST = WINDOW / 8 };

/* What the machine's clock, laid on that of machine 0, shows too much: up to 20 us. */
static double wrong_by(uint32_t machine, double time)
{
	return machine == 0 ? 0
			    : 20000 * sin(time / (WINDOW * (80.0 + machine % 7)) + machine * 1.7);
}

static double shifted(const int64_t *shift, double time)
{
	size_t window = (size_t)(time / WINDOW);
	double part = time / WINDOW - (double)window;

	return time + (double)shift[window] * (1 - part) + (double)shift[window + 1] * part;
}

static struct convert_bound bound(uint32_t from, uint32_t to, double sent, double received)
{
	return (struct convert_bound){.from = from,
	    .to = to,
	    .sent = (uint32_t)(sent / WINDOW),
	    .received = (uint32_t)(received / WINDOW),
	    .ticks = (int64_t)ceil(sent - received) + 1};
}

static void check_order(uint32_t machines)
{
	size_t places = WINDOWS + 1;
	int64_t *shift = calloc(machines * places, sizeof(*shift));
	struct convert_bound *bounds = calloc(MESSAGES, sizeof(*bounds));
	double(*times)[2] = calloc(MESSAGES, sizeof(*times));
	uint64_t random = 12345, early = 0;

	EXPECT(shift != NULL && bounds != NULL && times != NULL);
	for (int i = 0; i < MESSAGES; i++) {
		double moment = (double)WINDOW + (WINDOWS - 2.0) * WINDOW * i / MESSAGES;
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		uint32_t from = (uint32_t)(random >> 33) % machines;
		uint32_t to = (from + 1 + (uint32_t)(random >> 50) % (machines - 1)) % machines;
		times[i][0] = moment + wrong_by(from, moment);
		times[i][1] = moment + LATENCY + (double)(random >> 60) * 500 +
			      wrong_by(to, moment + LATENCY);
		early += times[i][1] < times[i][0];
		bounds[i] = bound(from, to, times[i][0], times[i][1]);
	}
	EXPECT(early > MESSAGES / 20);
	EXPECT(convert_solve_shifts(bounds, MESSAGES, machines, WINDOWS, STEEPEST, shift));
	for (int i = 0; i < MESSAGES; i++)
		EXPECT(shifted(shift + bounds[i].to * places, times[i][1]) >=
		       shifted(shift + bounds[i].from * places, times[i][0]));
	for (size_t i = 0; i + 1 < machines * places; i++)
		EXPECT(i % places == WINDOWS || llabs(shift[i + 1] - shift[i]) <= STEEPEST);
	printf("%u machines: %llu of %d messages were early, none is\n", machines,
	    (unsigned long long)early, MESSAGES);
	free(shift);
	free(bounds);
	free(times);
}

int main(int count, char **arguments)
{
	int64_t shift[2 * (WINDOWS + 1)] = {0};
	const struct convert_bound contradiction[] = {
	    {.from = 0, .to = 1, .sent = 3, .received = 3, .ticks = 500},
	    {.from = 1, .to = 0, .sent = 3, .received = 3, .ticks = -499},
	};

	check_order(count > 1 ? (uint32_t)atoi(arguments[1]) : 2);
	EXPECT(!convert_solve_shifts(contradiction, 2, 2, WINDOWS, STEEPEST, shift));
	return 0;
}
