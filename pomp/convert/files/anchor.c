/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OTF2 would make the anchor when the archive is closed. But it then asks the network for this
 * host's name, to compute a unique number for the trace, and the program would wait for that at its
 * end. It would also record that there are no files, because it has written none.
 */
#include "anchor.h"

#include "shared/text-hash.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Static_assert(OTF2_VERSION_MAJOR == 2 || OTF2_VERSION_MAJOR == 3, "the formats below are theirs");
enum { ANCHOR_FORMAT = 3, TRACE_FORMAT = 2 };
enum { CHUNK_END, BUFFER_END, FILE_END, CHUNK_HEADER }; /* marks */
enum { LITTLE_ENDIAN_MARK = 0x42, BIG_ENDIAN_MARK = 0x23 };

static uint64_t trace_number(const struct convert_output *output)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t moment = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	return text_hash(TEXT_HASH_START, output->folder) ^ moment * UINT64_C(0x9e3779b97f4a7c15) ^
	       (uint64_t)getpid() << 40;
}

unsigned char *convert_anchor(
    const struct convert_output *output, uint64_t locations, uint64_t definitions, size_t *bytes)
{
	static const char texts[] = "\0ompinst libpomp\0"; /* machine, creator, description */
	static const unsigned char head[] = {CHUNK_HEADER,
	    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? LITTLE_ENDIAN_MARK : BIG_ENDIAN_MARK, 'O',
	    'T', 'F', '2', 0, ANCHOR_FORMAT, TRACE_FORMAT, OTF2_VERSION_MAJOR, OTF2_VERSION_MINOR,
	    OTF2_VERSION_BUGFIX};
	static const unsigned char files[] = {OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE};
	static const unsigned char tail[] = {FILE_END, BUFFER_END, CHUNK_END};
	const uint64_t chunks[] = {output->event_chunk, output->definition_chunk};
	const uint64_t counts[] = {locations, definitions}, number = trace_number(output);
	const uint32_t nothing[2] = {0}; /* snapshots, thumbnails */
	const struct {
		const void *bytes;
		size_t count;
	} parts[] = {
	    {head, sizeof(head)},
	    {chunks, sizeof(chunks)},
	    {files, sizeof(files)},
	    {counts, sizeof(counts)},
	    {texts, sizeof(texts)},
	    {&output->property_count, sizeof(output->property_count)},
	    {output->properties, output->property_bytes},
	    {&number, sizeof(number)},
	    {nothing, sizeof(nothing)},
	    {tail, sizeof(tail)},
	};

	*bytes = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		*bytes += parts[i].count;
	unsigned char *anchor = malloc(*bytes), *next = anchor;
	for (size_t i = 0; anchor != NULL && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].count > 0)
			next = mempcpy(next, parts[i].bytes, parts[i].count);
	return anchor;
}
