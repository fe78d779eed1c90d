/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements cube-anchor.h. Names of paradigms and roles are those of Score-P's profiles. */
#include "cube-anchor.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/utf8.h"
#include "cube-metrics.h"
#include "memory.h"

#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

static const char *const paradigms[] = {
    [OTF2_PARADIGM_USER] = "user",
    [OTF2_PARADIGM_COMPILER] = "compiler",
    [OTF2_PARADIGM_OPENMP] = "openmp",
    [OTF2_PARADIGM_MPI] = "mpi",
    [OTF2_PARADIGM_CUDA] = "cuda",
    [OTF2_PARADIGM_MEASUREMENT_SYSTEM] = "measurement",
    [OTF2_PARADIGM_PTHREAD] = "pthread",
    [OTF2_PARADIGM_SHMEM] = "shmem",
    [OTF2_PARADIGM_OPENACC] = "openacc",
    [OTF2_PARADIGM_OPENCL] = "opencl",
    [OTF2_PARADIGM_SAMPLING] = "sampling",
};

static const char *const roles[] = {
    [OTF2_REGION_ROLE_FUNCTION] = "function",
    [OTF2_REGION_ROLE_WRAPPER] = "wrapper",
    [OTF2_REGION_ROLE_LOOP] = "loop",
    [OTF2_REGION_ROLE_CODE] = "code",
    [OTF2_REGION_ROLE_PARALLEL] = "parallel",
    [OTF2_REGION_ROLE_SECTIONS] = "sections",
    [OTF2_REGION_ROLE_SECTION] = "section",
    [OTF2_REGION_ROLE_WORKSHARE] = "workshare",
    [OTF2_REGION_ROLE_SINGLE] = "single",
    [OTF2_REGION_ROLE_SINGLE_SBLOCK] = "single sblock",
    [OTF2_REGION_ROLE_MASTER] = "master",
    [OTF2_REGION_ROLE_CRITICAL] = "critical",
    [OTF2_REGION_ROLE_CRITICAL_SBLOCK] = "critical sblock",
    [OTF2_REGION_ROLE_ATOMIC] = "atomic",
    [OTF2_REGION_ROLE_BARRIER] = "barrier",
    [OTF2_REGION_ROLE_IMPLICIT_BARRIER] = "implicit barrier",
    [OTF2_REGION_ROLE_FLUSH] = "flush",
    [OTF2_REGION_ROLE_ORDERED] = "ordered",
    [OTF2_REGION_ROLE_ORDERED_SBLOCK] = "ordered sblock",
    [OTF2_REGION_ROLE_TASK] = "task",
    [OTF2_REGION_ROLE_TASK_CREATE] = "task create",
    [OTF2_REGION_ROLE_TASK_WAIT] = "taskwait",
    [OTF2_REGION_ROLE_COLL_ONE2ALL] = "one2all",
    [OTF2_REGION_ROLE_COLL_ALL2ONE] = "all2one",
    [OTF2_REGION_ROLE_COLL_ALL2ALL] = "all2all",
    [OTF2_REGION_ROLE_COLL_OTHER] = "other collective",
    [OTF2_REGION_ROLE_FILE_IO] = "file_io",
    [OTF2_REGION_ROLE_POINT2POINT] = "point2point",
    [OTF2_REGION_ROLE_RMA] = "rma",
    [OTF2_REGION_ROLE_DATA_TRANSFER] = "data transfer",
    [OTF2_REGION_ROLE_ARTIFICIAL] = "artificial",
    [OTF2_REGION_ROLE_THREAD_CREATE] = "thread create",
    [OTF2_REGION_ROLE_THREAD_WAIT] = "thread wait",
    [OTF2_REGION_ROLE_TASK_UNTIED] = "untied task",
    [OTF2_REGION_ROLE_ALLOCATE] = "allocate",
    [OTF2_REGION_ROLE_DEALLOCATE] = "deallocate",
    [OTF2_REGION_ROLE_REALLOCATE] = "reallocate",
    [OTF2_REGION_ROLE_FILE_IO_METADATA] = "file_io metadata",
};

static const char *name_in(const char *const names[], size_t count, size_t index)
{
	return index < count && names[index] ? names[index] : "unknown";
}

/* U+FFFE and U+FFFF are not allowed in XML, and Cube knows an apostrophe by its name only. */
static void put_text(FILE *out, const char *text)
{
	const char *start = text;
	uint32_t character;

	for (; (character = utf8_next(&text)); start = text) {
		if (character == '&')
			fputs("&amp;", out);
		else if (character == '<')
			fputs("&lt;", out);
		else if (character == '>')
			fputs("&gt;", out);
		else if (character == '"')
			fputs("&quot;", out);
		else if (character == '\'')
			fputs("&apos;", out);
		else if (character == UTF8_REPLACEMENT || utf8_is_unsafe(character) ||
			 (character & 0xfffe) == 0xfffe)
			fputs(UTF8_REPLACEMENT_TEXT, out);
		else
			fwrite(start, 1, (size_t)(text - start), out);
	}
}

static void put_element(FILE *out, const char *name, const char *text)
{
	fprintf(out, "<%s>", name);
	put_text(out, text);
	fprintf(out, "</%s>\n", name);
}

static void put_metrics(FILE *out)
{
	fputs("<metrics>\n", out);
	for (size_t i = 0; i < CUBE_METRICS; i++) {
		const struct cube_metric *metric = &cube_metrics[i];
		unsigned next = i + 1 < CUBE_METRICS ? cube_metrics[i + 1].depth : 0;

		fprintf(out, "<metric id=\"%zu\" type=\"EXCLUSIVE\">\n", i);
		put_element(out, "disp_name", metric->title);
		put_element(out, "uniq_name", metric->name);
		put_element(out, "dtype", metric->is_count ? "UINT64" : "DOUBLE");
		put_element(out, "uom", metric->unit);
		put_element(out, "url", "");
		put_element(out, "descr", metric->description);
		for (unsigned depth = metric->depth + 1; depth > next; depth--)
			fputs("</metric>\n", out);
	}
	fputs("</metrics>\n", out);
}

/* Lines of 0 are unknown, which Cube writes as -1. */
static void put_region(FILE *out, uint32_t number, const struct archive_region *region)
{
	fprintf(out, "<region id=\"%" PRIu32 "\" mod=\"", number);
	put_text(out, region->file);
	fprintf(out, "\" begin=\"%" PRId64 "\" end=\"%" PRId64 "\">\n",
	    region->begin_line > 0 ? (int64_t)region->begin_line : -1,
	    region->end_line > 0 ? (int64_t)region->end_line : -1);
	put_element(out, "name", region->name);
	put_element(out, "mangled_name", region->name);
	put_element(out, "paradigm", name_in(paradigms, COUNT(paradigms), region->paradigm));
	put_element(out, "role", name_in(roles, COUNT(roles), region->role));
	put_element(out, "url", "");
	put_element(out, "descr", "");
	fputs("</region>\n", out);
}

/* Regions that stand for what the archive has no region for. */
static struct archive_region artificial(const char *name)
{
	return (struct archive_region){.name = name,
	    .file = "",
	    .role = OTF2_REGION_ROLE_ARTIFICIAL,
	    .paradigm = OTF2_PARADIGM_MEASUREMENT_SYSTEM};
}

/* What a node's region is called by: its index, or a number after those of all regions. */
static uint32_t key_of(const struct archive *archive, const struct call_sums *sums, uint32_t node)
{
	uint32_t region = call_sums_region(sums, node), count = (uint32_t)archive->region_count;

	if (node == 0)
		return count;
	if (region == REGION_DEEPER)
		return count + 1;
	return region < count ? region : count + 2;
}

/* Returns the numbers of the regions by their keys; they are those of their first call paths. */
static uint32_t *put_regions(FILE *out, const struct archive *archive, const struct call_sums *sums)
{
	const struct archive_region others[] = {
	    artificial(archive->program && archive->program[0] ? archive->program : "program"),
	    artificial("(deeper)"), artificial("?")};
	uint32_t count = (uint32_t)archive->region_count, used = 0;
	uint32_t *numbers = memory_new((size_t)count + COUNT(others), sizeof(numbers[0]));
	bool *is_known = memory_new((size_t)count + COUNT(others), sizeof(is_known[0]));

	for (size_t i = 0; i < sums->stacks.regions.count; i++) {
		uint32_t key = key_of(archive, sums, sums->order[i]);

		if (is_known[key])
			continue;
		is_known[key] = true;
		numbers[key] = used++;
		put_region(
		    out, numbers[key], key < count ? &archive->regions[key] : &others[key - count]);
	}
	free(is_known);
	return numbers;
}

static void put_program(FILE *out, const struct archive *archive, const struct call_sums *sums)
{
	const struct region_stacks *stacks = &sums->stacks.regions;
	uint32_t *numbers;

	fputs("<program>\n", out);
	numbers = put_regions(out, archive, sums);
	for (size_t i = 0; i < stacks->count; i++) {
		uint32_t node = sums->order[i], depth = stacks->nodes[node].depth;
		uint32_t next = i + 1 < stacks->count ? stacks->nodes[sums->order[i + 1]].depth : 0;

		fprintf(out, "<cnode id=\"%zu\" calleeId=\"%" PRIu32 "\">\n", i,
		    numbers[key_of(archive, sums, node)]);
		for (depth++; depth > next; depth--)
			fputs("</cnode>\n", out);
	}
	fputs("</program>\n", out);
	free(numbers);
}

/* Opens a node, process or thread. */
static void open_part(FILE *out, const char *part, uint32_t number, const char *name)
{
	fprintf(out, "<%s Id=\"%" PRIu32 "\">\n", part, number);
	put_element(out, "name", name);
}

static void close_part(FILE *out, const char *part)
{
	fprintf(out, "</%s>\n", part);
}

static void put_rank(FILE *out, uint32_t rank, const char *type)
{
	fprintf(out, "<rank>%" PRIu32 "</rank>\n", rank);
	put_element(out, "type", type);
}

static void open_process(
    FILE *out, const struct archive *archive, uint32_t number, uint32_t process)
{
	bool is_known = process < archive->group_count;
	char *name = archive_process_name(archive, is_known ? process : ARCHIVE_NO_INDEX);
	bool accelerates =
	    is_known && archive->groups[process].type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR;

	open_part(out, "locationgroup", number, name);
	put_rank(out, process, accelerates ? "accelerator" : "process");
	free(name);
}

static void put_location(
    FILE *out, const struct archive_location *location, uint32_t number, uint32_t rank)
{
	static const char *const types[] = {
	    [OTF2_LOCATION_TYPE_ACCELERATOR_STREAM] = "accelerator stream",
	    [OTF2_LOCATION_TYPE_METRIC] = "metric",
	};
	bool is_thread = location->type >= COUNT(types) || !types[location->type];

	open_part(out, "location", number, location->name);
	put_rank(out, rank, is_thread ? "thread" : types[location->type]);
	close_part(out, "location");
}

static void put_system(FILE *out, const struct archive *archive, const struct cube_system *system)
{
	const struct cube_thread *threads = system->threads;
	uint32_t nodes = 1, processes = 0, rank = 0;

	fputs("<system>\n", out);
	open_part(out, "systemtreenode", 0,
	    archive->machine && archive->machine[0] ? archive->machine : "machine");
	put_element(out, "class", "machine");
	for (size_t i = 0; i < system->count; i++) {
		const struct cube_thread *thread = &threads[i], *next = thread + 1;
		bool is_last = i + 1 == system->count;
		const char *host = cube_system_host(archive, thread->process);

		if (i == 0 || threads[i - 1].leader != thread->leader) {
			open_part(out, "systemtreenode", nodes++, host[0] ? host : "node");
			put_element(out, "class", "node");
		}
		if (i == 0 || threads[i - 1].process != thread->process) {
			open_process(out, archive, processes++, thread->process);
			rank = 0;
		}
		put_location(out, &archive->locations[thread->location], (uint32_t)i, rank++);
		if (is_last || next->process != thread->process)
			close_part(out, "locationgroup");
		if (is_last || next->leader != thread->leader)
			close_part(out, "systemtreenode");
	}
	close_part(out, "systemtreenode");
	fputs("</system>\n", out);
}

void cube_anchor_write(FILE *out, const struct archive *archive, const struct call_sums *sums,
    const struct cube_system *system)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n"
	      "<attr key=\"Creator\" value=\"ompreport " OMPINST_VERSION "\"/>\n",
	    out);
	put_metrics(out);
	put_program(out, archive, sums);
	put_system(out, archive, system);
	fputs("</cube>\n", out);
}
