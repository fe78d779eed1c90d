/* SPDX-License-Identifier: BSD-3-Clause */
/* Each schedule of a loop is an option "--schedule=FILE:LINE =KIND", by which its answer is found.
 */
#include "predicted-gains.h"

#include "common/json-reader.h"
#include "shared/loop-schedule.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_MOST = 3 }; /* schedules of a loop */

#define ROW "changes/"

/*
 * "--schedule=FILE:LINE =KIND" (heap) for a schedule of a loop, else NULL. Reports name a file
 * without its folder; the blank ends the line's number.
 */
static char *option_of(const struct tuned_setting *setting)
{
	const char *variable = setting->variables.items[0], *slash = strrchr(variable, '/');
	const char *name = variable + strlen(LOOP_SCHEDULE_SETTING "=");
	char *option = NULL;

	if (setting->place == 0 ||
	    strncmp(variable, LOOP_SCHEDULE_SETTING "=", (size_t)(name - variable)) != 0)
		return NULL;
	name = slash != NULL ? slash + 1 : name;
	const int place = (int)strcspn(name, "=");
	if (asprintf(&option, "--schedule=%.*s %s", place, name, name + place) < 0)
		return NULL;
	return option;
}

size_t predicted_gains_ask(const struct tuned_settings *settings, struct words *options)
{
	size_t count = 0;

	for (unsigned i = 0; i < settings->count; i++) {
		char *option = option_of(&settings->items[i]);
		if (option != NULL)
			words_add(options, option);
		count += option != NULL;
		free(option);
	}
	return count;
}

struct reading {
	struct tuned_settings *settings;
	struct tuned_setting *setting; /* of the row; NULL: none of ours */
};

static void visit(void *context, const char *path, const char *text)
{
	struct reading *reading = context;
	const char *key = strrchr(path, '/');

	if (key == NULL || strncmp(path, ROW, strlen(ROW)) != 0)
		return;
	if (strcmp(++key, "change") == 0) {
		reading->setting = NULL;
		for (unsigned i = 0; i < reading->settings->count; i++) {
			char *option = option_of(&reading->settings->items[i]);
			if (option != NULL && strcmp(option, text) == 0)
				reading->setting = &reading->settings->items[i];
			free(option);
		}
	}
	if (reading->setting == NULL)
		return;
	struct predicted_gain *predicted = &reading->setting->predicted;
	if (strcmp(key, "speedup") == 0)
		predicted->gain = strtod(text, NULL);
	else if (strcmp(key, "speedup_low") == 0)
		predicted->low = strtod(text, NULL);
	else if (strcmp(key, "speedup_high") == 0)
		predicted->high = strtod(text, NULL);
}

void predicted_gains_read(struct tuned_settings *settings, const char *json, size_t length)
{
	struct reading reading = {.settings = settings};

	if (json_read(json, length, visit, &reading) == 0)
		return;
	for (unsigned i = 0; i < settings->count; i++)
		settings->items[i].predicted = (struct predicted_gain){.high = 0};
}

/* What decides the order: of limits the better one, which may hold. */
static double rank_of(const struct tuned_setting *setting)
{
	return setting->predicted.gain > 0 ? setting->predicted.gain : setting->predicted.high;
}

/* Schedules of the same loop with a larger predicted gain. */
static size_t better_ones(const struct tuned_settings *settings, unsigned number)
{
	const struct tuned_setting *one = &settings->items[number];
	size_t better = 0;

	for (unsigned i = 0; i < settings->count; i++) {
		const struct tuned_setting *other = &settings->items[i];
		bool is_rival = other->place == one->place && other->predicted.high > 0;
		better += is_rival && (rank_of(other) > rank_of(one) ||
					  (rank_of(other) == rank_of(one) && i < number));
	}
	return better;
}

void predicted_gains_choose(struct tuned_settings *settings, double least)
{
	bool kept[GAIN_SETTINGS_MOST] = {false};
	size_t left_out = 0;

	for (unsigned i = 0; i < settings->count; i++) {
		const struct tuned_setting *setting = &settings->items[i];
		const struct predicted_gain *predicted = &setting->predicted;
		size_t most = rank_of(setting) < 1 + least ? 1 : KEPT_MOST;
		kept[i] = setting->place == 0 || predicted->high <= 0 ||
			  (predicted->high >= 1 + least && better_ones(settings, i) < most);
		left_out += !kept[i];
	}
	tuned_settings_keep(settings, kept);
	if (left_out > 0)
		words_add_format(&settings->left_out,
		    "%zu schedule%s of single loops %s not tried: by a prediction from one traced "
		    "run %s less than %g %%, or less than other schedules of the same loop",
		    left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are",
		    left_out == 1 ? "it brings" : "they bring", 100 * least);
}
