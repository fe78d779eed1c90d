/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment variables. From one table come the parser, the written configuration, the page
 * doc/settings.md and a section of the manual page pomp.3. One line is printed for a value that
 * cannot be used, and for a POMP_ variable that does not exist.
 */
#include "settings.h"
#include "common/nearest-word.h"
#include "shared/precondition.h"
#include "shared/sample-counters.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum parse {
	PARSE_SWITCH,
	PARSE_TEXT,
	PARSE_SIZE,
	PARSE_SECONDS,
	PARSE_PERCENT,
	PARSE_COUNT,
	PARSE_RATE,
	PARSE_COUNTERS,
	PARSE_EVENT,
	PARSE_CHOICE
};

/*
 * The offset of a setting's value; does not compile if the member's type is not the one that the
 * parser writes.
 */
#define PLACE_OF(type, member)                                                                     \
	(offsetof(struct pomp_settings, member) +                                                  \
	    0 * sizeof(&((struct pomp_settings *)0)->member == (type *)0))
#define PLACE_SWITCH(member)   PLACE_OF(bool, member)
#define PLACE_TEXT(member)     PLACE_OF(const char *, member)
#define PLACE_SIZE(member)     PLACE_OF(uint64_t, member)
#define PLACE_SECONDS(member)  PLACE_OF(uint64_t, member)
#define PLACE_PERCENT(member)  PLACE_OF(uint64_t, member)
#define PLACE_COUNT(member)    PLACE_OF(uint64_t, member)
#define PLACE_RATE(member)     PLACE_OF(uint64_t, member)
#define PLACE_COUNTERS(member) PLACE_OF(uint64_t, member)
#define PLACE_EVENT(member)    PLACE_OF(struct sample_event, member)
#define PLACE_CHOICE(member)   PLACE_OF(int, member)

#define SETTING(name, parse, member, standard, choices, meaning, more)                             \
	{                                                                                          \
#name, PARSE_##parse, PLACE_##parse(member), standard, choices, meaning, more      \
	}

static const struct setting {
	const char *name;
	enum parse parse;
	size_t offset; /* in struct pomp_settings */
	const char *standard;
	/*
	 * PARSE_CHOICE: separated by '|'; the value is the index. PARSE_TEXT: what is expected
	 * instead of an empty text, if there is a default.
	 */
	const char *choices;
	const char *meaning;
	const char *more; /* complete sentences for the manual page, or NULL */
} table[] = {
    SETTING(POMP_DISABLE, SWITCH, disable, "no", NULL, "measure nothing at all", NULL),
    SETTING(POMP_ENABLE_PROFILING, SWITCH, profiling, "yes", NULL,
	"add up times and waits, and print them when the program ends",
	"Without it there is only a trace, if that is on."),
    SETTING(POMP_ENABLE_TRACING, SWITCH, tracing, "no", NULL,
	"record all events and write an OTF2 archive", NULL),
    SETTING(POMP_SUMMARY, TEXT, summary, "stderr", "stderr, off or a file's path",
	"where the summary goes",
	"A forked child adds `-PID` to the file's name. If it cannot be written there, it "
	"goes to stderr."),
    SETTING(POMP_SUMMARY_FORMAT, CHOICE, format, "text", "text|json|csv|openmetrics",
	"form of the summary", NULL),
    SETTING(POMP_SNAPSHOT, SECONDS, snapshot, "0", NULL,
	"seconds from one file with the profile so far to the next, such as 60s; 0: none",
	"The files are numbered in a folder `pomp-snapshots-PID`, in the folder in which the program was "
	"started. See [snapshots](live.md#files-in-long-runs)."),
    SETTING(POMP_CONTROL, SWITCH, control, "no", NULL,
	"`ompinst control` of this user may change settings while the program runs",
	"See [control](live.md#changing-settings)."),
    SETTING(POMP_EXPERIMENT_DIRECTORY, TEXT, directory, "", NULL,
	"folder for the trace; default pomp-YYYYMMDD-HHMM-pid",
	"An earlier run's archive there is renamed to `-1`, `-2` and so on. A folder with anything "
	"else in it is left alone, and the new folder gets a number. Missing parent folders are "
	"made."),
    SETTING(POMP_OVERWRITE_EXPERIMENT_DIRECTORY, SWITCH, overwrite, "no", NULL,
	"replace an archive that is in the folder already; otherwise its folder is renamed", NULL),
    SETTING(POMP_FILTERING_FILE, TEXT, filter, "", NULL,
	"file with rules about which regions are left out",
	"See [filters](measurement.md#filters)."),
    SETTING(POMP_TIMER, CHOICE, timer, "auto", "auto|tsc|clock_gettime",
	"clock that times the events", "`auto` chooses the better clock of this machine."),
    SETTING(POMP_TOTAL_MEMORY, SIZE, total_memory, "256M", NULL,
	"memory for the event windows of all threads", NULL),
    SETTING(POMP_MAX_TRACE_SIZE, SIZE, max_trace, "0", NULL,
	"tracing stops when the event logs have this size; 0: no limit", "Profiling continues."),
    SETTING(POMP_TRACE_RING, SIZE, ring, "0", NULL,
	"memory for the latest events of each thread, at least 512K; 0: they are not kept",
	"They remain when the program is killed. See [the flight recorder](live.md#the-last-seconds)."),
    SETTING(POMP_TRACE_RING_SIGNAL, CHOICE, ring_signal, "off",
	"off|SIGUSR1|SIGUSR2|SIGHUP|SIGQUIT|SIGURG|SIGWINCH",
	"signal at which the latest events are written to a folder in `pomp-traces-PID`",
	"It then does nothing else. See [when they are written](live.md#when-they-are-written)."),
    SETTING(POMP_TRACE_RING_BELOW, PERCENT, ring_below, "0", NULL,
	"the latest events are written when threads worked less than this part of an interval; 0: never",
	"See [when they are written](live.md#when-they-are-written)."),
    SETTING(POMP_TRACE_RING_INTERVAL, SECONDS, ring_interval, "10", NULL,
	"seconds of the intervals that POMP_TRACE_RING_BELOW is compared with", NULL),
    SETTING(POMP_TRACE_RING_MOST, COUNT, ring_most, "10", NULL,
	"how often POMP_TRACE_RING_BELOW may have them written", NULL),
    SETTING(POMP_TRACE_RING_KEEP, SWITCH, ring_keep, "no", NULL,
	"keep the latest events after a normal end, too; no: they are removed then", NULL),
    SETTING(POMP_CONVERT, CHOICE, convert, "exit", "exit|later",
	"when the event logs become an OTF2 archive; later: by ompreport recover", NULL),
    SETTING(POMP_METRICS, TEXT, metrics, "", NULL,
	"counters read at the constructs' boundaries, with commas between them: PAPI events, "
	"cpu_time, and of getrusage() ru_minflt, ru_majflt, ru_nvcsw, ru_nivcsw, ru_inblock, "
	"ru_oublock",
	"See [metrics](measurement.md#metrics)."),
    SETTING(POMP_METRIC_PAPI, TEXT, metrics, "", NULL, "another name for POMP_METRICS", NULL),
    SETTING(POMP_METRICS_AT, CHOICE, metrics_at, "all", "all|parallel",
	"where counters are read: at all constructs or at parallel regions only", NULL),
    SETTING(POMP_SAMPLING, RATE, sampling, "250", NULL,
	"samples of the executed code in a second of a thread's processor time; off: none",
	"Without perf_event_open(), the kernel takes no more than one for each of its ticks, mostly 250 or "
	"1000 in a second: see [samples](measurement.md#samples). Off also leaves out for what threads "
	"were blocked: see [the summary](summary.md#blocked-threads)."),
    SETTING(POMP_SAMPLE_COUNTERS, COUNTERS, sample_counters, "instructions,cycles", NULL,
	"what the processor counts beside the samples, where it lets programs count; off: nothing",
	"At most 3 names, with commas between them. See [samples](measurement.md#samples)."),
    SETTING(POMP_SAMPLE_EVENT, EVENT, sample_event, "cache-misses:1000003", NULL,
	"a counter of POMP_SAMPLE_COUNTERS, and how many of its events make a sample of their own, "
	"where the processor lets programs count; off: none",
	"These samples show where the events are and stand for no time. See [samples](measurement.md#samples)."),
    SETTING(POMP_MPI, SWITCH, mpi, "yes", NULL,
	"measure the calls of MPI; off: everything except these calls is measured",
	"See [MPI](mpi.md)."),
    SETTING(POMP_MPI_TOGETHER, SWITCH, together, "yes", NULL,
	"ranks of MPI make one archive and one summary; no: some ranks run without ompinst, so no rank "
	"waits for another",
	NULL),
    SETTING(POMP_CLOCK_SYNC, SECONDS, clock_sync, "10", NULL,
	"seconds between comparisons of the clocks of several machines; 0: only at start and end",
	NULL),
    SETTING(POMP_METRICS_STRICT, SWITCH, metrics_strict, "no", NULL,
	"end the program at its start when a counter cannot be measured", NULL),
    SETTING(POMP_SCALE, TEXT, scale, "", NULL,
	"for experiments, makes regions slower: REGION=FACTOR, with commas between them",
	"A factor is from 1 to 1000; `*` stands for everything else. See [delays](measurement.md#delays)."),
    SETTING(POMP_TUNED, TEXT, tuned, "", NULL,
	"file of `ompinst tune` with settings that the environment should have; else a line says so",
	"See [tuning](tune.md#using-what-was-found)."),
    SETTING(POMP_LOOP_SCHEDULES, TEXT, loop_schedules, "", NULL,
	"schedules of loops in a program built with --tunable-loops: FILE:LINE=KIND or "
	"FILE:LINE=KIND,CHUNK, with semicolons between them",
	"KIND is static, dynamic or guided; LINE is that of the directive. It holds also with "
	"POMP_DISABLE. See [tuning](tune.md#schedules-of-single-loops)."),
    SETTING(POMP_REGION_THREADS, TEXT, region_threads, "", NULL,
	"numbers of threads of parallel regions without a num_threads clause: FILE:LINE=THREADS, "
	"with semicolons between them",
	"LINE is that of the directive. It holds also with POMP_DISABLE. See "
	"[tuning](tune.md#threads-of-single-regions)."),
    SETTING(POMP_TASK_GRAINS, TEXT, task_grains, "", NULL,
	"grain and cut-off of tasks in a program built with --tunable-tasks: FILE:LINE=N, "
	"FILE:LINE=*N or FILE:LINE=/N, with semicolons between them",
	"*N and /N multiply and divide what is written; LINE is that of the directive. It holds also "
	"with POMP_DISABLE. See [tuning](tune.md#grain-of-tasks)."),
    SETTING(POMP_VERBOSE, SWITCH, verbose, "no", NULL, "print on stderr what is being done", NULL),
};

enum { SETTING_COUNT = sizeof(table) / sizeof(table[0]) };

static bool parse_switch(const char *text, bool *value)
{
	static const char *const words[][2] = {
	    {"no", "yes"}, {"0", "1"}, {"off", "on"}, {"false", "true"}, {"n", "y"}, {"f", "t"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (int truth = 0; truth < 2; truth++)
			if (strcasecmp(text, words[i][truth]) == 0) {
				*value = truth;
				return true;
			}
	return false;
}

/* Parses a number of bytes with an optional suffix K, M, G or T. */
static bool parse_size(const char *text, uint64_t *value)
{
	static const char suffixes[] = "KMGT";
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	unsigned long long number = strtoull(text, &end, 10);
	unsigned shift = 0;
	if (*end != '\0') {
		char letter = (char)(*end >= 'a' && *end <= 'z' ? *end - 'a' + 'A' : *end);
		const char *suffix = strchr(suffixes, letter);
		if (suffix == NULL)
			return false;
		shift = 10 * (unsigned)(suffix - suffixes + 1);
		end++;
		if (*end == 'B' || *end == 'b')
			end++;
	}
	if (errno != 0 || *end != '\0' || number > UINT64_MAX >> shift)
		return false;
	*value = (uint64_t)number << shift;
	return true;
}

static bool parse_seconds(const char *text, uint64_t *value)
{
	uint64_t number;

	if (text[strspn(text, "0123456789")] != '\0' || !parse_size(text, &number) ||
	    number > UINT32_MAX)
		return false;
	*value = number;
	return true;
}

static bool parse_percent(const char *text, uint64_t *value)
{
	char digits[8] = "";
	size_t length = strspn(text, "0123456789");
	const char *rest = text + length;

	if (length == 0 || length >= sizeof(digits) || (rest[0] == '%' ? rest[1] : rest[0]) != '\0')
		return false;
	memcpy(digits, text, length);
	uint64_t number = strtoull(digits, NULL, 10);
	if (number > 100)
		return false;
	*value = number;
	return true;
}

static bool parse_rate(const char *text, uint64_t *value)
{
	const uint64_t most = 10000;
	uint64_t number = 0;

	if (strcasecmp(text, "off") != 0 && (!parse_seconds(text, &number) || number > most))
		return false;
	*value = number;
	return true;
}

static const char *const counter_names[] = {
#define COUNTER_NAME(id, name, key) name,
    SAMPLE_COUNTERS(COUNTER_NAME)
#undef COUNTER_NAME
};

/* Returns SAMPLE_COUNTER_COUNT if there is no counter of that name. */
static enum sample_counter find_counter(const char *name, size_t length)
{
	int counter = 0;

	while (counter < SAMPLE_COUNTER_COUNT &&
	       (strlen(counter_names[counter]) != length ||
		   strncasecmp(counter_names[counter], name, length) != 0))
		counter++;
	return (enum sample_counter)counter;
}

static bool parse_counters(const char *text, uint64_t *value)
{
	uint64_t set = 0;

	for (bool ends = strcasecmp(text, "off") == 0; !ends;) {
		size_t length = strcspn(text, ",");
		enum sample_counter counter = find_counter(text, length);
		if (counter == SAMPLE_COUNTER_COUNT)
			return false;
		set |= UINT64_C(1) << counter;
		text += length;
		ends = *text == '\0';
		text += !ends;
	}
	if (sample_counters_number(set) > SAMPLE_COUNTERS_BESIDE)
		return false;
	*value = set;
	return true;
}

static bool parse_event(const char *text, struct sample_event *value)
{
	struct sample_event event = {SAMPLE_INSTRUCTIONS, 0};
	size_t length = strcspn(text, ":");

	if (strcasecmp(text, "off") != 0) {
		event.counter = find_counter(text, length);
		if (event.counter == SAMPLE_COUNTER_COUNT || text[length] == '\0' ||
		    !parse_seconds(text + length + 1, &event.period) || event.period == 0)
			return false;
	}
	*value = event;
	return true;
}

static void write_event(struct sample_event event, FILE *out)
{
	if (event.period == 0)
		fputs("off", out);
	else
		fprintf(
		    out, "%s:%llu", counter_names[event.counter], (unsigned long long)event.period);
}

static void write_counters(uint64_t set, FILE *out)
{
	fputs(set == 0 ? "off" : counter_names[sample_counter_take(&set)], out);
	while (set != 0)
		fprintf(out, ",%s", counter_names[sample_counter_take(&set)]);
}

static bool parse_choice(const char *text, const char *choices, int *value)
{
	size_t length = strlen(text);

	for (int position = 0; *choices != '\0'; position++) {
		size_t width = strcspn(choices, "|");
		if (width == length && strncasecmp(choices, text, length) == 0) {
			*value = position;
			return true;
		}
		choices += width + (choices[width] == '|');
	}
	return false;
}

/* A text is taken unchanged, but it must not be empty if a value is required. */
static bool parse_text(const struct setting *setting, const char *text, const char **value)
{
	if (text[0] == '\0' && setting->standard[0] != '\0')
		return false;
	*value = text;
	return true;
}

/*
 * Copies a value without surrounding blanks, which are ignored; false if it is too long to be
 * valid.
 */
static bool copy_word(char *word, size_t size, const char *text)
{
	static const char blanks[] = " \t\r\n";

	text += strspn(text, blanks);
	size_t length = strlen(text);
	while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
		length--;
	if (length >= size)
		return false;
	memcpy(word, text, length);
	word[length] = '\0';
	return true;
}

static bool parse(struct pomp_settings *settings, const struct setting *setting, const char *value)
{
	void *place = (char *)settings + setting->offset;
	char text[128] = "";

	if (setting->parse == PARSE_TEXT)
		return parse_text(setting, value, place);
	if (!copy_word(text, sizeof(text), value))
		return false;
	switch (setting->parse) {
	case PARSE_SWITCH:
		return parse_switch(text, place);
	case PARSE_SIZE:
		return parse_size(text, place);
	case PARSE_SECONDS:
		if (text[0] != '\0' && text[0] != 's' && text[strlen(text) - 1] == 's')
			text[strlen(text) - 1] = '\0';
		return parse_seconds(text, place);
	case PARSE_PERCENT:
		return parse_percent(text, place);
	case PARSE_COUNT:
		return parse_seconds(text, place);
	case PARSE_RATE:
		return parse_rate(text, place);
	case PARSE_COUNTERS:
		return parse_counters(text, place);
	case PARSE_EVENT:
		return parse_event(text, place);
	case PARSE_CHOICE:
		return parse_choice(text, setting->choices, place);
	case PARSE_TEXT:
		break;
	}
	return false;
}

static const char *expectation(const struct setting *setting)
{
	switch (setting->parse) {
	case PARSE_SWITCH:
		return "yes or no";
	case PARSE_SIZE:
		return "a number of bytes such as 64M";
	case PARSE_SECONDS:
		return "a number of seconds";
	case PARSE_PERCENT:
		return "a share such as 50%";
	case PARSE_COUNT:
		return "a number";
	case PARSE_RATE:
		return "off or a number up to 10000";
	case PARSE_COUNTERS:
#define COUNTER_NAME(id, name, key) ", " name
		return "off" SAMPLE_COUNTERS(COUNTER_NAME) " (up to 3 of these)";
#undef COUNTER_NAME
	case PARSE_EVENT:
		return "off, or a counter and a number such as branch-misses:100003";
	case PARSE_CHOICE:
		return setting->choices;
	case PARSE_TEXT:
		return setting->choices;
	}
	return "";
}

static void report_unknown(const char *name, FILE *messages)
{
	struct nearest_word nearest = {.written = name, .length = strlen(name)};

	for (const struct setting *setting = table; setting < table + SETTING_COUNT; setting++)
		nearest_word_offer(&nearest, setting->name);
	if (nearest.name != NULL)
		fprintf(messages, "pomp: %s is not a setting and is ignored; did you mean %s?\n",
		    name, nearest.name);
	else
		fprintf(messages, "pomp: %s is not a setting and is ignored\n", name);
}

static const struct setting *find_setting(const char *name, size_t length)
{
	for (const struct setting *setting = table; setting < table + SETTING_COUNT; setting++)
		if (strlen(setting->name) == length && strncmp(setting->name, name, length) == 0)
			return setting;
	return NULL;
}

/* Returns the setting that this row is another name for, or NULL. */
static const struct setting *proper_setting(const struct setting *other)
{
	for (const struct setting *setting = table; setting < other; setting++)
		if (setting->offset == other->offset)
			return setting;
	return NULL;
}

static const char *value_of(char **environment, const char *name)
{
	size_t length = strlen(name);

	for (; *environment != NULL; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

/*
 * Returns whether a value is also given under the proper name, which then takes effect in any
 * order; reports it if the values differ.
 */
static bool is_overruled(
    char **environment, const struct setting *setting, const char *value, FILE *messages)
{
	const struct setting *proper = proper_setting(setting);
	const char *stronger = proper != NULL ? value_of(environment, proper->name) : NULL;

	if (stronger != NULL && strcmp(stronger, value) != 0)
		fprintf(messages, "pomp: %s='%s': another name for %s; using %s='%s'\n",
		    setting->name, value, proper->name, proper->name, stronger);
	return stronger != NULL;
}

void pomp_settings_read(struct pomp_settings *settings, char **environment, FILE *messages)
{
	for (const struct setting *setting = table; setting < table + SETTING_COUNT; setting++)
		parse(settings, setting, setting->standard);
	for (char **entry = environment; entry != NULL && *entry != NULL; entry++) {
		const char *equals = strchr(*entry, '=');
		if (equals == NULL || strncmp(*entry, "POMP_", 5) != 0)
			continue;
		size_t length = (size_t)(equals - *entry);
		const struct setting *setting = find_setting(*entry, length);
		if (setting == NULL) {
			char name[64];
			snprintf(name, sizeof(name), "%.*s", (int)length, *entry);
			report_unknown(name, messages);
		} else if (!is_overruled(environment, setting, equals + 1, messages) &&
			   !parse(settings, setting, equals + 1)) {
			fprintf(messages, "pomp: %s='%s': expected %s; using %s\n", setting->name,
			    equals + 1, expectation(setting), setting->standard);
		}
	}
}

bool pomp_setting_set(
    struct pomp_settings *settings, const char *name, const char *value, const char **expected)
{
	const struct setting *setting = find_setting(name, strlen(name));

	CHECK(setting != NULL, "the variable is in the table");
	*expected = expectation(setting);
	return parse(settings, setting, value);
}

bool pomp_setting_describe(size_t index, struct pomp_setting_text *text)
{
	if (index >= SETTING_COUNT)
		return false;
	*text = (struct pomp_setting_text){.name = table[index].name,
	    .standard = table[index].standard,
	    .expected = expectation(&table[index]),
	    .meaning = table[index].meaning,
	    .more = table[index].more};
	return true;
}

void pomp_settings_write(const struct pomp_settings *settings, FILE *out)
{
	for (const struct setting *setting = table; setting < table + SETTING_COUNT; setting++) {
		const void *place = (const char *)settings + setting->offset;
		const char *choice = setting->choices != NULL ? setting->choices : "";

		fprintf(out, "# %s", setting->meaning);
		if (choice[0] != '\0')
			fprintf(out, " (%s)", choice);
		fprintf(out, "\n%s=", setting->name);
		switch (setting->parse) {
		case PARSE_SWITCH:
			fputs(*(const bool *)place ? "yes" : "no", out);
			break;
		case PARSE_SIZE:
		case PARSE_SECONDS:
		case PARSE_PERCENT:
		case PARSE_COUNT:
		case PARSE_RATE:
			fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)place);
			break;
		case PARSE_COUNTERS:
			write_counters(*(const uint64_t *)place, out);
			break;
		case PARSE_EVENT:
			write_event(*(const struct sample_event *)place, out);
			break;
		case PARSE_TEXT:
			fputs(*(const char *const *)place, out);
			break;
		case PARSE_CHOICE:
			for (int skip = *(const int *)place; skip > 0; skip--)
				choice += strcspn(choice, "|") + 1;
			fprintf(out, "%.*s", (int)strcspn(choice, "|"), choice);
			break;
		}
		fputc('\n', out);
	}
}
