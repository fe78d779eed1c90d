/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints a made-up summary: summary-case CASE FORMAT COLUMNS MAX_REGIONS. check-summary.py knows
 * what must come out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/summary-figures.h"

#define MS UINT64_C(1000000)
#define NA SUMMARY_NOT_MEASURED

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* An uneven loop, a contended critical and small tasks on four threads, one second. */
static const struct summary_region plain_regions[] = {
    {"parallel", "", "/src/solver/jacobi.c", 40, 61, 400, 3200 * MS, 100 * MS, 4, 500 * MS,
	2400 * MS, 700 * MS, 200 * MS, NA, 400 * MS},
    {"for", "", "/src/solver/jacobi.c", 42, 50, 40000, 2100 * MS, 1700 * MS, 4, 350 * MS, 1700 * MS,
	500 * MS, 300 * MS, NA, 300 * MS},
    {"critical", "update", "/src/solver/jacobi.c", 52, 55, 4000, 500 * MS, 50 * MS, 4, 10 * MS,
	50 * MS, 15 * MS, NA, 450 * MS, NA},
    {"single", "", "/src/solver/grid_refinement_operators.c", 1234, 1240, 400, 90 * MS, 10 * MS, 4,
	0, 10 * MS, 9 * MS, 80 * MS, NA, NA},
    {"task", "", "/src/solver/tree.c", 99, 104, 100000, 120 * MS, 120 * MS, 4, 25 * MS, 120 * MS,
	35 * MS, NA, NA, NA},
    {"region", "time step", "/src/solver/main.c", 12, 80, 100, 990 * MS, 100 * MS, 1, 990 * MS,
	990 * MS, 990 * MS, NA, NA, NA},
};
static const struct summary_lock plain_locks[] = {
    {"critical(update) jacobi.c:52", 4000, 3100, 450 * MS, 50 * MS},
    {"lock 0x55d0c0ffee40", 1200, 7, 60000, 3 * MS},
};
static const struct summary_task plain_tasks[] = {
    {"/src/solver/tree.c", 99, 100000, 100000, 12, 45 * MS, 120 * MS},
};
static const struct summary plain = {
    .program = "./jacobi",
    .wall = 1000 * MS,
    .threads = 4,
    .locations = 4,
    .parallel = 800 * MS,
    .useful = 2100 * MS,
    .sync = 1030 * MS,
    .management = 40 * MS,
    .imbalance = 100 * MS,
    .events = 1234567,
    .lost_events = 0,
    .event_cost = 12 * MS,
    .regions = plain_regions,
    .region_count = COUNT_OF(plain_regions),
    .locks = plain_locks,
    .lock_count = COUNT_OF(plain_locks),
    .tasks = plain_tasks,
    .task_count = COUNT_OF(plain_tasks),
    .trace_path = "pomp-20260101-1200-42",
};

static const struct summary empty = {
    .program = "./true", .wall = 5 * MS, .threads = 1, .locations = 1};
static const struct summary noted = {
    .program = "./true",
    .wall = 5 * MS,
    .threads = 1,
    .locations = 1,
    .note = "Nothing to show: POMP_DISABLE=1 switched measuring off.",
};

/* Everything as large as it gets, and all sums overflow. */
static const struct summary_region huge_regions[] = {
    {"for", "", "a.c", 2147483647, 2147483647, NA - 1, NA - 1, NA - 1, NA - 1, NA - 1, NA - 1,
	NA - 1, NA - 1, NA - 1, NA - 1},
    {"parallel", "", "a.c", 1, 2, 1, 9995, 99949, 3, 999499999, 9995000000, 9999500000000, 3, 4, 5},
};
static const struct summary_lock huge_locks[] = {
    {"lock 0xffffffffffffffff", NA - 1, NA - 1, NA - 1, NA - 1}};
static const struct summary_task huge_tasks[] = {
    {"a.c", 1, NA - 1, NA - 1, NA - 1, NA - 1, NA - 1}};
static const struct summary huge = {
    .program = "huge",
    .wall = NA - 1,
    .threads = NA - 1,
    .locations = NA - 1,
    .parallel = NA - 1,
    .useful = NA - 1,
    .sync = NA - 1,
    .management = NA - 1,
    .imbalance = NA - 1,
    .events = NA - 1,
    .lost_events = NA - 1,
    .event_cost = NA - 1,
    .regions = huge_regions,
    .region_count = 2,
    .locks = huge_locks,
    .lock_count = 1,
    .tasks = huge_tasks,
    .task_count = 1,
};

/* Names nobody should choose: UTF-8 of all widths, invalid bytes, quotes, control characters. */
static const struct summary_region odd_regions[] = {
    {"critical",
	"gr\xc3\xb6\xc3\x9f"
	"e \"a\\b\"\n\x1b[31m",
	"/tmp/\xe6\xb8\xac\xe8\xa9\xa6\xf0\x9f\x9a\x80.c", 7, 9, 3, 30, 20, 2, 5, 20, 15, NA, 10,
	NA},
    {"for", "", "/x/bad\xff\xc0\x80\xed\xa0\x80name.c", 8, 8, 1, 2, 2, 1, 2, 2, 2, NA, NA, NA},
    {"for", "",
	"/long/"
	"a_file_name_that_goes_on_and_on_until_no_column_could_ever_hold_it_in_one_line_of_any_"
	"screen.c",
	123456, 123460, 1, 2, 2, 1, 2, 2, 2, NA, NA, NA},
    {"", NULL, NULL, -1, -1, 0, 0, 0, 0, NA, 0, 0, NA, NA, NA},
};
static const struct summary odd = {
    .program = "a,\"b\"\r\nc",
    .wall = 1000,
    .threads = 2,
    .locations = 3,
    .parallel = 900,
    .useful = 1500,
    .sync = 100,
    .management = NA,
    .imbalance = NA,
    .events = 12,
    .lost_events = 5,
    .event_cost = NA,
    .regions = odd_regions,
    .region_count = COUNT_OF(odd_regions),
};

/* Two threads of the largest team, but four at once in nested teams. */
static const struct summary_region nested_regions[] = {
    {"parallel", "", "nest.c", 3, 20, 2, 2000 * MS, 0, 2, 900 * MS, 1800 * MS, 900 * MS, 0, NA, 0},
    {"parallel", "", "nest.c", 5, 18, 4, 3600 * MS, 3600 * MS, 4, 900 * MS, 3600 * MS, 900 * MS, 0,
	NA, 0},
};
static const struct summary nested = {
    .program = "nest",
    .wall = 1000 * MS,
    .threads = 2,
    .locations = 4,
    .parallel = 1000 * MS,
    .useful = 3600 * MS,
    .sync = 0,
    .management = 10 * MS,
    .imbalance = 0,
    .events = 40,
    .regions = nested_regions,
    .region_count = 2,
};

/* All time is spent in one team, and each sum of it was rounded up. */
static const struct summary rounded = {
    .program = "rounded",
    .wall = 1000 * MS,
    .threads = 4,
    .locations = 4,
    .parallel = 1000 * MS - 1,
    .useful = 3900 * MS,
    .sync = 60 * MS,
    .management = 40 * MS,
    .imbalance = 0,
    .events = 40,
    .regions = nested_regions,
    .region_count = 1,
};

/* One rank's four threads always work, the other one's two never do: the mean rank is neither. */
static const struct summary ranks = {
    .program = "hybrid",
    .wall = 1000 * MS,
    .threads = 6,
    .locations = 6,
    .processes = 2,
    .parallel = 500 * MS,
    .useful = 4000 * MS,
    .sync = 0,
    .management = 0,
    .imbalance = 0,
    .events = 40,
    .regions = nested_regions,
    .region_count = 1,
};

/* Equal work and yet a wait at the end: threads that begin late. */
static const struct summary_region late_regions[] = {
    {"parallel", "", "late.c", 7, 9, 20, 1900 * MS, 0, 2, 700 * MS, 1402 * MS, 702 * MS, 250 * MS,
	NA, 4 * MS},
    {"for", "", "late.c", 8, 9, 20, 1402 * MS, 1402 * MS, 2, 700 * MS, 1402 * MS, 702 * MS, NA, NA,
	4 * MS},
};
static const struct summary late = {
    .program = "late",
    .wall = 1000 * MS,
    .threads = 2,
    .locations = 2,
    .parallel = 1000 * MS,
    .useful = 1402 * MS,
    .sync = 250 * MS,
    .management = 248 * MS,
    .imbalance = 4 * MS,
    .events = 120,
    .regions = late_regions,
    .region_count = 2,
};

/* Metrics: one in nanoseconds, one region without, names that do not all fit, one dropped. */
static const uint64_t counted_values[][4] = {{1, 2 * MS, 3000000, 4}, {UINT64_C(1) << 40, 0, 7, 8}};
static const struct summary_region counted_regions[] = {
    {"parallel", "", "a.c", 1, 9, 2, 20 * MS, 1 * MS, 2, 8 * MS, 18 * MS, 9 * MS, 1 * MS, NA, NA,
	counted_values[0]},
    {"for", "", "a.c", 3, 8, 2, 18 * MS, 1 * MS, 2, 8 * MS, 18 * MS, 9 * MS, 1 * MS, NA, 1 * MS,
	counted_values[1]},
    {"barrier", "", "a.c", 8, 8, 2, 1 * MS, 1 * MS, 2, NA, NA, NA, 1 * MS, NA, NA, NULL},
};
static const struct summary_metric counted_metrics[] = {
    {"PAPI_TOT_INS", "#"},
    {"perf::TASK-CLOCK", "ns"},
    {"perf::PERF_COUNT_SW_PAGE_FAULTS_MIN", "#"},
    {"ru_majflt", "#"},
};
static const struct summary_dropped counted_dropped[] = {
    {"PAPI_L3_TCM", "the processor has no such event, or a virtual machine hides it"}};
static const struct summary counted = {
    .program = "./counted",
    .processors = 2,
    .wall = 20 * MS,
    .threads = 2,
    .locations = 2,
    .parallel = 10 * MS,
    .useful = 18 * MS,
    .sync = 1 * MS,
    .management = 1 * MS,
    .imbalance = NA,
    .events = 40,
    .event_cost = NA,
    .regions = counted_regions,
    .region_count = COUNT_OF(counted_regions),
    .metrics = counted_metrics,
    .metric_count = COUNT_OF(counted_metrics),
    .dropped = counted_dropped,
    .dropped_count = COUNT_OF(counted_dropped),
};

/* More of everything than a screen holds; filled by make_crowd(). */
#define CROWD 400
static char crowd_names[CROWD][32];
static struct summary_region crowd_regions[CROWD];
static struct summary_lock crowd_locks[CROWD];
static struct summary_task crowd_tasks[CROWD];
static struct summary crowd = {
    .program = "./crowd",
    .wall = 1000 * MS,
    .threads = 4,
    .locations = 4,
    .parallel = 700 * MS,
    .useful = 900 * MS,
    .sync = 1500 * MS,
    .management = 100 * MS,
    .imbalance = 200 * MS,
    .events = 1000000,
    .event_cost = 300 * MS,
    .lost_events = 12,
    .untraced_events = 12,
    .regions = crowd_regions,
    .locks = crowd_locks,
    .lock_count = CROWD,
    .trace_path = "/some/where/pomp-1",
    .note = "Several processes: threads is the sum of their largest teams, the serial part that "
	    "of a mean process.",
};

/* The lock that is waited for longest is the last but three; n task constructs and regions. */
static void make_crowd(size_t n)
{
	for (size_t i = 0; i < CROWD; i++) {
		snprintf(crowd_names[i], sizeof(crowd_names[i]), "lock %zu", i);
		crowd_locks[i] = (struct summary_lock){
		    crowd_names[i], 10, 5, (i == CROWD - 4 ? CROWD : i % 7) * MS, 1 * MS};
		crowd_regions[i] = plain_regions[i % COUNT_OF(plain_regions)];
		crowd_regions[i].begin_line = (int)i + 1;
		crowd_tasks[i] = (struct summary_task){
		    "/src/t.c", (int)i + 1, 10, 10, 0, (i + 1) * 1000, (i == 1 ? CROWD : i) * 1000};
	}
	crowd.region_count = n;
	crowd.tasks = crowd_tasks;
	crowd.task_count = n == CROWD ? CROWD : 0;
}

static const struct {
	const char *name;
	const struct summary *summary;
} cases[] = {
    {"plain", &plain},
    {"empty", &empty},
    {"noted", &noted},
    {"huge", &huge},
    {"odd", &odd},
    {"nested", &nested},
    {"ranks", &ranks},
    {"rounded", &rounded},
    {"late", &late},
    {"counted", &counted},
    {"crowd", &crowd},
    {"locks", &crowd},
};

static const char *const formats[] = {"text", "json", "csv", "openmetrics"};

int main(int argc, char **argv)
{
	size_t rows;

	if (argc != 5)
		return 2;
	make_crowd(strcmp(argv[1], "locks") == 0 ? 3 : CROWD);
	rows = strcmp(argv[4], "screen") == 0 ? SUMMARY_ROWS_SCREEN : (size_t)atol(argv[4]);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (int format = 0; format < (int)COUNT_OF(formats); format++) {
			if (strcmp(argv[1], cases[i].name) == 0 &&
			    strcmp(argv[2], formats[format]) == 0)
				return summary_print(stdout, cases[i].summary,
					   (enum summary_format)format, atoi(argv[3]), rows) != 0;
		}
	}
	fprintf(stderr, "summary-case: %s, %s: no such case or format\n", argv[1], argv[2]);
	return 2;
}
