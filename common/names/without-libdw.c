/* SPDX-License-Identifier: BSD-3-Clause */
/* In a build without elfutils, no place gets a name. */
#include "namer.h"

#include <stddef.h>

static struct code_namer *begin(const struct code_names_settings *settings)
{
	(void)settings;
	return NULL;
}

static void limit(struct code_namer *namer, double seconds)
{
	(void)namer, (void)seconds;
}

static bool find(
    struct code_namer *namer, const struct code_question *question, struct code_name *name)
{
	(void)namer, (void)question;
	*name = (struct code_name){0};
	return false;
}

static bool find_line(
    struct code_namer *namer, const struct code_place *place, struct code_name *name)
{
	(void)namer, (void)place;
	*name = (struct code_name){0};
	return false;
}

static uint64_t debug_bytes(struct code_namer *namer, const struct code_place *place)
{
	(void)namer, (void)place;
	return 0;
}

static char *find_variable(struct code_namer *namer, const struct code_place *place)
{
	(void)namer, (void)place;
	return NULL;
}

static const char *problem(struct code_namer *namer, const char *module)
{
	(void)namer, (void)module;
	return "was not read: this build has no libdw";
}

static void end(struct code_namer *namer)
{
	(void)namer;
}

const struct code_names_table pomp_code_names = {CODE_NAMES_VERSION, begin, limit, find, find_line,
    find_line, debug_bytes, find_variable, problem, end};
