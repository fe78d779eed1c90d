/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements file-records.h. A file is a row of chunks: a head of 18 bytes, records, and the mark
 * of the chunk's end, or of the file's; all chunks but the last one are filled up. It is followed
 * as the library reads it, so both come to the same record with the same count. Where the library
 * notices by itself that a record is none, the count ends, too, because the library loses memory
 * then.
 */
#include "file-records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "record-layouts.h"

/* Kinds of records that only divide a file. */
enum {
	END_OF_CHUNK = 0,
	END_OF_FILE = 2,
	CHUNK_HEAD = 3,
	TIMESTAMP = 5,
	ATTRIBUTES = 6,
};

enum {
	HEAD_BYTES = 18,
	LITTLE_ENDIAN_MARK = 'B',
	BIG_ENDIAN_MARK = '#',
	LONG_LENGTH = 0xff, /* the length follows as 8 bytes */
	CLOSED_MOST = 128,  /* more than the fields of a record whose number is fixed can take */
};

static const char ends_early[] = "its file ends before that";
static const char is_damaged[] = "its file is damaged there";

struct walk {
	enum file_content content;
	struct record_bytes bytes;
	bool is_full; /* the bytes are a whole chunk */
	bool at_end;  /* the mark of the file's end was found */
	struct file_records found;
	struct file_records before; /* a record that is shorter than its fields; `trouble`: found */
};

/* Why a record that needs more bytes, or other ones, cannot be read. */
static bool stop(struct walk *walk, bool is_cut)
{
	walk->found.trouble = is_cut && !walk->is_full ? ends_early : is_damaged;
	return false;
}

/* Moves behind the length of a record; *end: where the record ends. */
static bool take_length(struct walk *walk, const unsigned char **end)
{
	struct record_bytes *bytes = &walk->bytes;
	uint64_t length, left;

	if (bytes->at == bytes->end)
		return stop(walk, true);
	length = *bytes->at++;
	if (length == LONG_LENGTH && !record_take_long(bytes, &length))
		return stop(walk, true);
	left = (uint64_t)(bytes->end - bytes->at);
	/* In a whole chunk, the mark of its end follows. */
	if (length > left || (length == left && walk->is_full))
		return stop(walk, true);
	*end = bytes->at + length;
	return true;
}

/*
 * Moves behind the record of that kind. The fields of most records are so few that they cannot
 * reach the end, whatever their bytes are. The library goes on where a record should end, even if
 * its fields took more bytes or fewer. A record of the first versions of OTF2 has fewer: whether
 * that is one is known when the mark of the file's end is found behind it.
 */
static bool take_record(struct walk *walk, unsigned kind)
{
	const char *layout = record_layout(walk->content, kind);
	struct record_bytes *bytes = &walk->bytes;
	bool has_length = !layout || layout[0] != RECORD_WITHOUT_LENGTH;
	const unsigned char *end = bytes->end;
	bool is_near;

	if (has_length && !take_length(walk, &end))
		return false;
	is_near = bytes->end - bytes->at < CLOSED_MOST || walk->content != CONTENT_EVENTS;
	if (layout && (!has_length || is_near || layout[0] == RECORD_IS_OPEN)) {
		if (!record_take_fields(bytes, layout, end)) {
			struct file_records before = walk->found;

			if (!has_length || layout[0] == RECORD_IS_OPEN || end == bytes->end ||
			    bytes->at != bytes->end || walk->is_full)
				return stop(walk, bytes->at == bytes->end);
			before.trouble = ends_early;
			if (!walk->before.trouble)
				walk->before = before;
		}
	}
	if (has_length)
		bytes->at = end;
	return true;
}

/* Follows a chunk's records up to the mark of its end, or of the file's. */
static bool walk_chunk(struct walk *walk)
{
	struct record_bytes *bytes = &walk->bytes;
	bool has_times = walk->content == CONTENT_EVENTS;
	uint64_t time;

	for (;;) {
		unsigned kind;

		if (bytes->at == bytes->end)
			return stop(walk, true);
		kind = *bytes->at++;
		if (has_times && kind == TIMESTAMP) {
			if (!record_take_long(bytes, &time) || bytes->at == bytes->end)
				return stop(walk, true);
			kind = *bytes->at++;
		}
		if (kind == END_OF_CHUNK)
			return true;
		if (kind == END_OF_FILE) {
			walk->at_end = true;
			return true;
		}
		if (!take_record(walk, kind))
			return false;
		walk->found.most += !has_times || kind != ATTRIBUTES;
	}
}

static bool take_head(struct walk *walk)
{
	const unsigned char *head = walk->bytes.at;

	if (walk->bytes.end - head < HEAD_BYTES)
		return stop(walk, true);
	if (head[0] != CHUNK_HEAD || (head[1] != LITTLE_ENDIAN_MARK && head[1] != BIG_ENDIAN_MARK))
		return stop(walk, false);
	walk->bytes.is_big_endian = head[1] == BIG_ENDIAN_MARK;
	walk->bytes.at += HEAD_BYTES;
	walk->found.is_readable = true;
	return true;
}

/* As many bytes as there are, at most `size`; -1: they cannot be read. */
static ssize_t read_whole(int file, unsigned char *bytes, size_t size)
{
	size_t have = 0;

	while (have < size) {
		ssize_t got = read(file, bytes + have, size - have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		have += (size_t)got;
	}
	return (ssize_t)have;
}

/* Follows a file from a chunk on; false if it does not come to the mark of the file's end. */
static bool walk_from(struct walk *walk, off_t from, int file, unsigned char *buffer, size_t chunk)
{
	ssize_t have;

	walk->found = walk->before = (struct file_records){0};
	if (lseek(file, from, SEEK_SET) < 0)
		return false;
	do {
		have = read_whole(file, buffer, chunk);
		if (have < 0) {
			walk->found.trouble = strerror(errno);
			return false;
		}
		walk->bytes.at = buffer;
		walk->bytes.end = buffer + have;
		walk->is_full = (size_t)have == chunk;
	} while (take_head(walk) && walk_chunk(walk) && !walk->at_end);
	if (!walk->at_end && walk->before.trouble)
		walk->found = walk->before;
	return walk->at_end;
}

/*
 * Only where the last chunk of events is damaged, or not the last one, are those before it
 * followed, too: that takes an eighth of the time of a report. The library reads no byte behind a
 * chunk that the file fills, unless a number of values there is damaged.
 */
static bool walk_file(
    struct walk *walk, int file, off_t length, unsigned char *buffer, size_t chunk)
{
	off_t last = length > 0 ? (length - 1) / (off_t)chunk * (off_t)chunk : 0;

	if (walk->content == CONTENT_EVENTS && last > 0 &&
	    walk_from(walk, last, file, buffer, chunk))
		return true;
	return walk_from(walk, 0, file, buffer, chunk);
}

struct file_records file_records_of(const char *path, enum file_content content, uint64_t chunk)
{
	static const struct file_records all = {.most = UINT64_MAX, .is_readable = true};
	int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct walk walk = {.content = content};
	unsigned char *buffer;
	struct stat status;
	bool is_whole;
	size_t size;

	if (file < 0)
		return all;
	if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
		close(file);
		return all;
	}
	/* Of a small file, one byte more than it has shows that it is not a whole chunk. */
	size = (uint64_t)status.st_size < chunk ? (size_t)status.st_size + 1 : (size_t)chunk;
	buffer = memory_new(size, 1);
	is_whole = walk_file(&walk, file, status.st_size, buffer, size);
	free(buffer);
	close(file);
	return is_whole ? all : walk.found;
}

struct file_records archive_file_records(
    const struct archive *archive, enum file_content content, OTF2_LocationRef location)
{
	int stem = (int)(strlen(archive->path) - strlen(".otf2"));
	OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
	OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
	uint64_t events = 0, definitions = 0;
	struct file_records records;
	char *path;

	OTF2_Reader_GetFileSubstrate(archive->reader, &substrate);
	OTF2_Reader_GetCompression(archive->reader, &compression);
	if (substrate != OTF2_SUBSTRATE_POSIX || compression != OTF2_COMPRESSION_NONE ||
	    OTF2_Reader_GetChunkSize(archive->reader, &events, &definitions) != OTF2_SUCCESS)
		return (struct file_records){.most = UINT64_MAX, .is_readable = true};
	if (content == CONTENT_DEFINITIONS)
		path = memory_print("%.*s.def", stem, archive->path);
	else
		path = memory_print("%.*s/%llu.%s", stem, archive->path,
		    (unsigned long long)location, content == CONTENT_EVENTS ? "evt" : "def");
	records = file_records_of(path, content, content == CONTENT_EVENTS ? events : definitions);
	free(path);
	return records;
}
