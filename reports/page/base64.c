/* SPDX-License-Identifier: BSD-3-Clause */
/* Base64: three bytes become four characters; "=" fills up an incomplete last group. */
#include "base64.h"

static void put_group(struct base64 *base64, int characters)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (int i = 0; i < 4; i++)
		putc_unlocked(
		    i < characters ? digits[base64->bits >> (18 - 6 * i) & 63] : '=', base64->out);
	base64->bits = 0;
	base64->bytes = 0;
}

void base64_put(struct base64 *base64, unsigned byte)
{
	base64->bits |= byte << (16 - 8 * base64->bytes);
	if (++base64->bytes == 3)
		put_group(base64, 4);
}

void base64_put_number(struct base64 *base64, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		base64_put(base64, (unsigned)(number & 0x7f) | 0x80);
	base64_put(base64, (unsigned)number);
}

void base64_end(struct base64 *base64)
{
	if (base64->bytes > 0)
		put_group(base64, base64->bytes + 1);
}
