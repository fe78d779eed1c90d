/* SPDX-License-Identifier: BSD-3-Clause */
/* The recording tool of recorder.h. */
#include "recorder.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <omp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "check.h"

enum { MOST_RECORDS = 1 << 16, MOST_THREADS = 1024 };

static struct record records[MOST_RECORDS];
static unsigned used, threads, regions, tasks;
static bool is_on;
static __thread unsigned this_thread;

ompt_set_result_t record_answer[64];
ompt_function_lookup_t record_lookup;
ompt_get_state_t record_get_state;

static unsigned next(unsigned *counter)
{
	return __atomic_add_fetch(counter, 1, __ATOMIC_ACQ_REL);
}

static uint64_t value_of(const ompt_data_t *data)
{
	return data ? data->value : 0;
}

static void add(struct record record)
{
	ompt_wait_id_t wait = 0;
	unsigned index;

	if (this_thread == 0)
		this_thread = next(&threads);
	record.thread = this_thread;
	record.state = (ompt_state_t)record_get_state(&wait);
	record.state_wait = wait;
	index = next(&used) - 1;
	if (index < MOST_RECORDS)
		records[index] = record;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
    unsigned requested, int flags, const void *codeptr)
{
	(void)frame;
	(void)flags;
	parallel->value = next(&regions);
	add((struct record){.callback = ompt_callback_parallel_begin,
	    .endpoint = ompt_scope_begin,
	    .parallel = parallel->value,
	    .task = value_of(task),
	    .count = requested,
	    .codeptr = codeptr});
}

static void on_parallel_end(
    ompt_data_t *parallel, ompt_data_t *task, int flags, const void *codeptr)
{
	(void)flags;
	add((struct record){.callback = ompt_callback_parallel_end,
	    .endpoint = ompt_scope_end,
	    .parallel = value_of(parallel),
	    .task = value_of(task),
	    .codeptr = codeptr});
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, unsigned size, unsigned number, int flags)
{
	(void)number;
	if (endpoint == ompt_scope_begin)
		task->value = next(&tasks);
	add((struct record){.callback = ompt_callback_implicit_task,
	    .kind = flags,
	    .endpoint = endpoint,
	    .parallel = value_of(parallel),
	    .task = value_of(task),
	    .count = size});
}

static void on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int has_dependences, const void *codeptr)
{
	(void)frame;
	(void)has_dependences;
	task->value = next(&tasks);
	add((struct record){.callback = ompt_callback_task_create,
	    .kind = flags,
	    .task = value_of(encountering),
	    .codeptr = codeptr});
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, uint64_t count, const void *codeptr)
{
	add((struct record){.callback = ompt_callback_work,
	    .kind = kind,
	    .endpoint = endpoint,
	    .parallel = value_of(parallel),
	    .task = value_of(task),
	    .count = count,
	    .codeptr = codeptr});
}

static void on_dispatch(
    ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
	struct record record = {.callback = ompt_callback_dispatch,
	    .kind = kind,
	    .parallel = value_of(parallel),
	    .task = value_of(task)};

	if (kind == ompt_dispatch_section) {
		record.codeptr = instance.ptr;
	} else {
		const ompt_dispatch_chunk_t *chunk = instance.ptr;
		record.start = chunk->start;
		record.count = chunk->iterations;
	}
	add(record);
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *deps, int count)
{
	struct record record = {
	    .callback = ompt_callback_dependences, .task = value_of(task), .length = count};

	for (int i = 0; i < count && i < 4; i++)
		record.deps[i] = deps[i];
	record.kind = count > 0 ? (int)deps[0].dependence_type : 0;
	add(record);
}

/* lock_init and mutex_acquire have more arguments than the others of mutexes. */
#define ON_ACQUIRE(name)                                                                           \
	static void on_##name(ompt_mutex_t kind, unsigned hint, unsigned impl,                     \
	    ompt_wait_id_t wait, const void *codeptr)                                              \
	{                                                                                          \
		add((struct record){.callback = ompt_callback_##name,                              \
		    .kind = kind,                                                                  \
		    .count = hint,                                                                 \
		    .impl = impl,                                                                  \
		    .wait = wait,                                                                  \
		    .codeptr = codeptr});                                                          \
	}
#define ON_MUTEX(name)                                                                             \
	static void on_##name(ompt_mutex_t kind, ompt_wait_id_t wait, const void *codeptr)         \
	{                                                                                          \
		add((struct record){.callback = ompt_callback_##name,                              \
		    .kind = kind,                                                                  \
		    .wait = wait,                                                                  \
		    .codeptr = codeptr});                                                          \
	}

ON_ACQUIRE(lock_init)
ON_ACQUIRE(mutex_acquire)
ON_MUTEX(lock_destroy)
ON_MUTEX(mutex_acquired)
ON_MUTEX(mutex_released)

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait, const void *codeptr)
{
	add((struct record){.callback = ompt_callback_nest_lock,
	    .endpoint = endpoint,
	    .wait = wait,
	    .codeptr = codeptr});
}

static void on_cancel(ompt_data_t *task, int flags, const void *codeptr)
{
	add((struct record){.callback = ompt_callback_cancel,
	    .kind = flags,
	    .task = value_of(task),
	    .codeptr = codeptr});
}

static void on_error(
    ompt_severity_t severity, const char *message, size_t length, const void *codeptr)
{
	struct record record = {.callback = ompt_callback_error,
	    .kind = severity,
	    .length = (int)length,
	    .codeptr = codeptr};

	if (message)
		memcpy(record.text, message,
		    length < sizeof(record.text) - 1 ? length : sizeof(record.text) - 1);
	add(record);
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	add((struct record){.callback = ompt_callback_reduction,
	    .kind = kind,
	    .endpoint = endpoint,
	    .parallel = value_of(parallel),
	    .task = value_of(task),
	    .codeptr = codeptr});
}

static void on_masked(
    ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	add((struct record){.callback = ompt_callback_masked,
	    .endpoint = endpoint,
	    .parallel = value_of(parallel),
	    .task = value_of(task),
	    .codeptr = codeptr});
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	add((struct record){.callback = ompt_callback_sync_region,
	    .kind = kind,
	    .endpoint = endpoint,
	    .parallel = value_of(parallel),
	    .task = value_of(task),
	    .codeptr = codeptr});
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
    ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target, const void *codeptr)
{
	(void)target_task;
	if (target && endpoint == ompt_scope_begin)
		target->value = next(&regions);
	add((struct record){.callback = ompt_callback_target_emi,
	    .kind = kind,
	    .endpoint = endpoint,
	    .parallel = value_of(target),
	    .task = value_of(task),
	    .length = device,
	    .codeptr = codeptr});
}

static void on_target_submit_emi(
    ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *operation, unsigned teams)
{
	if (endpoint == ompt_scope_begin)
		*operation = next(&regions);
	add((struct record){.callback = ompt_callback_target_submit_emi,
	    .endpoint = endpoint,
	    .parallel = value_of(target),
	    .wait = *operation,
	    .count = teams});
}

static void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task,
    ompt_data_t *target, ompt_id_t *operation, ompt_target_data_op_t kind, void *from,
    int from_device, void *to, int to_device, size_t bytes, const void *codeptr)
{
	(void)target_task;
	(void)target;
	if (endpoint == ompt_scope_begin)
		*operation = next(&regions);
	add((struct record){.callback = ompt_callback_target_data_op_emi,
	    .kind = kind,
	    .endpoint = endpoint,
	    .wait = *operation,
	    .start = (uintptr_t)from ^ (uintptr_t)to,
	    .length = from_device == to_device ? from_device : -1,
	    .count = bytes,
	    .codeptr = codeptr});
}

#define SET(set, name)                                                                             \
	record_answer[ompt_callback_##name] =                                                      \
	    (set)(ompt_callback_##name, (ompt_callback_t)on_##name)

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)data;
	record_lookup = lookup;
	record_get_state = (ompt_get_state_t)lookup("ompt_get_state");
	SET(set, parallel_begin);
	SET(set, parallel_end);
	SET(set, implicit_task);
	SET(set, task_create);
	SET(set, work);
	SET(set, dispatch);
	SET(set, dependences);
	SET(set, lock_init);
	SET(set, lock_destroy);
	SET(set, mutex_acquire);
	SET(set, mutex_acquired);
	SET(set, mutex_released);
	SET(set, nest_lock);
	SET(set, cancel);
	SET(set, error);
	SET(set, reduction);
	SET(set, masked);
	SET(set, sync_region);
	SET(set, target_emi);
	SET(set, target_submit_emi);
	SET(set, target_data_op_emi);
	is_on = true;
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)version;
	(void)runtime;
	return &result;
}

bool record_is_on(void)
{
	omp_get_max_threads(); /* the runtime starts with its first use */
	return CHECK(is_on);
}

void record_clear(void)
{
	__atomic_store_n(&used, 0, __ATOMIC_RELEASE);
}

unsigned record_count(void)
{
	unsigned count = __atomic_load_n(&used, __ATOMIC_ACQUIRE);

	CHECK(count <= MOST_RECORDS);
	return count <= MOST_RECORDS ? count : MOST_RECORDS;
}

const struct record *record_at(unsigned index)
{
	return &records[index];
}

static bool is_like(const struct record *record, ompt_callbacks_t callback, int kind, int endpoint)
{
	return record->callback == callback && (kind == -1 || record->kind == kind) &&
	       (endpoint == 0 || record->endpoint == endpoint);
}

unsigned record_number(ompt_callbacks_t callback, int kind, int endpoint)
{
	unsigned number = 0;

	for (unsigned i = 0; i < record_count(); i++)
		number += is_like(&records[i], callback, kind, endpoint);
	return number;
}

const struct record *record_find(unsigned index, ompt_callbacks_t callback, int kind, int endpoint)
{
	for (unsigned i = index; i < record_count(); i++)
		if (is_like(&records[i], callback, kind, endpoint))
			return &records[i];
	return NULL;
}

/* The symbols of this program, read from its file: also those of static functions. */
struct symbols {
	const char *file, *names;
	const ElfW(Sym) * table;
	size_t count;
	uintptr_t base;
};

static const ElfW(Shdr) * find_section(const char *file, unsigned type)
{
	const ElfW(Ehdr) *header = (const void *)file;
	const ElfW(Shdr) *section = (const void *)(file + header->e_shoff);

	for (unsigned i = 0; i < header->e_shnum; i++)
		if (section[i].sh_type == type)
			return &section[i];
	return NULL;
}

static int keep_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uintptr_t *)base = info->dlpi_addr;
	return 1;
}

static const struct symbols *symbols_read(void)
{
	static struct symbols symbols;
	struct stat status;
	int file;

	if (symbols.file)
		return &symbols;
	file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (file < 0 || fstat(file, &status) != 0) {
		perror("/proc/self/exe");
		_exit(1);
	}
	symbols.file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	const ElfW(Shdr) *table = find_section(symbols.file, SHT_SYMTAB);
	const ElfW(Shdr) *sections =
	    (const void *)(symbols.file +
			   ((const ElfW(Ehdr) *)(const void *)symbols.file)->e_shoff);
	symbols.table = (const void *)(symbols.file + table->sh_offset);
	symbols.count = table->sh_size / sizeof(*symbols.table);
	symbols.names = symbols.file + sections[table->sh_link].sh_offset;
	dl_iterate_phdr(keep_base, &symbols.base);
	return &symbols;
}

/* The function that the call before `address` is in; "" when it is none of the program's. */
static const char *function_of(const void *address)
{
	const struct symbols *symbols = symbols_read();
	uintptr_t call = (uintptr_t)address - 1 - symbols->base;

	for (size_t i = 0; i < symbols->count; i++) {
		const ElfW(Sym) *symbol = &symbols->table[i];
		if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && call >= symbol->st_value &&
		    call < symbol->st_value + symbol->st_size)
			return symbols->names + symbol->st_name;
	}
	return "";
}

/* What a thread waits for, by its number, and which work region an implicit task is in, by its. */
static uint64_t waiting[MOST_THREADS];
static int in_work[MOST_RECORDS];

static const char *said(const struct record *record)
{
	static char text[200];

	snprintf(text, sizeof(text),
	    "callback %d kind %d endpoint %d thread %u parallel %" PRIu64 " task %" PRIu64
	    " wait %" PRIx64,
	    record->callback, record->kind, record->endpoint, record->thread, record->parallel,
	    record->task, record->wait);
	return text;
}

#define HOLDS(condition, record)                                                                   \
	do {                                                                                       \
		if (!CHECK(condition))                                                             \
			fprintf(stderr, "  in %s\n", said(record));                                \
	} while (0)

static void check_work(const struct record *record)
{
	int *work = &in_work[record->task % MOST_RECORDS];

	HOLDS(record->task != 0, record);
	if (record->callback == ompt_callback_dispatch) {
		HOLDS(*work != 0, record);
	} else if (record->endpoint == ompt_scope_begin) {
		HOLDS(*work == 0, record);
		*work = record->kind;
	} else {
		HOLDS(*work == record->kind, record);
		*work = 0;
	}
}

static void check_mutex(const struct record *record)
{
	HOLDS(record->wait != 0, record);
	if (record->callback == ompt_callback_mutex_acquire)
		waiting[record->thread] = record->wait;
	else if (record->callback == ompt_callback_mutex_acquired)
		HOLDS(waiting[record->thread] == record->wait, record);
}

static bool is_barrier(int kind)
{
	return kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup;
}

/* An implicit task's work is over before the task is, and before a barrier of it begins. */
static void check_record(const struct record *record)
{
	switch (record->callback) {
	case ompt_callback_work:
	case ompt_callback_dispatch:
		check_work(record);
		break;
	case ompt_callback_mutex_acquire:
	case ompt_callback_mutex_acquired:
	case ompt_callback_mutex_released:
		check_mutex(record);
		break;
	case ompt_callback_implicit_task:
		if (record->endpoint == ompt_scope_end)
			HOLDS(in_work[record->task % MOST_RECORDS] == 0, record);
		break;
	case ompt_callback_sync_region:
		if (is_barrier(record->kind))
			HOLDS(in_work[record->task % MOST_RECORDS] == 0, record);
		break;
	default:
		break;
	}
}

void record_check(const char *function)
{
	unsigned count = record_count();

	for (unsigned i = 0; i < count; i++) {
		const struct record *record = &records[i];
		const char *name;

		check_record(record);
		if (!record->codeptr)
			continue;
		name = function_of(record->codeptr);
		if (CHECK(*name != '\0' &&
			  (!function || strncmp(name, function, strlen(function)) == 0)))
			continue;
		fprintf(stderr, "  in %s: address %p is in '%s'\n", said(record), record->codeptr,
		    name);
	}
	for (unsigned i = 0; i < MOST_RECORDS; i++)
		CHECK(in_work[i] == 0);
}
