/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From OTF2 regions to constructs. Score-P and libpomp write one region per part of a construct,
 * named "!$omp critical sblock @file.c:6"; here the parts are put together again by role, and the
 * name is cut out of the decoration. Parts that happen within their construct (bodies, implicit
 * barriers) find it on the stack; a task and its creation are joined by file and line.
 */
#include <string.h>

#include "pass.h"
#include "memory.h"
#include "shared/summary-figures.h"

/* One row per role that is treated specially; all others are plain constructs. */
static const struct role {
	OTF2_RegionRole role;
	enum part part;
	enum construct_kind kind;
	const char *name; /* for regions whose name says nothing */
	bool has_blocks;
} roles[] = {
    {OTF2_REGION_ROLE_PARALLEL, PART_WHOLE, KIND_PARALLEL, "parallel"},
    {OTF2_REGION_ROLE_LOOP, PART_WHOLE, KIND_WORKSHARE, "for"},
    {OTF2_REGION_ROLE_SECTIONS, PART_WHOLE, KIND_WORKSHARE, "sections"},
    {OTF2_REGION_ROLE_SECTION, PART_WHOLE, KIND_PLAIN, "section"},
    {OTF2_REGION_ROLE_WORKSHARE, PART_WHOLE, KIND_WORKSHARE, "workshare"},
    {OTF2_REGION_ROLE_SINGLE, PART_WHOLE, KIND_WORKSHARE, "single", true},
    {OTF2_REGION_ROLE_SINGLE_SBLOCK, PART_BODY, KIND_PLAIN, "single"},
    {OTF2_REGION_ROLE_MASTER, PART_WHOLE, KIND_PLAIN, "master"},
    {OTF2_REGION_ROLE_CRITICAL, PART_WHOLE, KIND_ENTRY, "critical", true},
    {OTF2_REGION_ROLE_CRITICAL_SBLOCK, PART_BODY, KIND_PLAIN, "critical"},
    {OTF2_REGION_ROLE_ORDERED, PART_WHOLE, KIND_ENTRY, "ordered", true},
    {OTF2_REGION_ROLE_ORDERED_SBLOCK, PART_BODY, KIND_PLAIN, "ordered"},
    {OTF2_REGION_ROLE_ATOMIC, PART_WHOLE, KIND_PLAIN, "atomic"},
    {OTF2_REGION_ROLE_FLUSH, PART_WHOLE, KIND_PLAIN, "flush"},
    {OTF2_REGION_ROLE_BARRIER, PART_WHOLE, KIND_BARRIER, "barrier"},
    {OTF2_REGION_ROLE_IMPLICIT_BARRIER, PART_BARRIER, KIND_PLAIN, "implicit barrier"},
    {OTF2_REGION_ROLE_TASK, PART_WHOLE, KIND_TASK, "task"},
    {OTF2_REGION_ROLE_TASK_UNTIED, PART_WHOLE, KIND_TASK, "task"},
    {OTF2_REGION_ROLE_TASK_CREATE, PART_CREATE, KIND_TASK, "task"},
    {OTF2_REGION_ROLE_TASK_WAIT, PART_WHOLE, KIND_TASK_WAIT, "taskwait"},
    {OTF2_REGION_ROLE_ARTIFICIAL, PART_NONE, KIND_PLAIN, ""},
};

static const struct role plain = {OTF2_REGION_ROLE_UNKNOWN, PART_WHOLE, KIND_PLAIN, "region"};
static const struct role lock_routine = {OTF2_REGION_ROLE_WRAPPER, PART_LOCK, KIND_PLAIN, ""};

/* Regions that are recognised by their names: OTF2 has no roles for them. */
static const struct named_role {
	const char *name;
	struct role role;
} named_roles[] = {
    {"sections section", {OTF2_REGION_ROLE_SECTION, PART_BODY, KIND_PLAIN, "section"}},
    {"loop", {OTF2_REGION_ROLE_LOOP, PART_WHOLE, KIND_PLAIN, "loop"}},
    {"distribute", {OTF2_REGION_ROLE_LOOP, PART_WHOLE, KIND_PLAIN, "distribute"}},
    {"teams", {OTF2_REGION_ROLE_CODE, PART_WHOLE, KIND_PLAIN, "teams"}},
    {"target", {OTF2_REGION_ROLE_CODE, PART_WHOLE, KIND_PLAIN, "target"}},
    {"target data", {OTF2_REGION_ROLE_DATA_TRANSFER, PART_WHOLE, KIND_PLAIN, "target data"}},
    {"target enter data",
	{OTF2_REGION_ROLE_DATA_TRANSFER, PART_WHOLE, KIND_PLAIN, "target enter data"}},
    {"target exit data",
	{OTF2_REGION_ROLE_DATA_TRANSFER, PART_WHOLE, KIND_PLAIN, "target exit data"}},
    {"target update", {OTF2_REGION_ROLE_DATA_TRANSFER, PART_WHOLE, KIND_PLAIN, "target update"}},
    {"taskgroup", {OTF2_REGION_ROLE_CODE, PART_WHOLE, KIND_PLAIN, "taskgroup"}},
    {"taskgroup block", {OTF2_REGION_ROLE_CODE, PART_BODY, KIND_PLAIN, "taskgroup"}},
    {"taskgroup wait", {OTF2_REGION_ROLE_TASK_WAIT, PART_WAIT, KIND_PLAIN, "taskgroup"}},
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

static const struct role *role_of(const struct archive_region *region)
{
	const char *name = "";
	size_t length = find_construct_name(region->name, &name);

	/*
	 * MPI's or pthread's barriers count as functions: the reports are about OpenMP's roles
	 * only.
	 */
	if (region->paradigm != OTF2_PARADIGM_OPENMP && region->role != OTF2_REGION_ROLE_ARTIFICIAL)
		return &plain;
	if (region->role == OTF2_REGION_ROLE_WRAPPER)
		return wrapper_role(region->name);
	for (size_t i = 0; i < sizeof(named_roles) / sizeof(named_roles[0]); i++) {
		if (strlen(named_roles[i].name) == length &&
		    memcmp(named_roles[i].name, name, length) == 0)
			return &named_roles[i].role;
	}
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (roles[i].role == region->role)
			return &roles[i];
	}
	return &plain;
}

static char *copy_part(const char *start, size_t length)
{
	char *text = memory_new(length + 1, 1);

	memcpy(text, start, length);
	return text;
}

/*
 * "!$omp critical(name) @file.c:6" gives "critical" and "name". A region without the prefix is a
 * function or user region, which is all sub_name; its role or paradigm names it.
 */
static void set_names(
    struct construct *construct, const struct archive_region *region, const struct role *role)
{
	const char *name = NULL, *open;
	size_t length = find_construct_name(region->name, &name), before;

	if (length == 0) {
		construct->name = memory_copy_text(
		    region->paradigm == OTF2_PARADIGM_MPI                     ? "mpi"
		    : region->role == OTF2_REGION_ROLE_CODE || role != &plain ? role->name
									      : "function");
		construct->sub_name = memory_copy_text(region->name);
		return;
	}
	open = name[length - 1] == ')' ? memchr(name, '(', length) : NULL;
	before = open ? (size_t)(open - name) : length;
	construct->name = copy_part(name, before);
	construct->sub_name =
	    open ? copy_part(open + 1, length - before - 2) : memory_copy_text("");
	if (role->kind == KIND_TASK) {
		/* "create_task", "untied task": one name for the construct. */
		char *task = strstr(construct->name, "task");

		if (task && task != construct->name)
			memmove(construct->name, task, strlen(task) + 1);
	}
}

static uint32_t new_construct(
    struct analysis *analysis, const struct archive_region *region, const struct role *role)
{
	struct construct *construct;

	analysis->constructs = memory_grow(analysis->constructs, &analysis->construct_room,
	    analysis->construct_count + 1, sizeof(analysis->constructs[0]));
	construct = &analysis->constructs[analysis->construct_count];
	construct->file = region->file;
	construct->begin_line = region->begin_line > INT32_MAX ? 0 : (int)region->begin_line;
	construct->end_line = region->end_line > INT32_MAX ? 0 : (int)region->end_line;
	construct->kind = role->kind;
	construct->has_blocks = role->has_blocks;
	set_names(construct, region, role);
	return (uint32_t)analysis->construct_count++;
}

void analysis_find_constructs(struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	struct map tasks = {0};

	analysis->parts = memory_new(archive->region_count, sizeof(analysis->parts[0]));
	for (size_t i = 0; i < archive->region_count; i++) {
		const struct archive_region *region = &archive->regions[i];
		const struct role *role = role_of(region);
		struct region_part *part = &analysis->parts[i];

		*part = (struct region_part){NO_CONSTRUCT, role->part,
		    region->paradigm == OTF2_PARADIGM_MPI && role->part == PART_WHOLE};
		analysis->has_mpi |= part->is_mpi;
		if (role->kind == KIND_TASK) {
			struct map_key key = {region->file_ref, region->begin_line};

			if (map_find(&tasks, key) == MAP_NONE)
				map_set(&tasks, key, new_construct(analysis, region, role));
			part->construct = (uint32_t)map_find(&tasks, key);
		} else if (role->part == PART_WHOLE) {
			part->construct = new_construct(analysis, region, role);
		}
	}
	map_free(&tasks);
}

char *analysis_construct_name(const struct construct *construct)
{
	struct summary_region region = {
	    .name = construct->name,
	    .sub_name = construct->sub_name,
	    .file = construct->file,
	    .begin_line = construct->begin_line,
	};
	int length = summary_format_region(NULL, 0, &region);
	char *name = memory_new((size_t)length + 1, 1);

	summary_format_region(name, (size_t)length + 1, &region);
	return name;
}
