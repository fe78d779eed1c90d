/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport check: whether an archive follows the rules that readers rely on. Every rule is one row
 * of the table below. A broken rule is reported once, with the number of violations and the place
 * of the first. Errors make the exit status 3, warnings do not. If the events end early (the
 * program was killed, or there was no more room), what is open then is neither an error nor a
 * warning: its end is unknown.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "archive-check.h"
#include "commands.h"
#include "memory.h"
#include "report.h"

static const struct rule_text {
	const char *name;
	bool error;
	const char *text;
} rules[RULES] = {
    [RULE_TIME] = {"time", true, "a thread's time goes back"},
    [RULE_REFERENCE] = {"reference", true,
	"an event names a region, team or communicator without definition"},
    [RULE_LEAVE] = {"leave", true, "a region is left that is not the innermost open one"},
    [RULE_OPEN] = {"open", true, "a region is open when its thread or task ends"},
    [RULE_TEAM] = {"team", true, "a team is ended that the thread is not in, or never ended"},
    [RULE_FORK] = {"fork", true, "a join without fork, or a fork without join"},
    [RULE_RELEASE] = {"release", true, "a lock is released by a thread that does not hold it"},
    [RULE_OVERLAP] = {"overlap", true, "a lock is acquired while another thread holds it"},
    [RULE_HELD] = {"held", false, "a lock is never released"},
    [RULE_ORDER] = {"order", true, "a lock's acquisition numbers do not count up"},
    [RULE_TASK] = {"task", true, "a task is executed by two threads at once, or twice"},
    [RULE_UNFINISHED] = {"unfinished", false, "a task was created and not completed"},
    [RULE_PROGRAM] = {"program", false, "the program begins and does not end: was it killed?"},
    [RULE_MISSING] = {"missing", true, "a thread has fewer events than announced"},
    [RULE_MEMBER] = {"member", true, "a thread begins in a team that does not list it"},
    [RULE_METRIC] = {"metric", true, "an enter or leave lacks the metrics that were promised"},
    [RULE_LOCAL] = {"local", true, "a thread has no file of local definitions"},
    [RULE_INCOMPLETE] = {"incomplete", false, "viewers expect definitions that are missing"},
    [RULE_PROMISE] = {"promise", false,
	"the anchor does not call the fork or lock events complete"},
    [RULE_SPARSE] = {"sparse", false, "definitions are not numbered from 0 without gaps"},
    [RULE_CLOCK] = {"clock", false, "events outside the time span of the clock's definition"},
    [RULE_UNSENT] = {"unsent", true, "a message is received that was not sent"},
    [RULE_UNRECEIVED] = {"unreceived", false, "a message is sent and never received"},
    [RULE_LENGTH] = {"length", true, "a message is received with other bytes than it was sent"},
    [RULE_EARLY] = {"early", true, "a message is received before it is sent"},
    [RULE_COLLECTIVE] = {"collective", true,
	"ranks differ in a collective operation, or it ends without begin"},
    [RULE_UNMET] = {"unmet", false, "a collective operation is not ended by all its members"},
    [RULE_REQUEST] = {"request", true, "a request is begun twice, or ended without begin"},
    [RULE_PENDING] = {"pending", false, "a request is never completed"},
    [RULE_UNKNOWN] = {"unknown", false, "kinds of definitions or events that no report uses"},
};

static const struct table_column columns[] = {
    {"rule", "rule", CELL_TEXT, 0},
    {"severity", "severity", CELL_TEXT, 3},
    {"count", "count", CELL_COUNT, 5},
    {"thread", "first in", CELL_TEXT, 4},
    {"time_ns", "at", CELL_TIME, 2},
    {"meaning", NULL, CELL_TEXT, 0},
};

static bool is_left_open(enum rule rule)
{
	return rule == RULE_HELD || rule == RULE_UNFINISHED || rule == RULE_UNRECEIVED ||
	       rule == RULE_UNMET || rule == RULE_PENDING;
}

enum severity { ERROR, WARNING, UNDECIDED, SEVERITIES };

static const char *const severity_names[SEVERITIES] = {"error", "warning", "undecided"};

static enum severity severity_of(const struct check *check, enum rule rule)
{
	if (rules[rule].error)
		return ERROR;
	return is_left_open(rule) &&
		       archive_property_number(check->archive, "POMP::ENDS_EARLY") == 1
		   ? UNDECIDED
		   : WARNING;
}

static void put_finding(struct table *table, const struct check *check, enum rule rule,
    enum severity severity, uint64_t start)
{
	const struct archive *archive = check->archive;
	const struct finding *finding = &check->findings[rule];
	uint64_t ticks = finding->time > start ? finding->time - start : 0;

	table_put_text(table, rules[rule].name);
	table_put_text(table, severity_names[severity]);
	table_put_number(table, finding->count);
	table_put_text(table, finding->location == ARCHIVE_NO_INDEX
				  ? ""
				  : archive->locations[finding->location].label);
	table_put_number(table,
	    finding->location == ARCHIVE_NO_INDEX
		? SUMMARY_NOT_MEASURED
		: (uint64_t)((unsigned __int128)ticks * 1000000000 / archive->ticks_per_second));
	table_put_text(table, rules[rule].text);
}

static int fill(struct table *table, const struct check *check)
{
	uint64_t counts[SEVERITIES] = {0};

	table_init(table, "check", "FINDINGS (at: since the first event)", columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (int i = 0; i < RULES; i++) {
		if (check->findings[i].count == 0)
			continue;
		enum severity severity = severity_of(check, (enum rule)i);
		put_finding(table, check, (enum rule)i, severity, check->first_time);
		counts[severity]++;
		table_add_note(table, "%s (%s): %s, %" PRIu64 " times.", rules[i].name,
		    severity_names[severity], rules[i].text, check->findings[i].count);
	}
	table_add_number(table, "events", "events", CELL_COUNT, check->archive->events);
	table_add_number(
	    table, "definitions", "definitions", CELL_COUNT, check->archive->definitions);
	table_add_number(table, "rules", "rules checked", CELL_COUNT, RULES);
	table_add_number(table, "errors", "rules broken", CELL_COUNT, counts[ERROR]);
	table_add_number(table, "warnings", "warnings", CELL_COUNT, counts[WARNING]);
	if (counts[UNDECIDED] > 0)
		table_add_note(table,
		    "undecided: the events end early (the program was killed, or there was no room "
		    "for more); what was open then may have been completed later.");
	if (counts[ERROR] + counts[WARNING] == 0)
		table_add_note(table, "The archive is valid: no rule is broken.");
	return counts[ERROR] > 0 ? 3 : 0;
}

int command_check(const struct options *options)
{
	struct archive *archive = command_open(options->path, options);
	struct check *check;
	struct table table;
	int status;

	if (!archive)
		return 1;
	check = check_run(archive);
	command_print_warnings(options->path, archive);
	status = report_print(options, &table, fill(&table, check));
	table_finish(&table);
	check_free(check);
	archive_close(archive);
	return status;
}
