/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements record-layouts.h: one table of layouts for events, and one for definitions. */
#include "record-layouts.h"

#include <string.h>

/* By kind; the first ten numbers are not of events. */
static const char *const events[] = {
    [6] = "*N(4tv)", /* the list of attributes of the next event */
    [10] = "q",      /* buffer flush */
    [11] = "b",
    [12] = "!4", /* enter, leave */
    [13] = "!4",
    [14] = "4448", /* MPI */
    [15] = "44488",
    [16] = "!8",
    [17] = "!8",
    [18] = "4448",
    [19] = "44488",
    [20] = "!8",
    [21] = "!8",
    [22] = "",
    [23] = "b4488",
    [24] = "!4", /* OpenMP of the first versions */
    [25] = "",
    [26] = "44",
    [27] = "44",
    [28] = "!8",
    [29] = "!8",
    [30] = "!8",
    [31] = "*4n(b8)", /* metric */
    [32] = "44",      /* parameters */
    [33] = "48",
    [34] = "48",
    [35] = "4", /* one-sided communication */
    [36] = "4",
    [37] = "",
    [38] = "b44488",
    [39] = "444",
    [40] = "448b",
    [41] = "448b",
    [42] = "448b",
    [43] = "448",
    [44] = "44b",
    [45] = "4",
    [46] = "4488",
    [47] = "4488",
    [48] = "44b888",
    [49] = "48",
    [50] = "48",
    [51] = "48",
    [52] = "48",
    [53] = "b4", /* threads */
    [54] = "b",
    [55] = "4",
    [56] = "4",
    [57] = "b44",
    [58] = "b44",
    [59] = "444",
    [60] = "444",
    [61] = "444",
    [62] = "48",
    [63] = "48",
    [64] = "48",
    [65] = "48",
    [66] = "44", /* calling contexts */
    [67] = "4",
    [68] = "444",
    [69] = "4b44", /* input and output */
    [70] = "4",
    [71] = "444",
    [72] = "48b8",
    [73] = "44",
    [74] = "b4",
    [75] = "4b488",
    [76] = "48",
    [77] = "48",
    [78] = "488",
    [79] = "48",
    [80] = "4b",
    [81] = "4b",
    [82] = "4b",
    [83] = "*4N(4)", /* begin and end of the program */
    [84] = "8",
    [85] = "8", /* MPI's collective operations that do not block */
    [86] = "b44888",
    [87] = "4", /* communicators */
    [88] = "4",
};

enum { LOCAL_FIRST = 10 };

/* By kind, of the archive and of locations; those below 10 are of the archive. */
static const char *const definitions[] = {
    [5] = "888?8", /* clock */
    [6] = "b4b",
    [7] = "bbtv",
    [8] = "*b44b4n(btv)",
    [10] = "*4s",
    [11] = "44b?4",
    [12] = "4444",
    [13] = "44b4?4",
    [14] = "84b84",
    [15] = "444b444?4bb4", /* region */
    [16] = "44444",
    [17] = "444",
    [18] = "*44bN(8)?bb4",
    [19] = "444bbbb84",
    [20] = "*4n(4)b?b",
    [21] = "448b8",
    [22] = "4444?4",
    [23] = "44b",
    [24] = "444?4",
    [25] = "48",
    [26] = "444?tv",
    [27] = "4b",
    [28] = "444?tv",
    [29] = "844?tv",
    [30] = "444b",
    [31] = "*444n(4)",
    [32] = "*44n(4)",
    [33] = "444",
    [34] = "4444",
    [35] = "44tv",
    [36] = "44bb88",
    [37] = "44tv",
    [38] = "444",
    [39] = "444",
    [40] = "444b444",
    [41] = "4b4",
    [42] = "44tv",
    [43] = "444444",
};

static const char *const local_definitions[] = {
    [5] = "*bm",
    [6] = "q8q",
};

#define LAYOUT_AT(table, kind) ((kind) < sizeof(table) / sizeof((table)[0]) ? (table)[kind] : NULL)

const char *record_layout(enum file_content content, unsigned kind)
{
	if (content == CONTENT_EVENTS)
		return LAYOUT_AT(events, kind);
	if (content == CONTENT_LOCAL_DEFINITIONS && kind < LOCAL_FIRST)
		return LAYOUT_AT(local_definitions, kind);
	return LAYOUT_AT(definitions, kind);
}

/* Whether there are that many bytes; if not, none is left. */
static bool has(struct record_bytes *bytes, size_t count)
{
	if ((size_t)(bytes->end - bytes->at) >= count)
		return true;
	bytes->at = bytes->end;
	return false;
}

static bool skip(struct record_bytes *bytes, size_t count)
{
	if (!has(bytes, count))
		return false;
	bytes->at += count;
	return true;
}

/* The next bytes as a number; there are that many. */
static uint64_t join(struct record_bytes *bytes, unsigned count)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < count; i++)
		number |= (uint64_t)bytes->at[i] << 8 * (bytes->is_big_endian ? count - 1 - i : i);
	bytes->at += count;
	return number;
}

bool record_take_number(struct record_bytes *bytes, unsigned most, uint64_t *number)
{
	unsigned size;

	if (!has(bytes, 1))
		return false;
	size = *bytes->at++;
	if (size == UINT8_MAX) {
		*number = UINT64_MAX >> 8 * (sizeof(*number) - most);
		return true;
	}
	if (size > most || !has(bytes, size))
		return false;
	*number = join(bytes, size);
	return true;
}

bool record_take_long(struct record_bytes *bytes, uint64_t *number)
{
	if (!has(bytes, sizeof(*number)))
		return false;
	*number = join(bytes, sizeof(*number));
	return true;
}

static bool take_text(struct record_bytes *bytes)
{
	const unsigned char *end = memchr(bytes->at, '\0', (size_t)(bytes->end - bytes->at));

	if (!end)
		return false;
	bytes->at = end + 1;
	return true;
}

/* By type, as OTF2_Type; of others the library takes as many bytes as of 64 bits. */
static bool take_value(struct record_bytes *bytes, unsigned type)
{
	uint64_t number;

	switch (type) {
	case OTF2_TYPE_NONE:
	case OTF2_TYPE_UINT64:
	case OTF2_TYPE_INT64:
	case OTF2_TYPE_LOCATION:
		return record_take_number(bytes, 8, &number);
	case OTF2_TYPE_UINT8:
	case OTF2_TYPE_INT8:
		return skip(bytes, 1);
	case OTF2_TYPE_UINT16:
	case OTF2_TYPE_INT16:
		return skip(bytes, 2);
	case OTF2_TYPE_FLOAT:
		return skip(bytes, 4);
	case OTF2_TYPE_DOUBLE:
		return skip(bytes, 8);
	default:
		return record_take_number(bytes, type <= OTF2_TYPE_LOCATION_GROUP ? 4 : 8, &number);
	}
}

static bool take_table(struct record_bytes *bytes)
{
	uint64_t count, number;
	bool is_sparse;

	if (!record_take_number(bytes, 8, &count) || !has(bytes, 1))
		return false;
	is_sparse = *bytes->at++ != OTF2_ID_MAP_DENSE;
	for (uint64_t i = 0; i < count; i++) {
		if (!record_take_number(bytes, 8, &number) ||
		    (is_sparse && !record_take_number(bytes, 8, &number)))
			return false;
	}
	return true;
}

/* One field that is no group; *last: the last number or byte, which a group or a value needs. */
static bool take_field(struct record_bytes *bytes, char field, uint64_t *last)
{
	switch (field) {
	case '4':
	case 'N':
		return record_take_number(bytes, 4, last);
	case '8':
		return record_take_number(bytes, 8, last);
	case 'q':
		return record_take_long(bytes, last);
	case 's':
		return take_text(bytes);
	case 'm':
		return take_table(bytes);
	case 'v':
		return take_value(bytes, (unsigned)*last);
	default: /* b, n, t */
		if (!has(bytes, 1))
			return false;
		*last = *bytes->at++;
		return true;
	}
}

static bool take_group(
    struct record_bytes *bytes, const char *fields, const char *end, uint64_t count)
{
	uint64_t last = 0;

	for (uint64_t i = 0; i < count; i++) {
		for (const char *field = fields; field < end; field++) {
			if (!take_field(bytes, *field, &last))
				return false;
		}
	}
	return true;
}

bool record_take_fields(
    struct record_bytes *bytes, const char *layout, const unsigned char *record_end)
{
	uint64_t last = 0;

	for (const char *field = layout; *field; field++) {
		if (*field == RECORD_WITHOUT_LENGTH || *field == RECORD_IS_OPEN)
			continue;
		if (*field == '?') {
			if (bytes->at >= record_end)
				return true;
		} else if (*field == '(') {
			const char *end = strchr(field, ')');

			if (!take_group(bytes, field + 1, end, last))
				return false;
			field = end;
		} else if (!take_field(bytes, *field, &last)) {
			return false;
		}
	}
	return true;
}
