/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads whole numbers: digits only, without a sign. */
#include "option-numbers.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool option_read_number(
    const char *text, unsigned low, unsigned high, const char **end, unsigned *number)
{
	char *behind;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	unsigned long value = strtoul(text, &behind, 10);
	if (errno != 0 || value < low || value > high)
		return false;
	*end = behind;
	*number = (unsigned)value;
	return true;
}

bool option_set_number(void *field, const char *value, struct option_reading *reading, unsigned low,
    unsigned high, const char *what)
{
	const char *end = "";

	if (option_read_number(value, low, high, &end, field) && *end == '\0')
		return true;
	return option_expected(reading, "%s between %u and %u", what, low, high);
}

bool option_set_seconds(void *field, const char *value, struct option_reading *reading)
{
	static const struct {
		const char *unit;
		unsigned seconds;
	} units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}};
	const unsigned most = INT_MAX / 1000;
	const char *end;
	unsigned number;

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (option_read_number(value, 1, most / units[i].seconds, &end, &number) &&
		    strcmp(end, units[i].unit) == 0) {
			*(unsigned *)field = number * units[i].seconds;
			return true;
		}
	return option_expected(
	    reading, "expected seconds between 1 and %u, or a time such as 90s, 5m or 2h", most);
}
