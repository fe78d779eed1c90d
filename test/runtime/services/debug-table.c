/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a debugger plugin reads, read as the plugin reads it: only through the exported table and
 * addresses, nothing of the runtime's headers but the list. What is found must be what the API
 * says.
 */
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>

#include "check.h"
#include "shared/debug-fields.h"

static const char *table;
static const struct rt_debug_header *header;
static const struct rt_debug_entry *entries;

static const struct rt_debug_entry *find(const char *name)
{
	for (uint32_t i = 0; i < header->entry_count; i++)
		if (strcmp(entries[i].name, name) == 0)
			return &entries[i];
	fprintf(stderr, "the table has no '%s'\n", name);
	check_failed();
	exit(check_result());
}

/* An unsigned number of 1, 2, 4 or 8 bytes. */
static uint64_t read_number(const char *object, const char *name)
{
	const struct rt_debug_entry *entry = find(name);
	uint64_t value = 0;

	if (CHECK(entry->size <= sizeof(value)))
		memcpy(&value, object + entry->offset, entry->size);
	return value;
}

static const char *root(uint32_t index)
{
	const char *address;

	memcpy(&address, table + header->header_bytes + index * header->pointer_bytes,
	    sizeof(address));
	return address;
}

static void test_header(void)
{
	CHECK(memcmp(header->magic, RT_DEBUG_MAGIC, sizeof(header->magic)) == 0);
	CHECK_EQUAL(header->byte_order, RT_DEBUG_BYTE_ORDER);
	CHECK_EQUAL(header->version, RT_DEBUG_VERSION);
	CHECK_EQUAL(header->header_bytes, sizeof(*header));
	CHECK_EQUAL(header->pointer_bytes, sizeof(void *));
	CHECK_EQUAL(header->entry_bytes, sizeof(*entries));
	CHECK(header->root_count >= 1 && header->entry_count >= 70);
	for (uint32_t i = 0; i < header->entry_count; i++) {
		char owner[RT_DEBUG_NAME_BYTES];
		CHECK(memchr(entries[i].name, 0, RT_DEBUG_NAME_BYTES) != NULL);
		for (uint32_t j = 0; j < i; j++)
			CHECK(strcmp(entries[i].name, entries[j].name) != 0);
		strcpy(owner, entries[i].name);
		owner[strcspn(owner, ".")] = '\0';
		CHECK(
		    strchr(entries[i].name, '.') == NULL || entries[i].offset <= find(owner)->size);
	}
}

/*
 * The library's list, expanded here: every name that a plugin of this version may ask for is there.
 */
static void test_names(void)
{
#define FIND_STRUCT(type)       find(#type);
#define FIND_FIELD(type, field) find(#type "." #field);
	RT_DEBUG_STRUCTS(FIND_STRUCT)
	RT_DEBUG_FIELDS(FIND_FIELD)
	RT_DEBUG_ARRAYS(FIND_FIELD)
}

static const char *control_variables(void)
{
	return (const char *)(uintptr_t)read_number(root(0), "rt_process.control_variables");
}

static void test_settings(void)
{
	const char *process = root(0);
	const char *initial = process + find("rt_process.initial")->offset;

	const char *text = control_variables();
	uint64_t size = read_number(process, "rt_process.control_variables_size");
	const char *cancellation = NULL;
	int variables = 0;

	CHECK_EQUAL(read_number(process, "rt_process.processors"), omp_get_num_procs());
	CHECK_EQUAL(read_number(initial, "rt_task_icvs.nthreads"), omp_get_max_threads());
	CHECK_EQUAL(read_number(initial, "rt_task_icvs.thread_limit"), omp_get_thread_limit());
	CHECK_EQUAL(
	    read_number(initial, "rt_task_icvs.max_active_levels"), omp_get_max_active_levels());
	CHECK_EQUAL(read_number(process, "rt_process.cancellation"), 1);
	if (!CHECK(text && size > 0 && text[size - 1] == '\0'))
		return;
	for (const char *line = text; line < text + size; line += strlen(line) + 1, variables++) {
		const char *equals = strchr(line, '=');
		CHECK(equals &&
		      (strncmp(line, "OMP_", 4) == 0 || strncmp(line, "GOMP_", 5) == 0 ||
			  strncmp(line, "ACC_", 4) == 0 || strncmp(line, "OMPINST_", 8) == 0));
		if (strncmp(line, "OMP_CANCELLATION=", 17) == 0)
			cancellation = line;
	}
	CHECK(
	    variables == 34 && cancellation && strcmp(cancellation, "OMP_CANCELLATION=TRUE") == 0);
}

static void test_plugin_path(void)
{
	const char ***locations = dlsym(RTLD_DEFAULT, "ompd_dll_locations");
	void (*valid)(void) = dlsym(RTLD_DEFAULT, "ompd_dll_locations_valid");
	void (*enable)(void) = dlsym(RTLD_DEFAULT, "omp_debug_enable");

	if (!CHECK(locations && *locations && valid && enable))
		return;
	for (const char **path = *locations; *path; path++)
		CHECK(**path == '/' && access(*path, R_OK) == 0);
	valid();
	enable();
}

/* Weak: the libgomp that gcc links to does not have it. */
void omp_debug_enable(void) __attribute__((weak));

/*
 * Runs before the constructors of all libraries, as that of a preloaded library may: the runtime
 * has not read its environment yet.
 */
static void call_early(int count, char **arguments, char **environment)
{
	(void)count;
	(void)arguments;
	for (; *environment; environment++)
		if (strcmp(*environment, "CALL_EARLY=1") == 0 && omp_debug_enable)
			omp_debug_enable();
}

__attribute__((section(".preinit_array"), used)) static void (*const early)(
    int, char **, char **) = call_early;

/* How debug-var can be set; the program runs once in each of these environments. */
static const struct {
	const char *variable, *early;
	uint64_t debug;
} stages[] = {
    {"on", "0", 1},
    {"enabled", "0", 1},
    {"disabled", "0", 0},
#ifdef __GLIBC__ /* musl calls nothing before the constructors */
    {"disabled", "1", 1},
#endif
};

enum { STAGES = sizeof(stages) / sizeof(stages[0]) };

static void enter_stage(char **arguments, int stage)
{
	char number[] = {(char)('0' + stage), '\0'};

	setenv("OMP_CANCELLATION", "true", 1);
	setenv("OMP_DEBUG", stages[stage].variable, 1);
	setenv("CALL_EARLY", stages[stage].early, 1);
	check_needs_environment(arguments, "DEBUG_TABLE_STAGE", number);
}

int main(int count, char **arguments)
{
	const char *number = getenv("DEBUG_TABLE_STAGE");
	int stage = number ? *number - '0' : 0;

	(void)count;
	if (!number)
		enter_stage(arguments, 0);
	table = dlsym(RTLD_DEFAULT, RT_DEBUG_TABLE_SYMBOL);
	if (!CHECK(table != NULL))
		return check_result();
	header = (const struct rt_debug_header *)table;
	entries = (const struct rt_debug_entry *)(table + header->header_bytes +
						  header->root_count * header->pointer_bytes);
	CHECK_EQUAL(read_number(root(0), "rt_process.debug"), stages[stage].debug);
	test_header();
	test_names();
	test_settings();
	test_plugin_path();
	if (check_result() == 0 && stage + 1 < STAGES)
		enter_stage(arguments, stage + 1);
	return check_result();
}
