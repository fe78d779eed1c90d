/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes UTF-8, and knows what its characters do on a terminal. */
#include "common/utf8.h"

#include <stddef.h>

/*
 * The range of the first byte, how many bytes follow, and the allowed range of the second byte,
 * which excludes overlong forms, surrogates and code points above U+10FFFF (Unicode 15, table 3-7).
 */
static const struct lead {
	unsigned char first, last, following, second_min, second_max;
} leads[] = {
    {0xc2, 0xdf, 1, 0x80, 0xbf},
    {0xe0, 0xe0, 2, 0xa0, 0xbf},
    {0xe1, 0xec, 2, 0x80, 0xbf},
    {0xed, 0xed, 2, 0x80, 0x9f},
    {0xee, 0xef, 2, 0x80, 0xbf},
    {0xf0, 0xf0, 3, 0x90, 0xbf},
    {0xf1, 0xf3, 3, 0x80, 0xbf},
    {0xf4, 0xf4, 3, 0x80, 0x8f},
};

static uint32_t decode(const unsigned char *bytes, const struct lead *lead)
{
	uint32_t character = bytes[0] & (0x3f >> lead->following);

	if (bytes[1] < lead->second_min || bytes[1] > lead->second_max)
		return UTF8_REPLACEMENT;
	for (int i = 1; i <= lead->following; i++) {
		/* A NUL also stops here: it is not a continuation byte. */
		if ((bytes[i] & 0xc0) != 0x80)
			return UTF8_REPLACEMENT;
		character = character << 6 | (bytes[i] & 0x3f);
	}
	return character;
}

uint32_t utf8_next(const char **text)
{
	const unsigned char *bytes = (const unsigned char *)*text;

	if (bytes[0] == 0)
		return 0;
	if (bytes[0] < 0x80) {
		++*text;
		return bytes[0];
	}
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		if (bytes[0] < leads[i].first || bytes[0] > leads[i].last)
			continue;
		uint32_t character = decode(bytes, &leads[i]);

		/* U+FFFD itself, correctly encoded, also moves by its length. */
		*text += character != UTF8_REPLACEMENT ||
				 (bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] == 0xbd)
			     ? leads[i].following + 1
			     : 1;
		return character;
	}
	++*text;
	return UTF8_REPLACEMENT;
}

struct range {
	uint32_t first, last;
};

static bool is_within(uint32_t character, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (character >= ranges[i].first && character <= ranges[i].last)
			return true;
	}
	return false;
}

/* Characters that would move the cursor or change the text's direction. */
static const struct range unsafe[] = {
    {0x00, 0x1f},
    {0x7f, 0x9f},
    {0x200e, 0x200f},
    {0x2028, 0x202e},
    {0x2066, 0x2069},
};
static const struct range combining[] = {
    {0x0300, 0x036f},
    {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff},
    {0x200b, 0x200d},
    {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f},
};
static const struct range wide[] = {
    {0x1100, 0x115f},
    {0x2e80, 0xa4cf},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f300, 0x1faff},
    {0x20000, 0x3fffd},
};

#define WITHIN(character, ranges) is_within(character, ranges, sizeof(ranges) / sizeof(ranges[0]))

bool utf8_is_unsafe(uint32_t character)
{
	return WITHIN(character, unsafe);
}

int utf8_columns(uint32_t character)
{
	return WITHIN(character, combining) ? 0 : WITHIN(character, wide) ? 2 : 1;
}
