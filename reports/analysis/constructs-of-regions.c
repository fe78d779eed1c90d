/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From OTF2 regions to constructs. Score-P and libpomp write one region per part of a construct,
 * named "!$omp critical sblock @file.c:6". This file joins the parts by role and extracts the
 * construct's name. Parts that happen within their construct (bodies, implicit barriers) find it on
 * the stack; a task and its creation are joined by file and line.
 */
#include <string.h>

#include "common/summary-figures.h"
#include "memory.h"
#include "pass.h"

/* The meaning of an archive's region. */
struct role {
	enum part part;
	enum construct_kind kind;
	const char *name; /* if the region's own has none; NULL: no construct is known */
};

static const struct role plain = {PART_WHOLE, CONSTRUCT_KIND_PLAIN, NULL};
static const struct role lock_routine = {PART_LOCK, CONSTRUCT_KIND_PLAIN, NULL};

/* How the list's constructs appear in an archive. */
static const struct traced {
	OTF2_RegionRole role, block_role;
	const char *block_word;
	bool has_block; /* it has a region of its own within the construct's */
	bool has_wait;  /* so has the wait at its end */
} traced_as[CONSTRUCT_COUNT] = {
#define BLOCK_AROUND                        false
#define BLOCK_INSIDE                        false
#define BLOCK_BOTH                          true
#define BLOCK_FORK                          false
#define BLOCK_CREATE                        false
#define CALLED(calls, stem, defined, group) BLOCK_##calls
#define WAITS_NOTHING                       false
#define WAITS_TEAM                          false
#define WAITS_HOLDER                        false
#define WAITS_TURN                          false
#define WAITS_TASKS                         true
#define MEASURED(kind, waits)               WAITS_##waits
#define ROLE(name)                          OTF2_REGION_ROLE_##name
#define TRACED(role, block, word)           ROLE(role), ROLE(block), word
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about)                     \
	[CONSTRUCT_##id] = {traced, called, called && measured},
    CONSTRUCTS(CONSTRUCT)
#undef CONSTRUCT
};

/* Roles that define the meaning whatever the name, also for other tools' constructs. */
static const struct {
	OTF2_RegionRole role;
	struct role means;
} fixed_roles[] = {
    {ROLE(IMPLICIT_BARRIER), {PART_BARRIER, CONSTRUCT_KIND_PLAIN, "implicit barrier"}},
    {ROLE(TASK_CREATE), {PART_CREATE, CONSTRUCT_KIND_TASK, "task"}},
    {ROLE(TASK_UNTIED), {PART_WHOLE, CONSTRUCT_KIND_TASK, "task"}},
    {ROLE(WORKSHARE), {PART_WHOLE, CONSTRUCT_KIND_WORK, "workshare"}},
    {ROLE(ARTIFICIAL), {PART_NONE, CONSTRUCT_KIND_PLAIN, ""}},
};

/* The "critical(sum)" of "!$omp critical(sum) @file.c:6"; 0 for names of another form. */
static size_t find_construct_name(const char *region_name, const char **start)
{
	static const char prefix[] = "!$omp ";
	const char *end;

	if (strncmp(region_name, prefix, strlen(prefix)) != 0)
		return 0;
	*start = region_name + strlen(prefix);
	end = strstr(*start, " @");
	return end ? (size_t)(end - *start) : strlen(*start);
}

/* The lock routines among the wrappers: omp_set_lock, omp_test_nest_lock, ... */
static const struct role *wrapper_role(const char *name)
{
	return strncmp(name, "omp_", strlen("omp_")) == 0 && strstr(name, "_lock") ? &lock_routine
										   : &plain;
}

static struct role whole(enum construct_id id)
{
	return (struct role){PART_WHOLE, construct_kind(id), construct_name(id)};
}

static struct role part_of(enum construct_id id, enum part part)
{
	return (struct role){part, CONSTRUCT_KIND_PLAIN, construct_name(id)};
}

/* Whether the region of that role is the construct's block rather than the construct. */
static bool is_block_role(const struct traced *traced, OTF2_RegionRole role)
{
	return traced->block_role == role && role != ROLE(CODE) && role != traced->role;
}

/*
 * Recognises "taskgroup", "taskgroup block", "taskgroup wait"; false if the name is not a
 * construct's.
 */
static bool role_by_name(const char *name, size_t length, OTF2_RegionRole role, struct role *means)
{
	enum construct_id id = construct_find(name, length);
	const char *blank = memrchr(name, ' ', length);
	const struct traced *traced;
	const char *word;

	if (id < CONSTRUCT_COUNT) {
		*means = is_block_role(&traced_as[id], role) ? part_of(id, PART_BODY) : whole(id);
		return true;
	}
	if (blank == NULL)
		return false;
	id = construct_find(name, (size_t)(blank - name));
	if (id >= CONSTRUCT_COUNT)
		return false;
	traced = &traced_as[id];
	word = blank + 1;
	length -= (size_t)(word - name);
	if ((traced->has_block || is_block_role(traced, role)) &&
	    strlen(traced->block_word) == length && memcmp(traced->block_word, word, length) == 0)
		*means = part_of(id, PART_BODY);
	else if (traced->has_wait && length == strlen("wait") && memcmp(word, "wait", length) == 0)
		*means = part_of(id, PART_WAIT);
	else
		return false;
	return true;
}

/*
 * For constructs whose names contain more, as in "critical(sum) sblock", and for other tools'
 * constructs.
 */
static struct role role_by_role(OTF2_RegionRole role)
{
	/* Several constructs have these roles, and so have regions that are not constructs. */
	if (role == ROLE(CODE) || role == ROLE(DATA_TRANSFER))
		return plain;
	for (size_t i = 0; i < sizeof(fixed_roles) / sizeof(fixed_roles[0]); i++) {
		if (fixed_roles[i].role == role)
			return fixed_roles[i].means;
	}
	for (unsigned id = 0; id < CONSTRUCT_COUNT; id++) {
		if (traced_as[id].role == role)
			return whole((enum construct_id)id);
	}
	for (unsigned id = 0; id < CONSTRUCT_COUNT; id++) {
		if (traced_as[id].block_role == role)
			return part_of((enum construct_id)id, PART_BODY);
	}
	return plain;
}

static struct role role_of(const struct archive_region *region)
{
	const char *name = "";
	size_t length = find_construct_name(region->name, &name);
	struct role means;

	/* Barriers of MPI or pthreads count as functions: only OpenMP's roles matter here. */
	if (region->paradigm != OTF2_PARADIGM_OPENMP && region->role != ROLE(ARTIFICIAL))
		return plain;
	if (region->role == ROLE(WRAPPER))
		return *wrapper_role(region->name);
	if (length > 0 && role_by_name(name, length, region->role, &means))
		return means;
	return role_by_role(region->role);
}

static char *copy_part(const char *start, size_t length)
{
	char *text = memory_new(length + 1, 1);

	memcpy(text, start, length);
	return text;
}

/*
 * "!$omp critical(name) @file.c:6" gives "critical" and "name". A region without the prefix is a
 * function or user region: sub_name is its whole name, and its role or paradigm gives the name.
 */
static void set_names(
    struct construct *construct, const struct archive_region *region, const struct role *role)
{
	const char *name = NULL, *open;
	size_t length = find_construct_name(region->name, &name), before;

	if (length == 0) {
		enum construct_id other = region->paradigm == OTF2_PARADIGM_MPI ? CONSTRUCT_MPI
					  : region->role == ROLE(CODE)          ? CONSTRUCT_REGION
								       : CONSTRUCT_FUNCTION;

		construct->name =
		    memory_copy_text(role->name != NULL ? role->name : construct_name(other));
		construct->sub_name = memory_copy_text(region->name);
		return;
	}
	open = name[length - 1] == ')' ? memchr(name, '(', length) : NULL;
	before = open ? (size_t)(open - name) : length;
	construct->name = copy_part(name, before);
	construct->sub_name =
	    open ? copy_part(open + 1, length - before - 2) : memory_copy_text("");
	if (role->kind == CONSTRUCT_KIND_TASK) {
		/* "create_task", "untied task": one name for the construct. */
		char *task = strstr(construct->name, construct_name(CONSTRUCT_TASK));

		if (task && task != construct->name)
			memmove(construct->name, task, strlen(task) + 1);
	}
}

static uint32_t new_construct(
    struct analysis *analysis, const struct archive_region *region, const struct role *role)
{
	struct construct *construct;

	MEMORY_GROW(analysis->constructs, analysis->construct_room, analysis->construct_count + 1);
	construct = &analysis->constructs[analysis->construct_count];
	construct->file = region->file;
	construct->begin_line = region->begin_line > INT32_MAX ? 0 : (int)region->begin_line;
	construct->end_line = region->end_line > INT32_MAX ? 0 : (int)region->end_line;
	construct->code = region->code;
	construct->function = region->function;
	construct->kind = role->kind;
	set_names(construct, region, role);
	return (uint32_t)analysis->construct_count++;
}

/* For criticals and the like, the thread waits until the body begins. */
static enum activity wait_in(enum part part, enum construct_kind kind)
{
	if (part == PART_BARRIER)
		return ACTIVITY_BARRIER;
	if (part == PART_WAIT)
		return ACTIVITY_TASK_WAIT;
	if (part == PART_LOCK)
		return ACTIVITY_LOCK;
	if (part != PART_WHOLE)
		return ACTIVITY_NONE;
	switch (kind) {
	case CONSTRUCT_KIND_BARRIER:
		return ACTIVITY_BARRIER;
	case CONSTRUCT_KIND_CRITICAL:
	case CONSTRUCT_KIND_ORDERED:
		return ACTIVITY_LOCK;
	case CONSTRUCT_KIND_TASK_WAIT:
		return ACTIVITY_TASK_WAIT;
	default:
		return ACTIVITY_NONE;
	}
}

enum activity analysis_region_wait(const struct archive_region *region)
{
	const struct role role = role_of(region);

	return wait_in(role.part, role.kind);
}

void analysis_find_constructs(struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	struct pair_map tasks = {0};

	analysis->parts = memory_new(archive->region_count, sizeof(analysis->parts[0]));
	for (size_t i = 0; i < archive->region_count; i++) {
		const struct archive_region *region = &archive->regions[i];
		const struct role role = role_of(region);
		struct region_part *part = &analysis->parts[i];

		*part = (struct region_part){NO_CONSTRUCT, role.part,
		    region->paradigm == OTF2_PARADIGM_MPI && role.part == PART_WHOLE,
		    wait_in(role.part, role.kind)};
		analysis->has_mpi |= part->is_mpi;
		if (role.kind == CONSTRUCT_KIND_TASK) {
			struct map_key key = {region->file_ref, region->begin_line};

			if (pair_map_find(&tasks, key) == MAP_NONE)
				memory_pair_map_set(
				    &tasks, key, new_construct(analysis, region, &role));
			part->construct = (uint32_t)pair_map_find(&tasks, key);
		} else if (role.part == PART_WHOLE) {
			part->construct = new_construct(analysis, region, &role);
		}
	}
	pair_map_free(&tasks);
}

char *analysis_construct_name(const struct construct *construct)
{
	struct summary_region region = {
	    .name = construct->name,
	    .sub_name = construct->sub_name,
	    .file = construct->file,
	    .begin_line = construct->begin_line,
	    .code = construct->code,
	    .function = construct->function,
	};
	int length = summary_format_region(NULL, 0, &region);
	char *name = memory_new((size_t)length + 1, 1);

	summary_format_region(name, (size_t)length + 1, &region);
	return name;
}
