/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global definitions are one file. It is replaced first, and then the anchor, which contains
 * the number of definitions. Readers take all definitions in the file, so the archive can be read
 * between the two steps.
 */
#include "symbols-rewrite.h"

#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *describe(const char *what, OTF2_ErrorCode code)
{
	return memory_print("%s: %s", what, OTF2_Error_GetDescription(code));
}

/* Keeps OTF2 from printing errors that are reported here. */
static OTF2_ErrorCode discard(void *context, const char *file, uint64_t line, const char *function,
    OTF2_ErrorCode code, const char *format, va_list arguments)
{
	(void)context, (void)file, (void)line, (void)function, (void)format, (void)arguments;
	return code;
}

int symbols_find(struct naming_definitions *definitions, const char *anchor,
    struct code_namer *namer, char **error)
{
	uint64_t all;
	OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(discard, NULL);
	OTF2_ErrorCode code = naming_read(definitions, anchor, &all);

	OTF2_Error_RegisterCallback(before, NULL);
	if (code != OTF2_SUCCESS) {
		*error = describe("its definitions cannot be read", code);
		return -1;
	}
	if (definitions->regions.unnamed + definitions->regions.unnamed_samples > 0 &&
	    all != definitions->seen) {
		*error = memory_print(
		    "%llu of its definitions are of kinds that ompinst does not write: "
		    "it is left as it is",
		    (unsigned long long)(all - definitions->seen));
		return -1;
	}
	naming_find(&definitions->regions, namer);
	return 0;
}

static OTF2_FlushType flush(
    void *context, OTF2_FileType type, OTF2_LocationRef location, void *data, bool final)
{
	(void)context, (void)type, (void)location, (void)data, (void) final;
	return OTF2_FLUSH;
}

/* Chunks must be as large as those of the files that are kept. */
static OTF2_ErrorCode chunk_sizes(const char *anchor, uint64_t *events, uint64_t *definitions)
{
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	OTF2_ErrorCode code = OTF2_ERROR_FILE_INTERACTION;

	if (reader == NULL)
		return code;
	code = OTF2_Reader_GetChunkSize(reader, events, definitions);
	OTF2_Reader_Close(reader);
	return code;
}

/* Writes an archive without events, with all definitions, into that folder. */
static OTF2_ErrorCode write_archive(
    struct naming_definitions *definitions, const char *anchor, const char *folder, uint64_t *added)
{
	static const OTF2_FlushCallbacks flushing = {.otf2_pre_flush = flush};
	uint64_t events, chunk;
	OTF2_ErrorCode code = chunk_sizes(anchor, &events, &chunk);

	if (code != OTF2_SUCCESS)
		return code;
	OTF2_Archive *archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, events,
	    chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (archive == NULL)
		return OTF2_ERROR_FILE_INTERACTION;
	OTF2_Archive_SetFlushCallbacks(archive, &flushing, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
	code = writer != NULL ? naming_copy(definitions, anchor, writer, added)
			      : OTF2_ERROR_INVALID_CALL;
	OTF2_ErrorCode closed = OTF2_Archive_Close(archive);
	return code != OTF2_SUCCESS ? code : closed;
}

/* Reads back what was written and checks the number of definitions. */
static bool is_whole(
    const struct naming_definitions *definitions, const char *folder, uint64_t added)
{
	struct naming_definitions written = {0};
	char *anchor = memory_print("%s/traces.otf2", folder);
	uint64_t all = 0;
	bool is_whole =
	    naming_read(&written, anchor, &all) == OTF2_SUCCESS && all == definitions->seen + added;

	naming_definitions_free(&written);
	free(anchor);
	return is_whole;
}

static void remove_folder(const char *folder)
{
	static const char *const files[] = {"traces.otf2", "traces.def", "traces", "anchor"};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *path = memory_print("%s/%s", folder, files[i]);
		remove(path);
		free(path);
	}
	rmdir(folder);
}

/* Replaces `path` by the new file, whose contents are synchronised to disk first. */
static int replace(const char *path, const char *new_path)
{
	struct stat status;
	int file = open(new_path, O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return -1;
	if (stat(path, &status) == 0)
		(void)fchmod(file, status.st_mode & 07777);
	int result = fsync(file) == 0 || errno == EINVAL ? rename(new_path, path) : -1;
	int error = errno;
	close(file);
	errno = error;
	return result;
}

enum {
	/*
	 * Where anchors have the number of global definitions: after marks, chunks, files and
	 * locations.
	 */
	ANCHOR_HEAD = 12,
	ANCHOR_DEFINITIONS = ANCHOR_HEAD + 16 + 2 + 8,
	ANCHOR_MOST = 1 << 24,
};

/*
 * Replaces the number of definitions in the anchor, if the old number is where libpomp writes it;
 * otherwise the anchor stays unchanged. Readers do not depend on the number.
 */
static void replace_anchor(const char *anchor, const char *folder, uint64_t before, uint64_t after)
{
	FILE *in = fopen(anchor, "rbe");
	char *bytes = memory_new(ANCHOR_MOST, 1), *path = memory_print("%s/anchor", folder);
	size_t count = in != NULL ? fread(bytes, 1, ANCHOR_MOST, in) : 0;
	uint64_t found = 0;

	if (in != NULL)
		fclose(in);
	if (count >= ANCHOR_DEFINITIONS + sizeof(found) && count < ANCHOR_MOST)
		memcpy(&found, bytes + ANCHOR_DEFINITIONS, sizeof(found));
	if (found == before && before > 0) {
		FILE *out = fopen(path, "wbe");
		memcpy(bytes + ANCHOR_DEFINITIONS, &after, sizeof(after));
		bool is_written = out != NULL && fwrite(bytes, 1, count, out) == count;
		is_written = out != NULL && fclose(out) == 0 && is_written;
		if (is_written)
			replace(anchor, path);
	}
	free(bytes);
	free(path);
}

/* The anchor's path with another suffix. */
static char *definitions_path(const char *anchor)
{
	size_t length = strlen(anchor) - strlen(".otf2");

	return memory_print("%.*s.def", (int)length, anchor);
}

static int write_in(
    struct naming_definitions *definitions, const char *anchor, const char *folder, char **error)
{
	uint64_t added = 0;
	OTF2_ErrorCode code = write_archive(definitions, anchor, folder, &added);

	if (code != OTF2_SUCCESS || !is_whole(definitions, folder, added)) {
		*error = code != OTF2_SUCCESS
			     ? describe("the new definitions cannot be written", code)
			     : memory_copy_text("the new definitions cannot be written");
		return -1;
	}
	char *old_path = definitions_path(anchor),
	     *new_path = memory_print("%s/traces.def", folder);
	int result = replace(old_path, new_path);
	if (result != 0)
		*error = memory_print("its definitions cannot be replaced: %s", strerror(errno));
	else
		replace_anchor(anchor, folder, definitions->seen, definitions->seen + added);
	free(old_path);
	free(new_path);
	return result;
}

int symbols_write(struct naming_definitions *definitions, const char *anchor, char **error)
{
	const char *slash = strrchr(anchor, '/');
	char *folder =
	    memory_print("%.*ssymbols.XXXXXX", slash ? (int)(slash + 1 - anchor) : 0, anchor);
	int result = -1;

	if (mkdtemp(folder) == NULL) {
		*error = memory_print("no folder can be made beside it: %s", strerror(errno));
	} else {
		OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(discard, NULL);
		result = write_in(definitions, anchor, folder, error);
		OTF2_Error_RegisterCallback(before, NULL);
		remove_folder(folder);
	}
	free(folder);
	return result;
}
