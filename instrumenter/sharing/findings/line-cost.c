/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread waits at an access depends on how far apart its accesses are: a processor that has
 * a line makes several at once, and reads what it has just written without the line. How far apart
 * they are without noting follows from the number of accesses that the thread makes meanwhile, and,
 * where that is more, from the time between them in the run, less what noting took and what the
 * threads waited there. In loops that do little else that time is mostly of noting; so the estimate
 * can be wrong by a multiple.
 */
#include "line-cost.h"

const double line_shortest_access = 0.3e-9;

static void add_use(struct line_uses *uses, enum sharing_use use, uint64_t count, double of)
{
	if (count == 0)
		return;
	uses->count[use] += (double)count;
	uses->of[use] += of;
}

void line_uses_add(struct line_uses *uses, const struct sharing_reports *reports,
    const struct sharing_line *line, uint64_t transfers)
{
	for (size_t i = 0; i < line->count; i++) {
		const struct sharing_share *share = &line->shares[i];
		const double all = (double)(share->reads + share->writes);
		uses->accesses += all;
		add_use(uses, SHARING_UPDATES, share->reads - share->seldom, all);
		add_use(uses, SHARING_READS, share->seldom, all);
		add_use(uses, SHARING_ATOMICS, share->atomics, all);
	}
	uses->transfers += (double)transfers;
	uses->lines++;
	if (line->calls > 0 && line->ticks > 0) {
		uses->rate += (double)line->timed / (double)line->calls;
		uses->speed += (double)line->timed * reports->ticks / (double)line->ticks;
	}
}

/* The mean of all accesses, if those of one thread to the lines are so far apart. */
static double price(const struct line_uses *uses, const struct sharing_costs *costs, double apart)
{
	double sum = 0;

	for (int i = 0; i < SHARING_USES; i++) {
		enum sharing_use use = (enum sharing_use)i;
		if (uses->count[i] == 0)
			continue;
		if (use == SHARING_UPDATES && uses->lines > 1)
			use = SHARING_WALKS;
		sum += uses->count[i] *
		       costs->cost(costs->context, use, apart * uses->of[i] / uses->count[i]);
	}
	return uses->accesses > 0 ? sum / uses->accesses : 0;
}

/* Seconds between a thread's accesses to the lines, as they would be without noting. */
static double apart_of(const struct line_uses *uses, const struct sharing_reports *reports,
    const struct sharing_costs *costs)
{
	const double calls = uses->rate > 0 && uses->rate < 1 ? 1 / uses->rate : 1;
	const double least = calls * line_shortest_access;
	const double observed = uses->speed > 0 ? 1 / uses->speed : 0;
	/* With noting in between, a read and the write that follows both wait. */
	const double waited = 2 * price(uses, costs, observed);
	const double rest = observed - waited - reports->recorded - (calls - 1) * reports->call;

	return rest > least ? rest : least;
}

double line_uses_cost(const struct line_uses *uses, const struct sharing_reports *reports,
    const struct sharing_costs *costs)
{
	if (costs->fixed > 0)
		return costs->fixed * uses->transfers;
	return uses->transfers * price(uses, costs, apart_of(uses, reports, costs));
}

double line_uses_most(const struct line_uses *uses, const struct sharing_costs *costs)
{
	return uses->transfers *
	       (costs->fixed > 0 ? costs->fixed : costs->cost(costs->context, SHARING_ATOMICS, 0));
}
