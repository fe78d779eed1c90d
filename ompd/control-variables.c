/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Display control variables: the runtime has a text "NAME=value" for every variable that it knows,
 * each NUL-terminated. The debugger gets a vector and, after it in the same block, the texts.
 */
#include <stddef.h>
#include <string.h>

#include "handles.h"
#include "library.h"

/* All variables of a valid target fit many times; more is not read. */
enum { LONGEST = 1 << 18 };

static void read_all(struct reader *reader, ompd_addr_t from, char *to, uint64_t bytes)
{
	while (bytes > 0 && reader->rc == ompd_rc_ok) {
		uint64_t part = bytes < TARGET_READ_BYTES ? bytes : TARGET_READ_BYTES;
		read_bytes(reader, from, part, to);
		from += part;
		to += part;
		bytes -= part;
	}
}

static size_t count_texts(const char *texts, uint64_t bytes)
{
	size_t count = 0;

	for (uint64_t i = 0; i < bytes; i++)
		count += texts[i] == '\0';
	return count;
}

static ompd_rc_t make_vector(const char *texts, uint64_t bytes, const char *const **vector)
{
	size_t count = count_texts(texts, bytes);
	const char **entries;
	char *copy;
	void *memory;
	ompd_rc_t rc = library_alloc((count + 1) * sizeof(*entries) + bytes, &memory);

	if (rc != ompd_rc_ok)
		return rc;
	entries = memory;
	copy = (char *)(entries + count + 1);
	memcpy(copy, texts, bytes);
	for (size_t i = 0; i < count; i++, copy += strlen(copy) + 1)
		entries[i] = copy;
	entries[count] = NULL;
	*vector = entries;
	return ompd_rc_ok;
}

/*
 * Returns the variables' settings as a NULL-terminated vector of "name=value", released by
 * ompd_rel_display_control_vars(). On failure *control_vars is untouched.
 *   ompd_rc_bad_input     control_vars is NULL
 *   ompd_rc_stale_handle  address_space_handle is not an address space
 *   ompd_rc_unavailable   the runtime has not started yet, or had no memory for them
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_display_control_vars(
    ompd_address_space_handle_t *address_space_handle, const char *const **control_vars)
{
	struct reader reader;
	ompd_addr_t process, texts;
	uint64_t bytes;
	void *memory;
	ompd_rc_t rc = handle_open_space(address_space_handle, &reader);

	if (rc != ompd_rc_ok)
		return rc;
	if (control_vars == NULL)
		return ompd_rc_bad_input;
	process = address_space_handle->roots[ROOT_rt_process];
	texts = read_pointer(&reader, process, FIELD_rt_process_control_variables);
	bytes = read_field(&reader, process, FIELD_rt_process_control_variables_size);
	reader_expect(&reader, bytes <= LONGEST);
	if (reader.rc != ompd_rc_ok)
		return reader.rc;
	if (texts == 0 || bytes == 0)
		return ompd_rc_unavailable;
	rc = library_alloc(bytes, &memory);
	if (rc != ompd_rc_ok)
		return rc;
	read_all(&reader, texts, memory, bytes);
	reader_expect(&reader, ((const char *)memory)[bytes - 1] == '\0');
	rc = reader.rc != ompd_rc_ok ? reader.rc : make_vector(memory, bytes, control_vars);
	library_free(memory);
	return rc;
}

/* Frees the vector with its texts and clears the debugger's pointer to it. */
ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars)
{
	ompd_rc_t rc;

	if (control_vars == NULL || *control_vars == NULL)
		return ompd_rc_bad_input;
	rc = library_free((void *)(uintptr_t)*control_vars);
	if (rc == ompd_rc_ok)
		*control_vars = NULL;
	return rc;
}
