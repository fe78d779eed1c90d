/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a request completely before anything is changed. What threads do at their next event or
 * sample is in the room of what is changed.
 *
 * One thread at a time is in here (the lock). Threads with events never wait for it.
 */
#include "control.h"

#include "at-start.h"
#include "metrics.h"
#include "plain-name.h"
#include "pomp-atomics.h"
#include "process-state.h"
#include "region-filter.h"
#include "settings-change.h"
#include "thread-samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Under the lock. */
static struct {
	pthread_mutex_t lock;
	bool is_known; /* the rest is */
	uint32_t each; /* how many of the start's samples one is now; 0: they are off */
	char *filter;  /* the file's path (heap); NULL: none */
} control = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What a request asks for. */
struct wanted {
	bool has_sampling, has_filter, has_metrics;
	uint32_t each;
	char *path; /* of the filter's file, heap; NULL: none */
	struct pomp_filter filter;
	bool metrics; /* are read */
};

static int read_sampling(struct wanted *wanted, const char *value, FILE *say)
{
	uint64_t start = pomp_process.settings.sampling;
	uint64_t least = (start + POMP_SAMPLES_MOST_EACH - 1) / POMP_SAMPLES_MOST_EACH;
	struct pomp_settings settings = pomp_process.settings;
	const char *expected;

	if (!pomp_setting_set(&settings, "POMP_SAMPLING", value, &expected)) {
		fprintf(say, "sampling='%s': expected %s\n", value, expected);
		return EINVAL;
	}
	uint64_t rate = settings.sampling;
	if (start == 0 && rate != 0) {
		fprintf(say,
		    "sampling=%s: expected a program that takes samples from its start on "
		    "(POMP_SAMPLING)\n",
		    value);
		return ENOTSUP;
	}
	if (rate != 0 && (rate > start || rate < least)) {
		fprintf(say,
		    "sampling=%s: expected off, or a number from %llu to %llu, which is the rate of "
		    "the start (POMP_SAMPLING)\n",
		    value, (unsigned long long)least, (unsigned long long)start);
		return ERANGE;
	}
	wanted->has_sampling = true;
	wanted->each = rate != 0 ? (uint32_t)((start + rate - 1) / rate) : 0;
	return 0;
}

static int read_filter(struct wanted *wanted, const char *value, FILE *say)
{
	if (value[0] == '\0') {
		fputs("filter='': expected a file, or off\n", say);
		return EINVAL;
	}
	pomp_filter_free(&wanted->filter);
	free(wanted->path);
	wanted->path = NULL;
	wanted->has_filter = true;
	if (strcmp(value, "off") == 0)
		return 0;
	wanted->path = strdup(value);
	int error =
	    wanted->path != NULL ? pomp_filter_read_plain(&wanted->filter, value, say) : ENOMEM;
	if (error == 0 && wanted->filter.has_durations)
		wanted->filter.tick = pomp_clock_measure_tick(&pomp_process.clock);
	return error;
}

static int read_metrics(struct wanted *wanted, const char *value, FILE *say)
{
	wanted->metrics = strcmp(value, "on") == 0;
	wanted->has_metrics = true;
	if (!wanted->metrics && strcmp(value, "off") != 0) {
		fprintf(say,
		    "metrics='%s': expected on or off; which ones there are is chosen at the start "
		    "(POMP_METRICS)\n",
		    value);
		return EINVAL;
	}
	if (pomp_metrics.count > 0)
		return 0;
	fprintf(say,
	    "metrics=%s: expected a program that reads metrics from its start on (POMP_METRICS)\n",
	    value);
	return ENOTSUP;
}

static const struct {
	const char *name;
	int (*read)(struct wanted *wanted, const char *value, FILE *say);
} settings[] = {
    {"sampling", read_sampling},
    {"filter", read_filter},
    {"metrics", read_metrics},
};

/* Reads one line, which is cut. */
static int read_line(struct wanted *wanted, char *line, FILE *say)
{
	char *equals = strchr(line, '=');

	if (equals != NULL)
		*equals = '\0';
	for (size_t i = 0; equals != NULL && i < sizeof(settings) / sizeof(settings[0]); i++)
		if (strcmp(line, settings[i].name) == 0)
			return settings[i].read(wanted, equals + 1, say);
	fprintf(say, "'%s': expected one of", line);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		fprintf(say, "%s %s=...", i > 0 ? "," : "", settings[i].name);
	fputc('\n', say);
	return EINVAL;
}

static int read_all(struct wanted *wanted, const char *text, FILE *say)
{
	char *copy = strdup(text), *rest = copy, *line;
	int error = copy != NULL ? 0 : ENOMEM;

	while (error == 0 && (line = strsep(&rest, "\n")) != NULL)
		if (line[0] != '\0')
			error = read_line(wanted, line, say);
	free(copy);
	return error;
}

/* `end` follows each. */
static void print_state(FILE *say, char end)
{
	if (control.each != 0)
		fprintf(say, "sampling=%llu%c",
		    (unsigned long long)(pomp_process.settings.sampling / control.each), end);
	else
		fprintf(say, "sampling=off%c", end);
	fprintf(say, "filter=%s%c", control.filter != NULL ? control.filter : "off", end);
	fprintf(say, "metrics=%s%c",
	    pomp_metrics.count == 0              ? "none"
	    : load_relaxed(&pomp_metrics.paused) ? "off"
						 : "on",
	    end);
}

/* Lets threads take over what has changed, and traces say so. */
static void announce(void)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (out != NULL) {
		print_state(out, ' ');
		fclose(out);
	}
	if (text != NULL && length > 0)
		text[length - 1] = '\0';
	pomp_change_announce(text != NULL ? text : "");
	free(text);
}

/* The old rules and path are in `wanted` afterwards. */
static void change_filter(struct wanted *wanted)
{
	struct pomp_filter rules = pomp_filter;
	char *path = control.filter;

	pomp_filter = wanted->filter;
	control.filter = wanted->path;
	wanted->filter = rules;
	wanted->path = path;
	pomp_regions_filter();
}

static void change(struct wanted *wanted)
{
	if (!wanted->has_sampling && !wanted->has_filter && !wanted->has_metrics)
		return;
	pomp_lock_process();
	if (wanted->has_sampling && wanted->each != control.each) {
		control.each = wanted->each;
		pomp_samples_change(wanted->each);
	}
	if (wanted->has_filter)
		change_filter(wanted);
	if (wanted->has_metrics && wanted->metrics == (load_relaxed(&pomp_metrics.paused) != 0)) {
		store_relaxed(&pomp_metrics.paused, !wanted->metrics);
		pomp_metrics.pauses += !wanted->metrics;
	}
	announce();
	pomp_unlock_process();
}

static void begin(void)
{
	if (control.is_known)
		return;
	control.each = pomp_process.settings.sampling != 0;
	if (pomp_process.settings.filter[0] != '\0')
		control.filter = pomp_at_start_path(pomp_process.settings.filter);
	control.is_known = true;
}

/* What another thread of the parent was changing is changed or not: the fork had the process lock.
 */
static void unlock_in_child(void)
{
	pthread_mutex_init(&control.lock, NULL);
}

void pomp_control_prepare(void)
{
	pthread_atfork(NULL, NULL, unlock_in_child);
}

int pomp_control_change(const char *text, FILE *say)
{
	struct wanted wanted = {.each = 0};
	int error = ENOTSUP;

	/* Acquire: the settings of the start are complete. */
	if (load_acquire(&pomp_state) != POMP_STATE_ON) {
		fputs("nothing is measured (any more)\n", say);
		return error;
	}
	pthread_mutex_lock(&control.lock);
	begin();
	error = read_all(&wanted, text, say);
	if (error == 0) {
		change(&wanted);
		print_state(say, '\n');
	}
	pomp_filter_free(&wanted.filter);
	free(wanted.path);
	pthread_mutex_unlock(&control.lock);
	return error;
}

int pomp_control(const char *change_text)
{
	int before, error = errno, result = ENOMEM;
	char *said = NULL;
	size_t length = 0;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	FILE *say = open_memstream(&said, &length);
	if (say != NULL) {
		result = pomp_control_change(change_text != NULL ? change_text : "", say);
		fclose(say);
	}
	free(said);
	pthread_setcancelstate(before, NULL);
	errno = error;
	return result;
}
PLAIN_NAME(pomp_control)
