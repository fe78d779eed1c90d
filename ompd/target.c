/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounded reads from a target; target.h describes what is checked and why. */
#include "target.h"

#include <string.h>

#include "library.h"
#include "shared/precondition.h"

void reader_begin(struct reader *reader, const struct _ompd_aspace_handle *space)
{
	reader->space = space;
	reader->rc = library_callbacks() != NULL ? ompd_rc_ok : ompd_rc_error;
	reader->budget = TARGET_READS;
	reader->fetches = TARGET_READS;
	reader->bulk = NULL;
	memset(reader->starts, 0, sizeof(reader->starts));
}

void reader_begin_bulk(struct reader *reader)
{
	CHECK(reader->bulk == NULL, "the reader is not a bulk reader yet");

	void *memory;

	if (reader->rc == ompd_rc_ok)
		reader->rc =
		    library_alloc((ompd_size_t)READER_BULK_LINES * TARGET_BULK_BYTES, &memory);
	if (reader->rc != ompd_rc_ok)
		return;
	reader->bulk = memory;
	reader->budget = TARGET_BULK_REQUESTS;
	memset(reader->starts, 0, sizeof(reader->starts));
}

void reader_end_bulk(struct reader *reader)
{
	if (reader->bulk != NULL)
		library_free(reader->bulk);
	reader->bulk = NULL;
}

void reader_expect(struct reader *reader, bool holds)
{
	if (reader->rc == ompd_rc_ok && !holds)
		reader->rc = ompd_rc_error;
}

/* The last byte's address must also be valid; the page at 0 never is. */
static bool is_inside(const struct reader *reader, ompd_addr_t address, ompd_size_t bytes)
{
	ompd_addr_t last = address + bytes - 1;

	if (address == 0 || bytes == 0 || last < address)
		return false;
	return reader->space->sizes.sizeof_pointer == 8 || last <= UINT32_MAX;
}

static bool may_read(struct reader *reader, ompd_addr_t address, ompd_size_t bytes)
{
	reader_expect(reader,
	    reader->budget > 0 && bytes <= TARGET_READ_BYTES && is_inside(reader, address, bytes));
	if (reader->rc != ompd_rc_ok)
		return false;
	reader->budget--;
	return true;
}

static ompd_rc_t fetch(struct reader *reader, ompd_addr_t address, ompd_size_t bytes, void *buffer)
{
	ompd_address_t from = {OMPD_SEGMENT_UNSPECIFIED, address};

	if (reader->fetches == 0)
		return ompd_rc_error;
	reader->fetches--;
	return library_callbacks()->read_memory(reader->space->context, NULL, &from, bytes, buffer);
}

/* A debugger uses these codes to report that part of a range cannot be read. */
static bool is_read_error(ompd_rc_t rc)
{
	return rc == ompd_rc_device_read_error || rc == ompd_rc_error || rc == ompd_rc_incomplete ||
	       rc == ompd_rc_unavailable;
}

/* Marks a line that cannot be read: its start plus this. */
enum { CANNOT_BE_READ = 1 };

/*
 * Returns the bytes in one of the reader's cached lines, which is fetched if necessary. NULL: the
 * bytes cross two lines, or the line cannot be read (rc keeps other errors).
 */
static const unsigned char *find_line(struct reader *reader, ompd_addr_t address, ompd_size_t bytes)
{
	ompd_size_t wide = reader->bulk != NULL ? TARGET_BULK_BYTES : READER_LINE_BYTES;
	ompd_addr_t start = address & ~(wide - 1);
	uint32_t place =
	    (uint32_t)(start / wide) % (reader->bulk != NULL ? READER_BULK_LINES : READER_LINES);
	unsigned char *line =
	    reader->bulk != NULL ? reader->bulk + place * wide : reader->lines[place];
	ompd_rc_t rc;

	if (bytes > wide - (address - start) || !is_inside(reader, start, wide))
		return NULL;
	if (reader->starts[place] == (start | CANNOT_BE_READ))
		return NULL;
	if (reader->starts[place] != start) {
		rc = fetch(reader, start, wide, line);
		reader->starts[place] = rc == ompd_rc_ok ? start : start | CANNOT_BE_READ;
		reader->rc = is_read_error(rc) ? ompd_rc_ok : rc;
		if (rc != ompd_rc_ok)
			return NULL;
	}
	return line + (address - start);
}

void read_bytes(struct reader *reader, ompd_addr_t address, ompd_size_t bytes, void *buffer)
{
	const unsigned char *line = NULL;

	if (may_read(reader, address, bytes)) {
		line = find_line(reader, address, bytes);
		if (line != NULL)
			memcpy(buffer, line, bytes);
		else if (reader->rc == ompd_rc_ok)
			reader->rc = fetch(reader, address, bytes, buffer);
	}
	if (reader->rc != ompd_rc_ok)
		memset(buffer, 0, bytes <= TARGET_READ_BYTES ? bytes : 0);
}

uint64_t read_number(struct reader *reader, ompd_addr_t address, uint32_t width)
{
	union {
		uint8_t one;
		uint16_t two;
		uint32_t four;
		uint64_t eight;
		unsigned char bytes[8];
	} value = {0};

	if (reader->rc == ompd_rc_ok && width != 1 && width != 2 && width != 4 && width != 8)
		reader->rc = ompd_rc_incompatible;
	if (reader->rc != ompd_rc_ok)
		return 0;
	/* At most 4: 32-bit targets align larger numbers only that much. */
	reader_expect(reader, address % (width < 4 ? width : 4) == 0);
	read_bytes(reader, address, width, value.bytes);
	for (uint32_t i = 0; reader->space->is_swapped && i < width / 2; i++) {
		unsigned char byte = value.bytes[i];
		value.bytes[i] = value.bytes[width - 1 - i];
		value.bytes[width - 1 - i] = byte;
	}
	if (reader->rc != ompd_rc_ok)
		return 0;
	switch (width) {
	case 1:
		return value.one;
	case 2:
		return value.two;
	case 4:
		return value.four;
	default:
		return value.eight;
	}
}

ompd_addr_t field_address(struct reader *reader, ompd_addr_t base, enum target_field_id field)
{
	const struct target_field *place = &reader->space->fields[field];

	if (reader->rc == ompd_rc_ok && place->size == 0)
		reader->rc = ompd_rc_incompatible;
	reader_expect(reader, base != 0 && base + place->offset >= base);
	return reader->rc == ompd_rc_ok ? base + place->offset : 0;
}

uint64_t read_field(struct reader *reader, ompd_addr_t base, enum target_field_id field)
{
	return read_number(
	    reader, field_address(reader, base, field), reader->space->fields[field].size);
}

int64_t read_signed(struct reader *reader, ompd_addr_t base, enum target_field_id field)
{
	uint64_t value = read_field(reader, base, field);
	uint32_t size = reader->space->fields[field].size;
	uint64_t sign = size >= 1 && size <= 8 ? UINT64_C(1) << (size * 8 - 1) : 0;

	return (int64_t)((value ^ sign) - sign);
}

ompd_addr_t read_pointer(struct reader *reader, ompd_addr_t base, enum target_field_id field)
{
	if (reader->rc == ompd_rc_ok &&
	    reader->space->fields[field].size != reader->space->sizes.sizeof_pointer)
		reader->rc = ompd_rc_incompatible;
	return read_field(reader, base, field);
}

/*
 * Reads in pieces that end at multiples of `step`, so that no read goes beyond the end of existing
 * memory unless the text itself does.
 */
static void read_pieces(
    struct reader *reader, ompd_addr_t address, char *buffer, ompd_size_t room, ompd_size_t step)
{
	ompd_size_t length = 0;

	while (length + 1 < room) {
		ompd_address_t from = {OMPD_SEGMENT_UNSPECIFIED, address + length};
		ompd_size_t part = step - from.address % step;
		if (part > room - 1 - length)
			part = room - 1 - length;
		if (may_read(reader, from.address, part))
			reader->rc = library_callbacks()->read_string(
			    reader->space->context, NULL, &from, part, buffer + length);
		if (reader->rc != ompd_rc_ok || memchr(buffer + length, '\0', part) != NULL)
			break;
		length += part;
	}
	buffer[reader->rc == ompd_rc_ok ? room - 1 : 0] = '\0';
}

/*
 * First reads as few pieces as pages allow, because LLVM's debugger commands fail if a text is
 * longer than the requested piece. If that fails, reads short pieces, for debuggers that read the
 * whole piece and a text at the end of a section of a file.
 */
void read_text(struct reader *reader, ompd_addr_t address, char *buffer, ompd_size_t room)
{
	enum { PAGE = 4096, SHORT = 64 };

	buffer[0] = '\0';
	if (reader->rc != ompd_rc_ok)
		return;
	read_pieces(reader, address, buffer, room, PAGE);
	if (!is_read_error(reader->rc))
		return;
	reader->rc = ompd_rc_ok;
	read_pieces(reader, address, buffer, room, SHORT);
}
