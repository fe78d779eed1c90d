/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps outputs. They are compared as texts: everything after a null byte is ignored. */
#include "kept-output.h"

#include "text-file.h"

#include <errno.h>
#include <unistd.h>

/* The limit for each compared run. */
static const size_t longest = (size_t)64 << 20;

int race_output_open(void)
{
	return text_file_memory();
}

int race_output_show(int kept)
{
	char buffer[16 * 1024];
	off_t at = 0;
	ssize_t count;

	while ((count = pread(kept, buffer, sizeof buffer, at)) != 0) {
		if (count < 0 && errno != EINTR)
			return errno;
		for (ssize_t done = 0; done < count;) {
			ssize_t now = write(STDOUT_FILENO, buffer + done, (size_t)(count - done));
			if (now < 0 && errno != EINTR)
				return errno;
			done += now > 0 ? now : 0;
		}
		at += count > 0 ? count : 0;
	}
	return 0;
}

/* If the arena runs out of memory, the file's memory is lost, and the program then ends. */
static const char *keep(struct inst_arena *arena, struct text_file *file)
{
	const char *copy =
	    arena_copy(arena, file->bytes, file->length < longest ? file->length : longest);

	text_file_finish(file);
	return copy;
}

const char *race_output_text(struct inst_arena *arena, int kept)
{
	struct text_file file;

	return kept >= 0 && text_file_read_descriptor(kept, &file) == 0 ? keep(arena, &file) : NULL;
}

const char *race_output_file(struct inst_arena *arena, const char *path)
{
	struct text_file file;

	return text_file_read(path, &file) == 0 ? keep(arena, &file) : NULL;
}
