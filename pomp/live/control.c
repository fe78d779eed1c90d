/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a request completely before anything is changed. What threads do at their next event or
 * sample is in the room of what is changed.
 *
 * One thread at a time is in here (the lock). Threads with events never wait for it.
 */
#include "control.h"

#include "plain-name.h"
#include "pomp-atomics.h"
#include "process-state.h"
#include "thread-samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Under the lock. */
static struct {
	pthread_mutex_t lock;
	bool is_known; /* the rest is */
	uint32_t each; /* how many of the start's samples one is now; 0: they are off */
} control = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What a request asks for. */
struct wanted {
	bool has_sampling;
	uint32_t each;
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

static const struct {
	const char *name;
	int (*read)(struct wanted *wanted, const char *value, FILE *say);
} settings[] = {
    {"sampling", read_sampling},
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

static void change(const struct wanted *wanted)
{
	if (wanted->has_sampling && wanted->each != control.each) {
		control.each = wanted->each;
		pomp_samples_change(wanted->each);
	}
}

static void print_state(FILE *say)
{
	if (control.each != 0)
		fprintf(say, "sampling=%llu\n",
		    (unsigned long long)(pomp_process.settings.sampling / control.each));
	else
		fputs("sampling=off\n", say);
}

static void begin(void)
{
	if (control.is_known)
		return;
	control.is_known = true;
	control.each = pomp_process.settings.sampling != 0;
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
		print_state(say);
	}
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
