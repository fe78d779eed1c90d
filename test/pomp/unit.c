/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of libpomp that no program can show in reasonable time: the bridges over long pauses in the
 * log, counters beyond 32 bits, a clock that steps back or is read too early, the parser of the
 * settings. Linked with
 * libpomp's objects.
 */
#include "log-reader.h"
#include "logged-teams.h"
#include "event.h"

#include "shared/write-whole.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int failures;

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __func__, __LINE__, #condition);            \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

/* Records come back with the times they were given, however far apart. */
static void log_bridges_long_pauses(void)
{
	static const uint64_t pauses[] = {0, 1, TRACE_LOG_TIME_MAX - 1, TRACE_LOG_TIME_MAX,
	    TRACE_LOG_TIME_MAX + 1, UINT64_C(1) << 50, 0, 7};
	enum { COUNT = sizeof(pauses) / sizeof(pauses[0]) };
	static uint64_t words[8 * COUNT];
	struct pomp_thread *thread = calloc(1, sizeof(*thread));
	struct convert_log log = {.start = 1000, .words = words, .end = words + 8 * COUNT};
	uint64_t now = log.start;
	const uint64_t most = UINT64_MAX >> TRACE_LOG_KIND_BITS;

	thread->log = (struct pomp_log){.cursor = words,
	    .limit = words + 7 * COUNT,
	    .time = now,
	    .window = (char *)words,
	    .window_bytes = sizeof(words)};
	for (uint32_t i = 0; i < COUNT; i++) {
		now += pauses[i];
		pomp_event_log(
		    thread, TRACE_LOG_TEAM_BEGIN, 2, TRACE_LOG_ARGUMENT_MAX - i, now, most - i, i);
	}
	struct convert_cursor cursor = convert_cursor_of(&log);
	struct convert_record record;
	now = log.start;
	for (uint32_t i = 0; i < COUNT; i++) {
		now += pauses[i];
		EXPECT(convert_next(&cursor, &record));
		EXPECT(record.kind == TRACE_LOG_TEAM_BEGIN && record.time == now);
		EXPECT(record.argument == TRACE_LOG_ARGUMENT_MAX - i);
		EXPECT(record.payload[0] == most - i && record.payload[1] == i);
	}
	EXPECT(!convert_next(&cursor, &record));
	free(thread);
}

/* A log that breaks off in the middle of a record, or holds nonsense, is read up to there. */
static void reader_stops_at_damage(void)
{
	uint64_t words[] = {pomp_log_word(TRACE_LOG_ENTER, 1, 5),
	    pomp_log_word(TRACE_LOG_FORK, 1, 5), trace_log_payload(77),
	    pomp_log_word(TRACE_LOG_KIND_COUNT, 1, 5), pomp_log_word(TRACE_LOG_LEAVE, 1, 5)};
	struct convert_log log = {.words = words, .end = words + 5};
	struct convert_cursor cursor = convert_cursor_of(&log);
	struct convert_record record;

	EXPECT(convert_next(&cursor, &record) && record.kind == TRACE_LOG_ENTER);
	EXPECT(convert_next(&cursor, &record) && record.payload[0] == 77);
	EXPECT(!convert_next(&cursor, &record));
	log.end = words + 2; /* the fork's payload is missing */
	cursor = convert_cursor_of(&log);
	EXPECT(convert_next(&cursor, &record));
	EXPECT(!convert_next(&cursor, &record));
}

/*
 * A task's event names its creator by the thread number in the team: found without a walk through
 * the team, or this takes minutes.
 */
static void team_finds_its_members(void)
{
	enum { COUNT = 50000, ROUNDS = 40, WORDS = 3 };
	uint64_t *words = calloc(COUNT * WORDS, sizeof(*words));
	struct convert_log *logs = calloc(COUNT, sizeof(*logs));
	const struct convert_input input = {.logs = logs, .log_count = COUNT};
	struct convert_teams teams;
	uint64_t wrong = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		uint64_t *own = words + (size_t)i * WORDS;
		own[0] = pomp_log_word(TRACE_LOG_TEAM_BEGIN, 1, 5);
		own[1] = trace_log_payload(1);
		own[2] = trace_log_payload((uint64_t)(COUNT - 1 - i) << 32 | COUNT);
		logs[i] = (struct convert_log){.location = i, .words = own, .end = own + WORDS};
	}
	EXPECT(convert_teams_collect(&teams, &input) && teams.comm_count == 1);
	for (uint32_t i = 0; i < COUNT * ROUNDS; i++)
		wrong += convert_comm_rank(&teams.comms[0], i % COUNT) != COUNT - 1 - i % COUNT;
	EXPECT(wrong == 0);
	EXPECT(convert_comm_rank(&teams.comms[0], COUNT) == 0);
	convert_teams_free(&teams);
	free(logs);
	free(words);
}

static OMPRegDescr region = {
    .name = (char *)"region", .sub_name = (char *)"r", .file_name = (char *)"unit.c"};

static void counters_pass_32_bits(void)
{
	pomp_register_regions(&region);
	pomp_begin(&region);
	pomp_end(&region);
	struct pomp_accumulator *sums = pomp_thread_accumulator(pomp_self, region.data[0]);
	store_relaxed(&sums->visits, UINT64_C(0xffffffff));
	pomp_self->calls = UINT64_C(0x7fffffff);
	pomp_begin(&region);
	pomp_end(&region);
	EXPECT(load_relaxed(&sums->visits) == UINT64_C(0x100000000));
	EXPECT(pomp_thread_events(pomp_self) == UINT64_C(0x80000001));
	pomp_unregister_regions(&region);
	EXPECT(region.data[1] == UINT64_C(0x100000000) && region.data[0] == 0);
}

static void time_never_goes_back(void)
{
	uint64_t future = pomp_clock_ticks(&pomp_process.clock) + (UINT64_C(1) << 40);

	pomp_self->time = future;
	EXPECT(pomp_event_time(pomp_self) == future);
	pomp_self->time = 1;
	EXPECT(pomp_event_time(pomp_self) > 1);
}

/* Many lock variables: the table grows, and each address keeps its record. */
static void locks_keep_their_records(void)
{
	enum { COUNT = 5000 };
	static char variable[COUNT][16];
	static struct pomp_lock *record[COUNT];

	for (int i = 0; i < COUNT; i++)
		record[i] = pomp_lock_of_address(variable[i]);
	for (int i = 0; i < COUNT; i++) {
		EXPECT(record[i] != NULL && record[i]->address == variable[i]);
		EXPECT(pomp_lock_of_address(variable[i]) == record[i]);
	}
}

/* A runtime whose locks are always free. */
#define ROUTINE(type, name) __attribute__((visibility("default"))) type name(void *lock)
ROUTINE(void, omp_set_lock);
ROUTINE(int, omp_test_lock);
ROUTINE(void, omp_unset_lock);

void omp_set_lock(void *lock)
{
	(void)lock;
}

int omp_test_lock(void *lock)
{
	(void)lock;
	return 1;
}

void omp_unset_lock(void *lock)
{
	(void)lock;
}

static OMPRegDescr handed_over = {.name = (char *)"critical",
    .sub_name = (char *)"handed over",
    .file_name = (char *)"unit.c",
    .begin_line1 = 7};

/* A critical's way in, then out. Returns when its lock was acquired. */
static uint64_t pass_critical(const struct pomp_lock *lock)
{
	pomp_critical_enter(&handed_over);
	pomp_critical_begin(&handed_over);
	uint64_t acquired = load_relaxed(&lock->acquired_at);
	EXPECT(pomp_self->time == acquired && pomp_self->top->enter == acquired);
	pomp_critical_end(&handed_over);
	pomp_critical_exit(&handed_over);
	return acquired;
}

/*
 * A thread's reading of the clock may be earlier than that of the release before: each kind of
 * acquisition comes after that release all the same, and was contended.
 */
static void acquisitions_come_after_the_release(void)
{
	static char variable[16];

	pomp_register_regions(&handed_over);
	pomp_critical_enter(&handed_over); /* which makes the record */
	pomp_critical_exit(&handed_over);
	struct pomp_lock *lock = pomp_thread_accumulator(pomp_self, handed_over.data[0])->lock;
	EXPECT(pass_critical(lock) < load_relaxed(&lock->released_at));
	uint64_t released = pomp_clock_ticks(&pomp_process.clock) + (UINT64_C(1) << 34);
	store_relaxed(&lock->released_at, released);
	EXPECT(pass_critical(lock) == released + 1);
	EXPECT(load_relaxed(&lock->acquisitions) == 2 && load_relaxed(&lock->contended) == 1);
	pomp_self->time = 1;

	lock = pomp_lock_of_address(variable);
	for (unsigned way = 0; way < 2; way++) {
		store_relaxed(&lock->released_at, released);
		if (way == 0)
			pomp_set_lock(variable);
		else
			EXPECT(pomp_test_lock(variable));
		EXPECT(load_relaxed(&lock->acquired_at) == released + 1);
		EXPECT(pomp_self->time == released + 1);
		EXPECT(load_relaxed(&lock->contended) == way + 1);
		pomp_unset_lock(variable);
		EXPECT(load_relaxed(&lock->released_at) == released + 1);
		pomp_self->time = 1;
	}
	pomp_unregister_regions(&handed_over);
}

/* A record's argument has 24 bits; what is above them would be its time. */
static void locks_beyond_the_log_have_no_number(void)
{
	struct pomp_locks *locks = &pomp_locks;
	static struct pomp_lock *last[TRACE_LOG_ARGUMENT_MAX + 2];
	static char variable[2][16];
	struct pomp_lock **entry = locks->entry;
	size_t count = locks->count, capacity = locks->capacity;

	locks->entry = last;
	locks->count = TRACE_LOG_ARGUMENT_MAX - 1;
	locks->capacity = TRACE_LOG_ARGUMENT_MAX + 2;
	struct pomp_lock *numbered = pomp_lock_of_address(variable[0]);
	struct pomp_lock *beyond = pomp_lock_of_address(variable[1]);
	EXPECT(numbered->number == TRACE_LOG_ARGUMENT_MAX);
	EXPECT(beyond->number == 0);
	locks->entry = entry;
	locks->count = count;
	locks->capacity = capacity;
}

static void expect_settings(char **environment, const char *said, uint64_t memory, bool tracing)
{
	struct pomp_settings settings;
	char *text = NULL;
	size_t size = 0;
	FILE *messages = open_memstream(&text, &size);

	pomp_settings_read(&settings, environment, messages);
	fclose(messages);
	if (strcmp(text, said) != 0) {
		fprintf(stderr, "settings said: %s\nexpected: %s\n", text, said);
		failures++;
	}
	EXPECT(settings.total_memory == memory);
	EXPECT(settings.tracing == tracing);
	free(text);
}

static void counters_are_parsed(void)
{
	const uint64_t standard = 256u << 20;

	expect_settings((char *[]){(char *)"POMP_SAMPLE_COUNTERS=Page-Faults,cycles", NULL}, "",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_SAMPLE_COUNTERS=cycles,page", NULL},
	    "pomp: POMP_SAMPLE_COUNTERS='cycles,page': expected off, instructions, cycles, "
	    "branches, branch-misses, cache-references, cache-misses, page-faults (up to 3 of "
	    "these); using instructions,cycles\n",
	    standard, false);
	expect_settings(
	    (char *[]){(char *)"POMP_SAMPLE_EVENT=Page-Faults:100", NULL}, "", standard, false);
	expect_settings((char *[]){(char *)"POMP_SAMPLE_EVENT=cycles", NULL},
	    "pomp: POMP_SAMPLE_EVENT='cycles': expected off, or a counter and a number such as "
	    "branch-misses:100003; using cache-misses:1000003\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_SAMPLE_EVENT=cycles:0", NULL},
	    "pomp: POMP_SAMPLE_EVENT='cycles:0': expected off, or a counter and a number such as "
	    "branch-misses:100003; using cache-misses:1000003\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_SAMPLE_COUNTERS=instructions,cycles,branches,"
					   "branch-misses,cache-misses",
			    NULL},
	    "pomp: POMP_SAMPLE_COUNTERS='instructions,cycles,branches,branch-misses,cache-misses': "
	    "expected off, instructions, cycles, branches, branch-misses, cache-references, "
	    "cache-misses, page-faults (up to 3 of these); using instructions,cycles\n",
	    standard, false);
}

static void settings_are_parsed(void)
{
	const uint64_t standard = 256u << 20;

	expect_settings((char *[]){(char *)"PATH=/", NULL}, "", standard, false);
	expect_settings(
	    (char *[]){(char *)"POMP_TOTAL_MEMORY=3k", (char *)"POMP_ENABLE_TRACING=TRUE", NULL},
	    "", 3072, true);
	expect_settings(
	    (char *[]){(char *)"POMP_TOTAL_MEMORY=2GB", (char *)"POMP_ENABLE_TRACING=on", NULL}, "",
	    UINT64_C(2) << 30, true);
	expect_settings((char *[]){(char *)"POMP_TOTAL_MEMORY=-1", NULL},
	    "pomp: POMP_TOTAL_MEMORY='-1': expected a number of bytes such as 64M; using 256M\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_TOTAL_MEMORY=99999999999999999999", NULL},
	    "pomp: POMP_TOTAL_MEMORY='99999999999999999999': expected a number of bytes such as "
	    "64M; "
	    "using 256M\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_TOTAL_MEMORY=", NULL},
	    "pomp: POMP_TOTAL_MEMORY='': expected a number of bytes such as 64M; using 256M\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_CLOCK_SYNC=10x", NULL},
	    "pomp: POMP_CLOCK_SYNC='10x': expected a number of seconds; using 10\n", standard,
	    false);
	expect_settings((char *[]){(char *)"POMP_ENABLE_TRACE=1", NULL},
	    "pomp: POMP_ENABLE_TRACE is not a setting and is ignored; did you mean "
	    "POMP_ENABLE_TRACING?\n",
	    standard, false);
	expect_settings(
	    (char *[]){(char *)"POMP_TOTAL_MEMORY= 64 ", (char *)"POMP_ENABLE_TRACING=yes\n", NULL},
	    "", 64, true);
	expect_settings((char *[]){(char *)"POMP_TOTAL_MEMORY=64 M", NULL},
	    "pomp: POMP_TOTAL_MEMORY='64 M': expected a number of bytes such as 64M; using 256M\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_TOTAL_MEMORY=64-", NULL},
	    "pomp: POMP_TOTAL_MEMORY='64-': expected a number of bytes such as 64M; using 256M\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_ENABLE_PROFILING=",
			    (char *)"POMP_ENABLE_TRACING= ", (char *)"POMP_SUMMARY=", NULL},
	    "pomp: POMP_ENABLE_PROFILING='': expected yes or no; using yes\n"
	    "pomp: POMP_ENABLE_TRACING=' ': expected yes or no; using no\n"
	    "pomp: POMP_SUMMARY='': expected stderr, off or a file's path; using stderr\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_EXPERIMENT_DIRECTORY=",
			    (char *)"POMP_FILTERING_FILE=", (char *)"POMP_METRICS=", NULL},
	    "", standard, false);
	expect_settings((char *[]){(char *)"POMP_METRIC_PAPI=b", (char *)"POMP_METRICS=a", NULL},
	    "pomp: POMP_METRIC_PAPI='b': another name for POMP_METRICS; using POMP_METRICS='a'\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_SCALE=*=2,for=1", (char *)"POMP_SCALES=1", NULL},
	    "pomp: POMP_SCALES is not a setting and is ignored; did you mean POMP_SCALE?\n",
	    standard, false);
	expect_settings((char *[]){(char *)"POMP_=1", (char *)"POMPOUS=1", NULL},
	    "pomp: POMP_ is not a setting and is ignored\n", standard, false);
}

/* A file may not grow beyond RLIMIT_FSIZE, and the program gets no SIGXFSZ for it. */
static void writing_stops_at_the_size_limit(void)
{
	char bytes[64] = "text";
	FILE *file = tmpfile();
	struct rlimit before, limit;

	if (file == NULL || getrlimit(RLIMIT_FSIZE, &before) != 0)
		abort();
	limit = before;
	limit.rlim_cur = 100;
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		abort();
	bool fits = pomp_write_whole(fileno(file), bytes, sizeof(bytes), 36);
	errno = 0;
	bool written = pomp_write_whole(fileno(file), bytes, sizeof(bytes), 64);
	int error = errno;
	setrlimit(RLIMIT_FSIZE, &before);
	EXPECT(fits);
	EXPECT(!written && error == EFBIG);
	fclose(file);
}

int main(void)
{
	writing_stops_at_the_size_limit();
	log_bridges_long_pauses();
	reader_stops_at_damage();
	team_finds_its_members();
	counters_pass_32_bits();
	time_never_goes_back();
	acquisitions_come_after_the_release();
	locks_keep_their_records();
	locks_beyond_the_log_have_no_number();
	settings_are_parsed();
	counters_are_parsed();
	return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
