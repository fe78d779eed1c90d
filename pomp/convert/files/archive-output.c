/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes OTF2's buffers to files. A buffer has the memory of one chunk. A request for a second
 * chunk is refused. OTF2 then completes the chunk, "writes" it (its substrate is none) and gives
 * its memory back, which is when the chunk is written here; the next chunk gets the same memory.
 *
 * OTF2 does not learn that a write failed; it continues encoding until its caller notices the
 * error.
 */
#include "archive-output.h"

#include "pomp-atomics.h"

#include "anchor.h"
#include "unfinished.h"

#include "shared/array.h"
#include "shared/debug-log.h"
#include "shared/trace-log.h"
#include "shared/write-whole.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <otf2/OTF2_Pthread_Locks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LEAST_CHUNK = 256 << 10, /* the least that OTF2 accepts */
	EVENT_CHUNK = LEAST_CHUNK,
	DEFINITION_CHUNK = 4 << 20,
	MANY_LOCATIONS = 32,
	GROUP_MEMBER = 12, /* most bytes per member, with a margin */
	BLOCK = 1024,
	SLACK = 16, /* OTF2 ends a file without checking whether its chunk has room for that */
};

/* A buffer of OTF2 and the file that it is written to. */
struct convert_buffer {
	struct convert_buffer *next, **link; /* in the list of all, under output->buffers_lock */
	int file;                            /* -1 before the first chunk is written */
	bool full;
	uint64_t written, most; /* bytes; most: the process's file size limit */
	size_t chunk, room;     /* room: size of the memory, at least chunk */
	unsigned char memory[];
};

static void fail(struct convert_output *output, const char *name, int error)
{
	int none = 0;

	if (replace_once(&output->error, &none, error != 0 ? error : EIO))
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
	default:
		snprintf(name, size, UNFINISHED_GLOBAL);
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

static bool write_bytes(struct convert_buffer *buffer, const unsigned char *bytes, size_t count)
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

static void write_file(struct convert_output *output, struct convert_buffer *buffer,
    const char *name, const unsigned char *bytes, size_t count)
{
	if (convert_output_failed(output))
		return;
	if (buffer->file < 0)
		buffer->file = open_file(output, name);
	if (buffer->file < 0 || !write_bytes(buffer, bytes, count))
		fail(output, name, errno);
}

/*
 * Returns how much of a buffer's last chunk is used: everything after the end mark, which is not
 * zero, is zero.
 */
static size_t used_bytes(const struct convert_buffer *buffer)
{
	static const unsigned char zeros[BLOCK];
	size_t used = buffer->chunk;

	while (used >= BLOCK && memcmp(buffer->memory + used - BLOCK, zeros, BLOCK) == 0)
		used -= BLOCK;
	while (used > 0 && buffer->memory[used - 1] == 0)
		used--;
	return used;
}

static void link_buffer(struct convert_output *output, struct convert_buffer *buffer)
{
	pthread_mutex_lock(&output->buffers_lock);
	buffer->next = output->buffers;
	buffer->link = &output->buffers;
	if (buffer->next != NULL)
		buffer->next->link = &buffer->next;
	output->buffers = buffer;
	pthread_mutex_unlock(&output->buffers_lock);
}

/* A file system reports a failed write at the latest when the file is closed. */
static void end_buffer(
    struct convert_output *output, struct convert_buffer *buffer, const char *name)
{
	if (buffer->file >= 0 && close(buffer->file) != 0)
		fail(output, name, errno);
	pthread_mutex_lock(&output->buffers_lock);
	*buffer->link = buffer->next;
	if (buffer->next != NULL)
		buffer->next->link = buffer->link;
	buffer->next = output->spare;
	output->spare = buffer;
	pthread_mutex_unlock(&output->buffers_lock);
}

/*
 * Makes room for a chunk. OTF2 clears the rest of a location's last chunk, so all of its memory is
 * touched; memory that an earlier location touched causes no page faults.
 */
static struct convert_buffer *new_buffer(struct convert_output *output, uint64_t chunk)
{
	pthread_mutex_lock(&output->buffers_lock);
	struct convert_buffer *buffer = output->spare;
	if (buffer != NULL)
		output->spare = buffer->next;
	pthread_mutex_unlock(&output->buffers_lock);
	size_t room = buffer != NULL ? buffer->room : 0;
	if (room < chunk) {
		free(buffer);
		room = chunk;
		buffer = malloc(sizeof(*buffer) + room + SLACK);
	}
	if (buffer != NULL)
		*buffer = (struct convert_buffer){
		    .file = -1, .most = pomp_largest_file(), .chunk = chunk, .room = room};
	return buffer;
}

static void *give_memory(
    void *user, OTF2_FileType type, OTF2_LocationRef location, void **data, uint64_t chunk)
{
	struct convert_buffer *buffer = *data;

	(void)type, (void)location;
	if (buffer == NULL) {
		buffer = new_buffer(user, chunk);
		if (buffer == NULL)
			return NULL;
		link_buffer(user, buffer);
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
	struct convert_buffer *buffer = *data;
	char name[sizeof(output->failed)];

	if (buffer == NULL)
		return;
	name_file(name, sizeof(name), type, location);
	if (final) {
		end_buffer(output, buffer, name);
		*data = NULL;
	} else {
		write_file(output, buffer, name, buffer->memory,
		    buffer->full ? buffer->chunk : used_bytes(buffer));
	}
}

static void write_anchor(struct convert_output *output, uint64_t locations, uint64_t definitions)
{
	struct convert_buffer file = {.file = -1, .most = pomp_largest_file()};
	size_t size;
	unsigned char *anchor = convert_anchor(output, locations, definitions, &size);

	if (anchor == NULL)
		fail(output, UNFINISHED_ANCHOR, ENOMEM);
	else
		write_file(output, &file, UNFINISHED_ANCHOR, anchor, size);
	if (file.file >= 0 && close(file.file) != 0)
		fail(output, UNFINISHED_ANCHOR, errno);
	free(anchor);
}

/*
 * OTF2 sees only one process, because ranks write files of their own. When the archive is closed,
 * this process reports another rank than 0, so that OTF2 does not write the anchor.
 */
static OTF2_CallbackCode get_size(void *user, OTF2_CollectiveContext *context, uint32_t *size)
{
	(void)user, (void)context;
	*size = 1;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode get_rank(void *user, OTF2_CollectiveContext *context, uint32_t *rank)
{
	const struct convert_output *output = user;

	(void)context;
	*rank = output->closing;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode pass_barrier(void *user, OTF2_CollectiveContext *context)
{
	(void)user, (void)context;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode pass_broadcast(void *user, OTF2_CollectiveContext *context, void *data,
    uint32_t count, OTF2_Type type, uint32_t root)
{
	(void)user, (void)context, (void)data, (void)count, (void)type, (void)root;
	return OTF2_CALLBACK_SUCCESS;
}

/* Without files there is nothing to gather. */
static OTF2_CallbackCode refuse_gather(void *user, OTF2_CollectiveContext *context,
    const void *from, void *to, uint32_t count, OTF2_Type type, uint32_t root)
{
	(void)user, (void)context, (void)from, (void)to, (void)count, (void)type, (void)root;
	return OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode gather_some(void *user, OTF2_CollectiveContext *context, const void *own,
    uint32_t own_count, void *all, const uint32_t *counts, OTF2_Type type, uint32_t root)
{
	(void)counts;
	return refuse_gather(user, context, own, all, own_count, type, root);
}

static OTF2_CallbackCode scatter_some(void *user, OTF2_CollectiveContext *context, const void *all,
    const uint32_t *counts, void *own, uint32_t own_count, OTF2_Type type, uint32_t root)
{
	(void)counts;
	return refuse_gather(user, context, all, own, own_count, type, root);
}

static OTF2_FlushType flush_when_full(
    void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static uint64_t whole_chunks(uint64_t bytes)
{
	return (bytes + LEAST_CHUNK - 1) / LEAST_CHUNK * LEAST_CHUNK;
}

/*
 * OTF2 clears the rest of the last chunk of each location's events and of its definitions. That is
 * the main cost of small archives and of many small locations. Events are many and short: chunks of
 * the least size stay in the processor's cache, and are not slower for large archives than OTF2's
 * usual megabyte. But a definition must fit into a chunk, and the longest is a group of all
 * locations, or a text, which the logs' definitions contain in full.
 */
static uint64_t definition_chunk(const struct convert_amount *amount)
{
	uint64_t group = amount->locations * GROUP_MEMBER + LEAST_CHUNK / 2;
	uint64_t longest = amount->definition_bytes + group;

	if (amount->locations >= MANY_LOCATIONS)
		return whole_chunks(group);
	if (amount->definition_bytes == 0 || longest > DEFINITION_CHUNK)
		return DEFINITION_CHUNK;
	return whole_chunks(longest);
}

OTF2_ErrorCode convert_output_open(
    struct convert_output *output, const struct convert_amount *amount, OTF2_Archive **archive)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_when_full};
	static const OTF2_MemoryCallbacks memory = {
	    .otf2_allocate = give_memory, .otf2_free_all = take_memory};
	static const OTF2_CollectiveCallbacks alone = {
	    .otf2_get_size = get_size,
	    .otf2_get_rank = get_rank,
	    .otf2_barrier = pass_barrier,
	    .otf2_bcast = pass_broadcast,
	    .otf2_gather = refuse_gather,
	    .otf2_gatherv = gather_some,
	    .otf2_scatter = refuse_gather,
	    .otf2_scatterv = scatter_some,
	};
	OTF2_ErrorCode code;

	output->event_chunk = EVENT_CHUNK;
	output->definition_chunk = definition_chunk(amount);
	*archive =
	    OTF2_Archive_Open(output->folder, "traces", OTF2_FILEMODE_WRITE, output->event_chunk,
		output->definition_chunk, OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);
	if (*archive == NULL)
		return OTF2_ERROR_MEM_FAULT;
	code = OTF2_Archive_SetMemoryCallbacks(*archive, &memory, output);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetFlushCallbacks(*archive, &flush, NULL);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetCollectiveCallbacks(*archive, &alone, output, NULL, NULL);
	if (code == OTF2_SUCCESS)
		code = OTF2_Pthread_Archive_SetLockingCallbacks(*archive, NULL);
	convert_output_property(output, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", "true");
	convert_output_property(output, "OTF2::THREAD_LOCK_EVENT_COMPLETE", "true");
	return code == OTF2_SUCCESS ? OTF2_Archive_OpenEvtFiles(*archive) : code;
}

/* Counts all definitions, except in the anchor's file. */
static OTF2_ErrorCode count_definitions(
    OTF2_Archive *archive, uint64_t *locations, uint64_t *definitions)
{
	OTF2_ErrorCode code = OTF2_Archive_GetNumberOfLocations(archive, locations);

	return code == OTF2_SUCCESS
		   ? OTF2_Archive_GetNumberOfGlobalDefinitions(archive, definitions)
		   : code;
}

OTF2_ErrorCode convert_output_close(
    struct convert_output *output, OTF2_Archive *archive, OTF2_ErrorCode code)
{
	uint64_t locations = 0, definitions = 0;

	if (code == OTF2_SUCCESS)
		code = count_definitions(archive, &locations, &definitions);
	output->closing = true;
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_Close(archive);
	if (code == OTF2_SUCCESS && output->has_anchor && !convert_output_failed(output))
		write_anchor(output, locations, definitions);
	return code;
}

void convert_output_property(struct convert_output *output, const char *name, const char *value)
{
	size_t name_bytes = strlen(name) + 1, value_bytes = strlen(value) + 1;

	if (!ARRAY_ROOM(output->properties, output->property_bytes, output->property_capacity,
		name_bytes + value_bytes)) {
		fail(output, "", ENOMEM);
		return;
	}
	char *place = output->properties + output->property_bytes;
	memcpy(place, name, name_bytes);
	memcpy(place + name_bytes, value, value_bytes);
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
	*output = (struct convert_output){
	    .folder = folder, .lock = -1, .buffers_lock = PTHREAD_MUTEX_INITIALIZER};
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
	DEBUG_LOG(convert, "'%s': the archive %s", output->folder,
	    failed == NULL ? "has its names" : "cannot be given its names");
	return failed == NULL;
}

void convert_output_discard(struct convert_output *output)
{
	DEBUG_LOG(convert, "'%s': the archive is removed", output->folder);
	if (output->lock >= 0)
		convert_unfinished_remove(output->folder);
}

void convert_output_end(struct convert_output *output)
{
	if (output->lock >= 0) {
		convert_unfinished_leave(output->folder);
		close(output->lock);
	}
	while (output->buffers != NULL)
		end_buffer(output, output->buffers, "");
	while (output->spare != NULL) {
		struct convert_buffer *buffer = output->spare;
		output->spare = buffer->next;
		free(buffer);
	}
	free(output->properties);
	*output = (struct convert_output){.lock = -1};
}
