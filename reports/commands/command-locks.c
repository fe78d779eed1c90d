/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport locks: how often locks were contended, and how long threads waited for them and held
 * them.
 */
#include "commands.h"
#include "report.h"

static const struct table_column columns[] = {
    {"lock", "lock", CELL_TEXT, 0},
    {"acquisitions", "acquired", CELL_COUNT, 6},
    {"contended", "contended", CELL_COUNT, 5},
    {"contended_share", "share", CELL_SHARE, 2},
    {"wait_ns", "wait", CELL_TIME, 9},
    {"mean_wait_ns", "mean wait", CELL_TIME, 4},
    {"hold_ns", "hold", CELL_TIME, 8},
    {"mean_hold_ns", "mean hold", CELL_TIME, 3},
    {"wait_share", "of time", CELL_SHARE, 1},
};

static int fill(struct table *table, const struct report *report, const struct options *options)
{
	const struct summary *summary = &report->summary;

	table_init(table, "locks", "LOCKS AND CRITICALS by wait (of time: wait in the thread time)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < summary->lock_count; i++) {
		const struct summary_lock *lock = &summary->locks[i];

		if (!report_takes_region(options, lock->name))
			continue;
		table_put_text(table, lock->name);
		table_put_number(table, lock->acquisitions);
		table_put_number(table, lock->contended);
		table_put_ratio(table, summary_share(lock->contended, lock->acquisitions));
		table_put_number(table, lock->wait);
		table_put_number(table, summary_mean(lock->wait, lock->acquisitions));
		table_put_number(table, lock->hold);
		table_put_number(table, summary_mean(lock->hold, lock->acquisitions));
		table_put_ratio(table, summary_share(lock->wait, report->figures.chosen));
	}
	if (table_rows(table) == 0)
		table_add_note(table, "No lock was acquired%s.",
		    options->region ? " of those that --region names" : "");
	return 0;
}

int command_locks(const struct options *options)
{
	return report_run(options, fill);
}
