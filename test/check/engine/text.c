/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Texts that the C library formats for the code under test: checks which strings it reads and what
 * it writes. Only the usual conversions of a format are known; arguments after another one are not
 * checked.
 */
#include "engine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void *__wrap_malloc(size_t size);

static void note(const void *text, size_t size, bool is_write, const void *place)
{
	heap_access((uintptr_t)text, size, place);
	shadow_access((uintptr_t)text, size, is_write, false, place);
}

/* Checks the strings among the arguments. */
static void read_strings(const char *format, va_list list, const void *place)
{
	while ((format = strchr(format, '%')) != NULL) {
		size_t length = strspn(++format, "0123456789.lz");
		bool is_long = length > 0 && strpbrk(format, "lz") < format + length &&
			       strpbrk(format, "lz") != NULL;
		const char *text;

		format += length;
		switch (*format) {
		case 's':
			text = va_arg(list, const char *);
			note(text, strlen(text) + 1, false, place);
			break;
		case 'd':
		case 'u':
		case 'x':
		case 'c':
			if (is_long)
				(void)va_arg(list, long);
			else
				(void)va_arg(list, int);
			break;
		case '%':
			format++;
			break;
		default:
			return;
		}
	}
}

int __wrap_snprintf(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int __wrap_snprintf(char *text, size_t size, const char *format, ...)
{
	const void *place = __builtin_return_address(0);
	va_list list, strings;
	int length;

	va_start(list, format);
	va_copy(strings, list);
	if (check_self != NULL)
		read_strings(format, strings, place);
	va_end(strings);
	length = vsnprintf(text, size, format, list);
	va_end(list);
	if (check_self != NULL && size > 0)
		note(text, strnlen(text, size - 1) + 1, true, place);
	return length;
}

/* The result is in memory of the run. */
int __wrap_asprintf(char **result, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **result, const char *format, ...)
{
	const void *place = __builtin_return_address(0);
	va_list list, strings;
	int length;

	va_start(list, format);
	va_copy(strings, list);
	if (check_self != NULL)
		read_strings(format, strings, place);
	va_end(strings);
	va_copy(strings, list);
	length = vsnprintf(NULL, 0, format, strings);
	va_end(strings);
	*result = length >= 0 ? __wrap_malloc((size_t)length + 1) : NULL;
	if (*result != NULL)
		vsnprintf(*result, (size_t)length + 1, format, list);
	va_end(list);
	if (*result == NULL)
		return -1;
	if (check_self != NULL)
		note(*result, (size_t)length + 1, true, place);
	return length;
}
