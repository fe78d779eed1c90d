/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the writers of JSON and CSV put into a file: bytes, texts, numbers. They do not take the
 * file's lock, because exports contain millions of items: no other thread may use the file while a
 * document is written.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline void put_byte(FILE *out, char byte)
{
	putc_unlocked(byte, out);
}

static inline void put_bytes(FILE *out, const char *bytes, size_t count)
{
	fwrite_unlocked(bytes, 1, count, out);
}

static inline void put_text(FILE *out, const char *text)
{
	put_bytes(out, text, strlen(text));
}

void put_number(FILE *out, uint64_t number);
void put_signed(FILE *out, int64_t number);

/* "12.345" for 12345 with three decimals, of which there are 1 to 9. */
void put_scaled(FILE *out, uint64_t number, unsigned decimals);

/*
 * printf's "%.*f" and "%.*g", with a point whatever the locale is. The number is finite.
 */
void put_decimal(FILE *out, double number, unsigned decimals);
void put_real(FILE *out, double number, unsigned digits);

#endif
