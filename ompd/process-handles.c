/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Targets: a live process and a core file are the same here. Only one symbol is looked up, the
 * runtime's field table; everything else follows from it, so the program may be stripped.
 */
#include <stddef.h>
#include <string.h>

#include "handles.h"
#include "library.h"

/* A table beyond these limits belongs to another library, or is damaged. */
enum { MOST_ENTRIES = 4096, MOST_ROOTS = 64, LONGEST_ENTRY = 512, LONGEST_HEADER = 4096 };

/* The limit for one member's size and offset: structures are far smaller than a megabyte. */
enum { LARGEST_STRUCT = 1 << 20 };

#define NAME_OF(type, member) #type "." #member,
#define NAME_OF_STRUCT(type)  #type,

static const char *const field_names[TARGET_FIELDS] = {
    RT_DEBUG_FIELDS(NAME_OF) RT_DEBUG_ARRAYS(NAME_OF) RT_DEBUG_STRUCTS(NAME_OF_STRUCT)};

struct table {
	ompd_addr_t roots, entries;
	uint32_t root_count, entry_count, entry_bytes;
};

#define READ_HEADER(reader, base, member)                                                          \
	(uint32_t) read_number(reader, (base) + offsetof(struct rt_debug_header, member), 4)

/*
 * Requires that `holds` is true. A target with the symbol but another table has another version of
 * the runtime, or another library.
 */
static void require(struct reader *reader, bool holds)
{
	if (reader->rc == ompd_rc_ok && !holds)
		reader->rc = ompd_rc_incompatible;
}

static void read_header(
    struct reader *reader, ompd_addr_t base, uint32_t *openmp_version, struct table *table)
{
	char magic[sizeof(((struct rt_debug_header *)0)->magic)];
	uint32_t header_bytes, pointer_bytes;

	read_bytes(reader, base, sizeof(magic), magic);
	require(reader, memcmp(magic, RT_DEBUG_MAGIC, sizeof(magic)) == 0);
	require(reader, READ_HEADER(reader, base, byte_order) == RT_DEBUG_BYTE_ORDER);
	require(reader, READ_HEADER(reader, base, version) == RT_DEBUG_VERSION);
	header_bytes = READ_HEADER(reader, base, header_bytes);
	pointer_bytes = READ_HEADER(reader, base, pointer_bytes);
	table->root_count = READ_HEADER(reader, base, root_count);
	table->entry_bytes = READ_HEADER(reader, base, entry_bytes);
	table->entry_count = READ_HEADER(reader, base, entry_count);
	*openmp_version = READ_HEADER(reader, base, openmp_version);
	require(reader, (pointer_bytes == 4 || pointer_bytes == 8) &&
			    pointer_bytes == reader->space->sizes.sizeof_pointer);
	require(reader,
	    header_bytes >= sizeof(struct rt_debug_header) && header_bytes <= LONGEST_HEADER);
	require(reader, table->root_count <= MOST_ROOTS && table->entry_count <= MOST_ENTRIES);
	require(reader, table->entry_bytes >= sizeof(struct rt_debug_entry) &&
			    table->entry_bytes <= LONGEST_ENTRY);
	table->roots = base + header_bytes;
	table->entries = table->roots + (ompd_addr_t)table->root_count * pointer_bytes;
}

/* Roots that an older runtime lacks stay 0; reading from address 0 is an error. */
static void read_roots(
    struct reader *reader, const struct table *table, ompd_addr_t roots[TARGET_ROOTS])
{
	uint32_t width = reader->space->sizes.sizeof_pointer;

	for (uint32_t i = 0; i < TARGET_ROOTS && i < table->root_count; i++)
		roots[i] = read_number(reader, table->roots + (ompd_addr_t)i * width, width);
}

static void read_entry(
    struct reader *reader, ompd_addr_t entry, struct target_field fields[TARGET_FIELDS])
{
	char name[RT_DEBUG_NAME_BYTES];
	struct target_field field;

	read_bytes(reader, entry, sizeof(name), name);
	field.offset =
	    (uint32_t)read_number(reader, entry + offsetof(struct rt_debug_entry, offset), 4);
	field.size =
	    (uint32_t)read_number(reader, entry + offsetof(struct rt_debug_entry, size), 4);
	require(reader, memchr(name, '\0', sizeof(name)) != NULL);
	require(reader, field.offset <= LARGEST_STRUCT && field.size <= LARGEST_STRUCT);
	for (size_t i = 0; reader->rc == ompd_rc_ok && i < TARGET_FIELDS; i++)
		if (strcmp(name, field_names[i]) == 0)
			fields[i] = field;
}

static void read_table(struct reader *reader, ompd_addr_t base, struct _ompd_aspace_handle *space)
{
	struct table table = {0};

	read_header(reader, base, &space->openmp_version, &table);
	if (reader->rc != ompd_rc_ok)
		return;
	read_roots(reader, &table, space->roots);
	for (uint32_t i = 0; i < table.entry_count && reader->rc == ompd_rc_ok; i++)
		read_entry(
		    reader, table.entries + (ompd_addr_t)i * table.entry_bytes, space->fields);
}

/*
 * The debugger converts a single number, which shows the byte order for all: with a callback for
 * each of the thousands of numbers, a walk would spend most of its time there.
 */
static void learn_byte_order(struct reader *reader, struct _ompd_aspace_handle *space)
{
	static const unsigned char as_is[] = {1, 2, 3, 4, 5, 6, 7, 8};
	static const unsigned char swapped[] = {8, 7, 6, 5, 4, 3, 2, 1};
	unsigned char result[8] = {0};

	if (reader->rc == ompd_rc_ok)
		reader->rc = library_callbacks()->device_to_host(
		    space->context, as_is, sizeof(as_is), 1, result);
	space->is_swapped = memcmp(result, swapped, sizeof(result)) == 0;
	require(reader, space->is_swapped || memcmp(result, as_is, sizeof(result)) == 0);
}

/* A debugger uses one of these codes to report that the target has no such symbol. */
static ompd_rc_t find_table(ompd_address_space_context_t *context, ompd_addr_t *address)
{
	ompd_address_t symbol = {OMPD_SEGMENT_UNSPECIFIED, 0};
	ompd_rc_t rc = library_callbacks()->symbol_addr_lookup(
	    context, NULL, RT_DEBUG_TABLE_SYMBOL, &symbol, NULL);

	if (rc == ompd_rc_error || rc == ompd_rc_unavailable ||
	    (rc == ompd_rc_ok && symbol.address == 0))
		return ompd_rc_incompatible;
	*address = symbol.address;
	return rc;
}

/*
 * Makes the handle of a process or core file; freed by ompd_rel_address_space_handle(). On failure
 * *host_handle is untouched.
 *   ompd_rc_bad_input     an argument is NULL
 *   ompd_rc_incompatible  the target does not have ompinst's runtime, or its table differs
 *   ompd_rc_error         the library is not initialised
 *   any other             what a callback returned
 */
ompd_rc_t ompd_process_initialize(
    ompd_address_space_context_t *context, ompd_address_space_handle_t **host_handle)
{
	struct _ompd_aspace_handle *space;
	struct reader reader;
	ompd_addr_t table = 0;
	void *memory;
	ompd_rc_t rc;

	if (context == NULL || host_handle == NULL)
		return ompd_rc_bad_input;
	if (library_callbacks() == NULL)
		return ompd_rc_error;
	rc = find_table(context, &table);
	if (rc != ompd_rc_ok)
		return rc;
	rc = library_alloc(sizeof(*space), &memory);
	if (rc != ompd_rc_ok)
		return rc;
	space = memory;
	space->context = context;
	reader_begin(&reader, space);
	reader.rc = library_callbacks()->sizeof_type(context, &space->sizes);
	learn_byte_order(&reader, space);
	read_table(&reader, table, space);
	if (reader.rc != ompd_rc_ok) {
		library_free(space);
		return reader.rc;
	}
	space->kind = HANDLE_SPACE;
	*host_handle = space;
	return ompd_rc_ok;
}

/* The runtime supports no device except the host. */
ompd_rc_t ompd_device_initialize(ompd_address_space_handle_t *host_handle,
    ompd_address_space_context_t *device_context, ompd_device_t kind, ompd_size_t sizeof_id,
    void *id, ompd_address_space_handle_t **device_handle)
{
	struct reader reader;
	ompd_rc_t rc = handle_open_space(host_handle, &reader);

	(void)kind;
	if (rc != ompd_rc_ok)
		return rc;
	if (device_context == NULL || device_handle == NULL || (id == NULL && sizeof_id != 0))
		return ompd_rc_bad_input;
	return ompd_rc_unsupported;
}

ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)
{
	struct reader reader;
	ompd_rc_t rc = handle_open_space(handle, &reader);

	if (rc != ompd_rc_ok)
		return rc;
	handle->kind = 0;
	return library_free(handle);
}

ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *address_space, ompd_word_t *omp_version)
{
	struct reader reader;
	ompd_rc_t rc = handle_open_space(address_space, &reader);

	if (rc != ompd_rc_ok)
		return rc;
	if (omp_version == NULL)
		return ompd_rc_bad_input;
	*omp_version = address_space->openmp_version;
	return ompd_rc_ok;
}

/* Returns a text in the debugger's memory; the debugger owns and frees it. */
ompd_rc_t ompd_get_omp_version_string(
    ompd_address_space_handle_t *address_space, const char **string)
{
	static const char prefix[] = "ompinst libgomp.so.1, _OPENMP ";
	enum { DIGITS = 10 };
	struct reader reader;
	uint32_t rest;
	char *text;
	void *memory;
	ompd_rc_t rc = handle_open_space(address_space, &reader);
	size_t length = sizeof(prefix) - 1, digits = 1;

	if (rc != ompd_rc_ok)
		return rc;
	if (string == NULL)
		return ompd_rc_bad_input;
	rc = library_alloc(sizeof(prefix) + DIGITS, &memory);
	if (rc != ompd_rc_ok)
		return rc;
	text = memory;
	memcpy(text, prefix, length);
	rest = address_space->openmp_version;
	for (uint32_t power = rest; power >= 10; power /= 10)
		digits++;
	for (size_t i = digits; i > 0; i--, rest /= 10)
		text[length + i - 1] = (char)('0' + rest % 10);
	*string = text;
	return ompd_rc_ok;
}
