/* SPDX-License-Identifier: BSD-3-Clause */
/* The few token shapes that values of environment variables are made of. */
#include "value-scan.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static bool is_word_character(char character)
{
	return isalnum((unsigned char)character) || character == '_';
}

bool rt_scan_end(const char **text)
{
	const char *next = skip_blanks(*text);

	if (*next != '\0')
		return false;
	*text = next;
	return true;
}

bool rt_scan_char(const char **text, char wanted)
{
	const char *next = skip_blanks(*text);

	if (*next != wanted)
		return false;
	*text = next + 1;
	return true;
}

bool rt_scan_word(const char **text, const char *word)
{
	const char *next = skip_blanks(*text);
	size_t length = strlen(word);

	if (strncasecmp(next, word, length) != 0 || is_word_character(next[length]))
		return false;
	*text = next + length;
	return true;
}

/* Digits only: neither blanks nor a sign before them. */
static bool scan_digits(const char **text, uint64_t max, uint64_t *value)
{
	const char *next = *text;
	uint64_t sum = 0;

	if (!isdigit((unsigned char)*next))
		return false;
	for (; isdigit((unsigned char)*next); next++) {
		uint64_t digit = (uint64_t)(*next - '0');
		if (sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	if (sum > max)
		return false;
	*text = next;
	*value = sum;
	return true;
}

bool rt_scan_number(const char **text, uint64_t max, uint64_t *value)
{
	const char *next = skip_blanks(*text);

	if (*next == '+')
		next++;
	if (!scan_digits(&next, max, value))
		return false;
	*text = next;
	return true;
}

bool rt_scan_signed(const char **text, int64_t max, int64_t *value)
{
	const char *next = skip_blanks(*text);
	bool negative = *next == '-';
	uint64_t size;

	if (*next == '-' || *next == '+')
		next++;
	if (!scan_digits(&next, (uint64_t)max, &size))
		return false;
	*text = next;
	*value = negative ? -(int64_t)size : (int64_t)size;
	return true;
}
