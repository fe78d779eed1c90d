/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the regions that have a line, by file and line. */
#include "annotations.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "region-name.h"

static int compare_annotations(const void *a, const void *b)
{
	const struct annotation *one = a, *other = b;
	int order = strcmp(one->file, other->file);

	if (order != 0)
		return order;
	if (one->line != other->line)
		return one->line < other->line ? -1 : 1;
	if (!one->region != !other->region)
		return one->region ? -1 : 1;
	if (one->gain != other->gain)
		return one->gain > other->gain ? -1 : 1;
	return strcmp(one->name, other->name);
}

static void add(struct annotations *found, const struct summary_region *region, char *name,
    const struct summary_figures *figures)
{
	uint64_t gain = summary_gain(region);

	if (!region->file || !region->file[0] || region->begin_line < 1) {
		found->unplaced++;
		free(name);
		return;
	}
	found->annotations[found->count++] = (struct annotation){.region = region,
	    .name = name,
	    .file = region->file,
	    .line = region->begin_line,
	    .gain = gain == SUMMARY_NOT_MEASURED ? 0 : gain,
	    .share = summary_share(gain, figures->chosen)};
}

static void find_files(struct annotations *found)
{
	free(found->files);
	found->file_count = 0;
	found->files = memory_new(found->count, sizeof(found->files[0]));
	for (size_t i = 0; i < found->count; i++) {
		const char *path = found->annotations[i].file;
		struct annotated_file *file = &found->files[found->file_count];

		if (i == 0 || strcmp(file[-1].path, path) != 0) {
			*file = (struct annotated_file){.path = path, .first = i};
			found->file_count++;
		} else {
			file--;
		}
		file->count++;
		file->gain += found->annotations[i].gain;
	}
}

static void order(struct annotations *found)
{
	if (found->count > 1)
		qsort(found->annotations, found->count, sizeof(found->annotations[0]),
		    compare_annotations);
}

struct annotations annotations_collect(const struct summary *summary,
    const struct summary_figures *figures, annotation_filter *takes, const void *context)
{
	struct annotations found = {
	    .annotations = memory_new(summary->region_count, sizeof(found.annotations[0]))};

	for (size_t i = 0; i < summary->region_count; i++) {
		char *name = report_region_name(&summary->regions[i]);

		if (!takes || takes(context, name))
			add(&found, &summary->regions[i], name, figures);
		else
			free(name);
	}
	order(&found);
	find_files(&found);
	return found;
}

/* Adds up the samples of a line at its first annotation. */
static void merge_lines(struct annotations *found)
{
	struct annotation *first = found->annotations, *end = first;

	for (size_t i = 0; i < found->count; i++) {
		struct annotation *own = &found->annotations[i];
		bool is_new =
		    end == first || own->line != first->line || strcmp(own->file, first->file) != 0;

		if (is_new)
			first = end;
		if (is_new || own->region) {
			*end++ = *own;
		} else {
			first->heat += own->heat;
			free(own->name);
		}
	}
	found->count = (size_t)(end - found->annotations);
}

static void leave_out(struct annotations *found, double least)
{
	size_t count = 0;

	for (size_t i = 0; i < found->count; i++) {
		struct annotation *own = &found->annotations[i];

		if (own->region || own->heat >= least) {
			found->annotations[count++] = *own;
		} else {
			found->left_out += own->heat;
			free(own->name);
		}
	}
	found->count = count;
}

void annotations_add_heat(
    struct annotations *annotations, const struct line_heat *lines, size_t count, double least)
{
	struct annotation *all =
	    memory_new(annotations->count + count, sizeof(annotations->annotations[0]));

	if (annotations->count > 0)
		memcpy(all, annotations->annotations,
		    annotations->count * sizeof(annotations->annotations[0]));
	free(annotations->annotations);
	annotations->annotations = all;
	for (size_t i = 0; i < count; i++)
		all[annotations->count++] =
		    (struct annotation){.name = memory_copy_text(lines[i].name),
			.file = lines[i].file,
			.line = lines[i].line,
			.share = -1,
			.heat = lines[i].share};
	order(annotations);
	merge_lines(annotations);
	leave_out(annotations, least);
	find_files(annotations);
}

void annotations_finish(struct annotations *annotations)
{
	for (size_t i = 0; i < annotations->count; i++)
		free(annotations->annotations[i].name);
	free(annotations->annotations);
	free(annotations->files);
	*annotations = (struct annotations){.count = 0};
}
