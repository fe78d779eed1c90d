/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the profile at the begin of the interval, and subtracts it from the one at its end. */
#include "measured-interval.h"

#include "common/summary-interval.h"

#include <stdlib.h>

#define NAME_SECONDS 0.5 /* a view that stands still helps nobody */

static void forget_profile(struct measured_interval *interval)
{
	if (interval->is_known)
		interval->library->functions->release(&interval->profile);
	interval->is_known = false;
}

static void forget_begin(struct measured_interval *interval)
{
	free(interval->begin);
	interval->begin = NULL;
}

/* False: what was kept cannot be used. */
static bool subtract_begin(struct measured_interval *interval, char **next, size_t *size)
{
	const struct live_profile_functions *functions = interval->library->functions;
	struct summary *now = &interval->profile.summary, begin;
	bool is_begin = interval->begin != NULL &&
			functions->unpack(&begin, interval->begin, interval->begin_size);

	if (is_begin)
		summary_raise(now, &begin);
	*next = functions->pack(now, size);
	if (is_begin)
		summary_subtract(now, &begin);
	if (interval->begin != NULL)
		functions->release_unpacked(&begin);
	return is_begin;
}

void measured_interval_end(struct measured_interval *interval, struct target_memory *memory)
{
	char *next = NULL;

	forget_profile(interval);
	if (interval->table == 0)
		return;
	if (measured_read(interval->library, memory, &interval->names, interval->table,
		&interval->profile) != LIVE_READ) {
		forget_begin(interval);
		return;
	}
	interval->is_known = true;
	if (interval->profile.start != interval->start) /* the process is another program now */
		forget_begin(interval);
	interval->start = interval->profile.start;
	bool is_interval = subtract_begin(interval, &next, &interval->begin_size);
	forget_begin(interval);
	interval->begin = next;
	if (!is_interval)
		forget_profile(interval);
}

void measured_interval_open(struct measured_interval *interval,
    const struct profile_library *library, struct code_lookup *names, struct target_memory *memory,
    const struct loaded_modules *modules)
{
	*interval = (struct measured_interval){.library = library};
	place_names_init(&interval->names, names, NAME_SECONDS);
	if (library->functions != NULL)
		interval->table = measured_table(memory, modules);
	measured_interval_end(interval, memory);
}

void measured_interval_close(struct measured_interval *interval)
{
	if (interval->library == NULL)
		return;
	forget_profile(interval);
	forget_begin(interval);
	place_names_finish(&interval->names);
}
