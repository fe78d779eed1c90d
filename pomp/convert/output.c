/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OTF2's buffers become files. A buffer has the memory of one chunk. Asked for a second one we have
 * none: then OTF2 completes the chunk, "writes" it (its substrate is none at all) and gives its
 * memory back, which is when it is written here; and the next chunk gets the same memory.
 *
 * OTF2 learns nothing of a write that failed: it goes on encoding until its caller sees it.
 */
#include "output.h"

#include "unfinished.h"

#include "shared/trace-log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <otf2/OTF2_Pthread_Locks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	EVENT_CHUNK = 1 << 20,
	DEFINITION_CHUNK = 4 << 20,
	LEAST_CHUNK = 256 << 10, /* that OTF2 takes */
	MANY_LOCATIONS = 32,
	GROUP_MEMBER = 12, /* bytes at most, with room */
	BLOCK = 1024,
	SLACK = 16, /* OTF2 ends a file without looking whether its chunk has room for that */
};

/* A buffer of OTF2 and the file that it becomes. */
struct buffer {
	int file; /* -1 before the first chunk is written */
	bool full;
	uint64_t written, most; /* bytes; most: that the process may write */
	size_t chunk;
	unsigned char memory[];
};

static void fail(struct convert_output *output, const char *name, int error)
{
	int none = 0;

	if (atomic_compare_exchange_strong(&output->error, &none, error != 0 ? error : EIO))
		snprintf(output->failed, sizeof(output->failed), "%s", name);
}

static void name_file(char *name, size_t size, OTF2_FileType type, OTF2_LocationRef location)
{
	switch (type) {
	case OTF2_FILETYPE_EVENTS:
		snprintf(name, size, UNFINISHED_EVENTS, location);
		break;
	case OTF2_FILETYPE_LOCAL_DEFS:
		snprintf(name, size, UNFINISHED_LOCAL, location);
		break;
	case OTF2_FILETYPE_GLOBAL_DEFS:
		snprintf(name, size, UNFINISHED_GLOBAL);
		break;
	default:
		snprintf(name, size, UNFINISHED_ANCHOR);
		break;
	}
}

static int open_file(const struct convert_output *output, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/" TRACE_LOG_UNFINISHED "/%s", output->folder, name) < 0)
		return -1;
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int error = errno;
	free(path);
	errno = error;
	return file;
}

/* Beyond RLIMIT_FSIZE the kernel would send SIGXFSZ. */
static uint64_t most_bytes(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
		   ? limit.rlim_cur
		   : UINT64_MAX;
}

static bool write_bytes(struct buffer *buffer, const unsigned char *bytes, size_t count)
{
	if (count > buffer->most - buffer->written) {
		errno = EFBIG;
		return false;
	}
	for (size_t done = 0; done < count;) {
		ssize_t part = write(buffer->file, bytes + done, count - done);
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0) {
			errno = part == 0 ? ENOSPC : errno;
			return false;
		}
		done += (size_t)part;
	}
	buffer->written += count;
	return true;
}

static void write_file(struct convert_output *output, struct buffer *buffer, const char *name,
    const unsigned char *bytes, size_t count)
{
	if (convert_output_failed(output))
		return;
	if (buffer->file < 0)
		buffer->file = open_file(output, name);
	if (buffer->file < 0 || !write_bytes(buffer, bytes, count))
		fail(output, name, errno);
}

/* What is used of a buffer's last chunk: behind its end mark, which is not zero, all is. */
static size_t used_bytes(const struct buffer *buffer)
{
	static const unsigned char zeros[BLOCK];
	size_t used = buffer->chunk;

	while (used >= BLOCK && memcmp(buffer->memory + used - BLOCK, zeros, BLOCK) == 0)
		used -= BLOCK;
	while (used > 0 && buffer->memory[used - 1] == 0)
		used--;
	return used;
}

/*
 * The anchor says which kind of files there are, and ends with the properties. OTF2 is told of
 * neither: it has no files here, and it dies when it has no memory for a property. In order: chunk
 * mark, byte order, "OTF2", versions; sizes of chunks; substrate, compression; locations,
 * definitions; machine, creator, description; properties; trace id.
 */
enum {
	ANCHOR_VERSIONS = 2 + 5,
	ANCHOR_CHUNKS = ANCHOR_VERSIONS + 1 + 1 + 3,
	ANCHOR_SUBSTRATE = ANCHOR_CHUNKS + 2 * 8,
	ANCHOR_TEXTS = ANCHOR_SUBSTRATE + 1 + 1 + 2 * 8
};

/* Where the number of properties stands, which is 0; 0: this is no anchor as we know it. */
static size_t find_properties(
    const struct convert_output *output, const unsigned char *anchor, size_t size)
{
	const uint64_t chunks[2] = {output->event_chunk, output->definition_chunk};
	size_t place = ANCHOR_TEXTS;
	uint32_t none = 0;

	if (size <= ANCHOR_TEXTS || memcmp(anchor + 2, "OTF2", sizeof("OTF2")) != 0 ||
	    memcmp(anchor + ANCHOR_CHUNKS, chunks, sizeof(chunks)) != 0 ||
	    anchor[ANCHOR_SUBSTRATE] != OTF2_SUBSTRATE_NONE)
		return 0;
	for (int text = 0; text < 3; text++) {
		const unsigned char *nul = memchr(anchor + place, 0, size - place);
		if (nul == NULL)
			return 0;
		place = (size_t)(nul - anchor) + 1;
	}
	if (size - place < sizeof(none) || memcmp(anchor + place, &none, sizeof(none)) != 0)
		return 0;
	return place;
}

static void write_anchor(struct convert_output *output, struct buffer *buffer, const char *name)
{
	size_t size = used_bytes(buffer);
	size_t place = find_properties(output, buffer->memory, size);

	if (place == 0) {
		fail(output, name, EPROTO); /* another version's anchor */
		return;
	}
	size_t whole = size + output->property_bytes + 1; /* the chunk's end mark, a zero */
	unsigned char *anchor = calloc(1, whole);
	if (anchor == NULL) {
		fail(output, name, ENOMEM);
		return;
	}
	unsigned char *next = mempcpy(anchor, buffer->memory, place);
	next = mempcpy(next, &output->property_count, sizeof(output->property_count));
	if (output->property_bytes > 0)
		next = mempcpy(next, output->properties, output->property_bytes);
	place += sizeof(output->property_count);
	memcpy(next, buffer->memory + place, size - place);
	anchor[ANCHOR_SUBSTRATE] = OTF2_SUBSTRATE_POSIX;
	write_file(output, buffer, name, anchor, whole);
	free(anchor);
	output->anchored = !convert_output_failed(output);
}

static void *give_memory(
    void *user, OTF2_FileType type, OTF2_LocationRef location, void **data, uint64_t chunk)
{
	struct buffer *buffer = *data;

	(void)user, (void)location;
	if (buffer == NULL) {
		buffer = malloc(sizeof(*buffer) + chunk + SLACK);
		if (buffer == NULL)
			return NULL;
		/* Of what has events or definitions, OTF2 clears what it does not use. */
		if (type == OTF2_FILETYPE_ANCHOR)
			memset(buffer->memory, 0, chunk + SLACK);
		*buffer = (struct buffer){.file = -1, .most = most_bytes(), .chunk = chunk};
		*data = buffer;
		return buffer->memory;
	}
	buffer->full = !buffer->full;
	return buffer->full ? NULL : buffer->memory;
}

static void take_memory(
    void *user, OTF2_FileType type, OTF2_LocationRef location, void **data, bool final)
{
	struct convert_output *output = user;
	struct buffer *buffer = *data;
	char name[sizeof(output->failed)];

	if (buffer == NULL)
		return;
	name_file(name, sizeof(name), type, location);
	if (final) {
		/* What a file system could not write it says at the latest now. */
		if (buffer->file >= 0 && close(buffer->file) != 0)
			fail(output, name, errno);
		free(buffer);
		*data = NULL;
	} else if (type != OTF2_FILETYPE_ANCHOR) {
		write_file(output, buffer, name, buffer->memory,
		    buffer->full ? buffer->chunk : used_bytes(buffer));
	} else if (output->has_anchor) {
		write_anchor(output, buffer, name);
	}
}

static OTF2_FlushType flush_when_full(
    void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

/*
 * OTF2 clears a chunk for each location's events and another for its definitions, which is what
 * many small locations cost. But a definition has to fit into a chunk, and the longest is a group
 * of all.
 */
static uint64_t definition_chunk(uint64_t locations)
{
	uint64_t group = locations * GROUP_MEMBER + LEAST_CHUNK / 2;

	return locations < MANY_LOCATIONS ? DEFINITION_CHUNK
					  : (group + LEAST_CHUNK - 1) / LEAST_CHUNK * LEAST_CHUNK;
}

OTF2_ErrorCode convert_output_open(
    struct convert_output *output, uint64_t locations, OTF2_Archive **archive)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_when_full};
	static const OTF2_MemoryCallbacks memory = {
	    .otf2_allocate = give_memory, .otf2_free_all = take_memory};
	OTF2_ErrorCode code;

	output->event_chunk = locations < MANY_LOCATIONS ? EVENT_CHUNK : LEAST_CHUNK;
	output->definition_chunk = definition_chunk(locations);
	*archive =
	    OTF2_Archive_Open(output->folder, "traces", OTF2_FILEMODE_WRITE, output->event_chunk,
		output->definition_chunk, OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);
	if (*archive == NULL)
		return OTF2_ERROR_MEM_FAULT;
	code = OTF2_Archive_SetMemoryCallbacks(*archive, &memory, output);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetFlushCallbacks(*archive, &flush, NULL);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetSerialCollectiveCallbacks(*archive);
	if (code == OTF2_SUCCESS)
		code = OTF2_Pthread_Archive_SetLockingCallbacks(*archive, NULL);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetCreator(*archive, "ompinst libpomp");
	convert_output_property(output, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", "true");
	convert_output_property(output, "OTF2::THREAD_LOCK_EVENT_COMPLETE", "true");
	return code == OTF2_SUCCESS ? OTF2_Archive_OpenEvtFiles(*archive) : code;
}

void convert_output_property(struct convert_output *output, const char *name, const char *value)
{
	size_t name_bytes = strlen(name) + 1, value_bytes = strlen(value) + 1;
	char *grown =
	    realloc(output->properties, output->property_bytes + name_bytes + value_bytes);

	if (grown == NULL) {
		fail(output, "", ENOMEM);
		return;
	}
	memcpy(grown + output->property_bytes, name, name_bytes);
	memcpy(grown + output->property_bytes + name_bytes, value, value_bytes);
	output->properties = grown;
	output->property_bytes += name_bytes + value_bytes;
	output->property_count++;
}

char *convert_output_reason(const struct convert_output *output, OTF2_ErrorCode code)
{
	char *text = NULL;
	int length;

	if (!convert_output_failed(output))
		length = asprintf(&text, "%s: %s", output->folder, OTF2_Error_GetDescription(code));
	else if (output->failed[0] == '\0')
		length = asprintf(&text, "%s: %s", output->folder, strerror(output->error));
	else
		length = asprintf(
		    &text, "%s/%s: %s", output->folder, output->failed, strerror(output->error));
	return length < 0 ? NULL : text;
}

void convert_output_join(struct convert_output *output, const char *folder)
{
	*output = (struct convert_output){.folder = folder, .lock = -1};
}

int convert_output_begin(
    struct convert_output *output, const char *folder, uint64_t bytes, char **error)
{
	convert_output_join(output, folder);
	output->has_anchor = true;
	output->lock = convert_unfinished_lock(folder, error);
	if (output->lock < 0)
		return -1;
	return convert_unfinished_make(folder, bytes, error);
}

bool convert_output_commit(struct convert_output *output)
{
	const char *failed = convert_unfinished_rename(output->folder);

	if (failed != NULL)
		fail(output, failed, errno);
	return failed == NULL;
}

void convert_output_discard(struct convert_output *output)
{
	if (output->lock >= 0)
		convert_unfinished_remove(output->folder);
}

void convert_output_end(struct convert_output *output)
{
	if (output->lock >= 0) {
		convert_unfinished_leave(output->folder);
		close(output->lock);
	}
	free(output->properties);
	*output = (struct convert_output){.lock = -1};
}
