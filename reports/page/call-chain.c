/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A compiler makes a function of its own of a parallel region's or a task's code, which the runtime
 * calls: "solve > GOMP_parallel > rt_parallel > solve._omp_fn.0". Debug information gives it the
 * name of the function that it was a part of. Such parts are joined again, and the construct stands
 * behind the innermost function that has its lines.
 */
#include "call-chain.h"

#include <stdlib.h>
#include <string.h>

#include "common/hot-rows.h"
#include "common/summary-figures.h"
#include "memory.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Whether it is a function of the OpenMP runtime: libgomp's, LLVM's and ours, by their names, or by
 * their files where no name is known.
 */
static bool is_runtime(const struct link *link)
{
	static const char *const files[] = {"libgomp", "libomp", "libiomp", "../runtime/"};

	if (link->kind != LINK_CODE)
		return false;
	if (hot_path_is_runtime(link->name))
		return true;
	for (size_t i = 0; i < COUNT_OF(files); i++)
		if (strstr(link->file, files[i]))
			return true;
	return false;
}

/* The name's length without what compilers append for a construct's code. */
static size_t name_length(const char *name)
{
	static const char *const marks[] = {"._omp_", ".omp_outlined", "..omp_par"};

	for (size_t i = 0; i < COUNT_OF(marks); i++) {
		const char *mark = strstr(name, marks[i]);

		if (mark && mark != name)
			return (size_t)(mark - name);
	}
	return strlen(name);
}

static bool same_name(const struct link *one, const struct link *other)
{
	return one->kind == other->kind && one->length == other->length &&
	       one->construct == other->construct &&
	       (one->length == 0 || memcmp(one->name, other->name, one->length) == 0);
}

static struct link link_of(const struct analysis *analysis, const struct archive_context *context)
{
	const struct archive *archive = analysis->archive;
	const struct archive_region *region =
	    context->region == ARCHIVE_NO_INDEX ? NULL : &archive->regions[context->region];
	const struct region_part *part = region ? &analysis->parts[context->region] : NULL;
	const char *name = region ? region->name : "";
	size_t length = name_length(name);

	if (region && region->paradigm == OTF2_PARADIGM_OPENMP && part->construct != NO_CONSTRUCT)
		return (struct link){.kind = LINK_CONSTRUCT, .construct = part->construct};
	if (!name[0]) { /* "/usr/lib/libfoo.so+0x1234": the library */
		name = context->file[0] ? summary_base_name(context->file) : "?";
		length = strcspn(name, "+");
	}
	return (struct link){.kind = LINK_CODE,
	    .is_outlined = region && length < strlen(region->name),
	    .name = name,
	    .length = length,
	    .file = context->file,
	    .line = context->line};
}

/* Adds the functions from the outermost on. */
static void add_functions(struct call_chain *chain, const struct analysis *analysis,
    uint32_t context, size_t functions_max)
{
	const struct archive_context *contexts = analysis->archive->contexts;
	size_t count = 0;

	for (uint32_t at = context; at != ARCHIVE_NO_INDEX && count < functions_max;
	     at = contexts[at].parent)
		count++;
	MEMORY_GROW(chain->links, chain->room, count + 3); /* serial part, construct, wait */
	chain->count = count;
	for (uint32_t at = context; count > 0; at = contexts[at].parent)
		chain->links[--count] = link_of(analysis, &contexts[at]);
}

static void insert(struct call_chain *chain, size_t at, struct link link)
{
	memmove(&chain->links[at + 1], &chain->links[at],
	    (chain->count - at) * sizeof(chain->links[0]));
	chain->links[at] = link;
	chain->count++;
}

/* The number of links without the runtime's functions at the end. */
static size_t users_end(const struct call_chain *chain)
{
	size_t end = chain->count;

	while (end > 0 && is_runtime(&chain->links[end - 1]))
		end--;
	return end;
}

/*
 * Removes the functions that start each program and thread, and those of the runtime that call the
 * program's. Then joins neighbours of one name: recursion, and a function with its part. The line
 * is that of the inner one.
 */
static void join_parts(struct call_chain *chain)
{
	size_t end = users_end(chain), count = 0;

	for (size_t i = 0; i < chain->count; i++) {
		struct link *link = &chain->links[i];

		if (link->kind == LINK_CODE &&
		    (hot_path_is_start(link->name) || (i < end && is_runtime(link))))
			continue;
		if (count > 0 && same_name(&chain->links[count - 1], link))
			count--;
		chain->links[count++] = *link;
	}
	chain->count = count;
}

static bool has_lines_of(const struct construct *construct, const struct link *link)
{
	uint32_t begin = (uint32_t)construct->begin_line;
	uint32_t end =
	    construct->end_line > construct->begin_line ? (uint32_t)construct->end_line : begin;

	return link->kind == LINK_CODE && link->line >= begin && link->line <= end &&
	       strcmp(summary_base_name(link->file), summary_base_name(construct->file)) == 0;
}

/* The index behind the innermost function that is a part of the construct; 0: none is known. */
static size_t place_of(const struct call_chain *chain, const struct construct *construct)
{
	for (size_t i = chain->count; i > 0; i--)
		if (has_lines_of(construct, &chain->links[i - 1]))
			return i;
	for (size_t i = chain->count; i > 0; i--)
		if (chain->links[i - 1].is_outlined)
			return i;
	return 0;
}

static bool has_construct(const struct call_chain *chain, uint32_t construct)
{
	for (size_t i = 0; i < chain->count; i++)
		if (chain->links[i].kind == LINK_CONSTRUCT &&
		    chain->links[i].construct == construct)
			return true;
	return false;
}

static void add_construct(
    struct call_chain *chain, const struct analysis *analysis, uint32_t construct)
{
	if (construct == NO_CONSTRUCT || analysis->constructs[construct].begin_line <= 0 ||
	    has_construct(chain, construct))
		return;
	insert(chain, place_of(chain, &analysis->constructs[construct]),
	    (struct link){.kind = LINK_CONSTRUCT, .construct = construct});
}

/* In place of what the runtime executes while it waits. */
static void add_wait(struct call_chain *chain)
{
	chain->count = users_end(chain);
	insert(chain, chain->count,
	    (struct link){.kind = LINK_WAIT, .name = "waits", .length = strlen("waits")});
}

void call_chain_find(struct call_chain *chain, const struct analysis *analysis,
    const struct code_samples *samples, size_t functions_max)
{
	add_functions(chain, analysis, samples->context, functions_max);
	join_parts(chain);
	add_construct(chain, analysis, samples->construct);
	if (samples->waits)
		add_wait(chain);
	if (chain->count == 0)
		insert(chain, 0, (struct link){.name = "?", .length = 1, .file = ""});
	if (samples->is_serial)
		insert(chain, 0,
		    (struct link){.kind = LINK_SERIAL,
			.name = "serial part",
			.length = strlen("serial part")});
}
