/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Digits of numbers. Whole numbers are written without printf, because exports contain millions of
 * them. printf's decimal point depends on the locale, and the measured program may have set any.
 */
#include "output.h"

enum { DIGITS = 20 }; /* of the largest 64-bit number */

/* Puts the digits before `end`; returns where they begin. */
static char *put_digits(char *end, uint64_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	return end;
}

void put_number(FILE *out, uint64_t number)
{
	char text[DIGITS], *end = text + DIGITS, *begin = put_digits(end, number);

	put_bytes(out, begin, (size_t)(end - begin));
}

void put_signed(FILE *out, int64_t number)
{
	if (number < 0)
		put_byte(out, '-');
	put_number(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void put_scaled(FILE *out, uint64_t number, unsigned decimals)
{
	char text[DIGITS + 1], *end = text + sizeof(text), *begin = end;

	for (unsigned i = 0; i < decimals; i++) {
		*--begin = (char)('0' + number % 10);
		number /= 10;
	}
	*--begin = '.';
	begin = put_digits(begin, number);
	put_bytes(out, begin, (size_t)(end - begin));
}

/* Writes the output of printf, with a point in place of whatever separates the digits. */
static void write_with_point(FILE *out, const char *text)
{
	static const char parts_of_numbers[] = "0123456789+-e";
	size_t whole = strspn(text, parts_of_numbers);

	put_bytes(out, text, whole);
	text += whole;
	if (*text == '\0')
		return;
	put_byte(out, '.');
	put_text(out, text + strcspn(text, parts_of_numbers));
}

void put_decimal(FILE *out, double number, unsigned decimals)
{
	char text[400]; /* the largest double has 309 digits before the point */

	snprintf(text, sizeof(text), "%.*f", (int)decimals, number);
	write_with_point(out, text);
}

void put_real(FILE *out, double number, unsigned digits)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*g", (int)digits, number);
	write_with_point(out, text);
}
