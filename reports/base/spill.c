/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements spill.h. Pieces lie one after the other in blocks of one size; no piece spans two
 * blocks. The current block is in memory, and so are the first blocks, up to the limit. Every other
 * block is written to the file when it is full, at its number times the block size, which leaves a
 * hole for the blocks in memory. A block that cannot be written stays in memory.
 */
#include "spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "shared/precondition.h"

enum { BLOCK = 1 << 20 };
_Static_assert(SPILL_PIECE_MAX <= BLOCK, "a piece lies in one block");

struct spill {
	unsigned char **blocks;        /* NULL: in the file */
	size_t count, room;            /* of the blocks */
	size_t used;                   /* bytes of the last block */
	size_t in_memory, memory_most; /* blocks */
	int file;                      /* or -1 */
	bool has_no_file;              /* the file could not be created */
};

struct spill *spill_new(size_t memory_max)
{
	struct spill *spill = memory_new(1, sizeof(*spill));

	spill->memory_most = memory_max / BLOCK + 1;
	spill->file = -1;
	return spill;
}

void spill_free(struct spill *spill)
{
	if (!spill)
		return;
	for (size_t i = 0; i < spill->count; i++)
		free(spill->blocks[i]);
	free(spill->blocks);
	if (spill->file >= 0)
		close(spill->file);
	free(spill);
}

static int open_file(const char *folder)
{
	char *path;
	int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (file >= 0)
		return file;
	/* For file systems that do not support unnamed files. */
	path = memory_print("%s/ompreport-XXXXXX", folder);
	file = mkostemp(path, O_CLOEXEC);
	if (file >= 0)
		unlink(path);
	free(path);
	return file;
}

static void make_file(struct spill *spill)
{
	const char *folder = getenv("TMPDIR");

	if (spill->file >= 0 || spill->has_no_file)
		return;
	if (folder && folder[0])
		spill->file = open_file(folder);
	if (spill->file < 0)
		spill->file = open_file("/var/tmp");
	spill->has_no_file = spill->file < 0;
}

static bool write_block(const struct spill *spill, size_t block)
{
	off_t at = (off_t)block * BLOCK;

	for (size_t written = 0; written < BLOCK;) {
		ssize_t more = pwrite(spill->file, spill->blocks[block] + written, BLOCK - written,
		    at + (off_t)written);

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			return false;
		written += (size_t)more;
	}
	return true;
}

/*
 * Writes the last block, which is full, to the file if enough blocks are in memory. Returns a free
 * block.
 */
static unsigned char *put_last_away(struct spill *spill)
{
	unsigned char *block;

	if (spill->in_memory < spill->memory_most)
		return NULL;
	make_file(spill);
	if (spill->file < 0 || !write_block(spill, spill->count - 1))
		return NULL;
	block = spill->blocks[spill->count - 1];
	spill->blocks[spill->count - 1] = NULL;
	spill->in_memory--;
	return block;
}

struct spill_piece spill_put(struct spill *spill, const void *bytes, size_t size)
{
	struct spill_piece piece = {.size = (uint32_t)size};

	if (spill->count == 0 || spill->used + size > BLOCK) {
		unsigned char *block = spill->count > 0 ? put_last_away(spill) : NULL;

		*MEMORY_ADD(spill->blocks, spill->room, spill->count) =
		    block ? block : memory_new(BLOCK, 1);
		spill->in_memory++;
		spill->used = 0;
	}
	piece.at = (uint64_t)(spill->count - 1) * BLOCK + spill->used;
	memcpy(spill->blocks[spill->count - 1] + spill->used, bytes, size);
	spill->used += size;
	return piece;
}

void spill_get(struct spill *spill, struct spill_piece piece, size_t from, void *bytes, size_t size)
{
	CHECK(from <= piece.size && size <= piece.size - from, "the bytes are inside the piece");

	const unsigned char *block = spill->blocks[piece.at / BLOCK];
	off_t at = (off_t)(piece.at + from);

	if (block) {
		memcpy(bytes, block + (size_t)at % BLOCK, size);
		return;
	}
	for (size_t got = 0; got < size;) {
		ssize_t more = pread(spill->file, (char *)bytes + got, size - got, at + (off_t)got);

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0) {
			fprintf(stderr,
			    "ompreport: the temporary file cannot be read: %s; nothing was "
			    "written\n",
			    more < 0 ? strerror(errno) : "it is shorter than what was written");
			exit(1);
		}
		got += (size_t)more;
	}
}
