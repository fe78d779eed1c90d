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
	int order = strcmp(one->region->file, other->region->file);

	if (order != 0)
		return order;
	if (one->region->begin_line != other->region->begin_line)
		return one->region->begin_line < other->region->begin_line ? -1 : 1;
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
	    .gain = gain == SUMMARY_NOT_MEASURED ? 0 : gain,
	    .share = summary_share(gain, figures->chosen)};
}

static void find_files(struct annotations *found)
{
	found->files = memory_new(found->count, sizeof(found->files[0]));
	for (size_t i = 0; i < found->count; i++) {
		const char *path = found->annotations[i].region->file;
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
	if (found.count > 1)
		qsort(found.annotations, found.count, sizeof(found.annotations[0]),
		    compare_annotations);
	find_files(&found);
	return found;
}

void annotations_finish(struct annotations *annotations)
{
	for (size_t i = 0; i < annotations->count; i++)
		free(annotations->annotations[i].name);
	free(annotations->annotations);
	free(annotations->files);
	*annotations = (struct annotations){.count = 0};
}
