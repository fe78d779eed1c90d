/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that lines of Python called, as libpomp writes them (shared/trace-convert.h). */
#include <stdio.h>

#include "scenarios.h"
#include "shared/trace-convert.h"

#define LIBRARY "/usr/lib/python3/dist-packages/kernels.py"
#define SCRIPT  "/src/app/analysis.py"

/* Behind the region's reference; the last ones are damaged. */
static const struct {
	unsigned region;
	const char *rest;
} callers[] = {
    {PARALLEL, "12 30000000 31 7 fit\n" SCRIPT "\nlloyd\n" LIBRARY},
    {PARALLEL, "1 10000000 40 40 predict\n" SCRIPT "\npredict\n" SCRIPT},
    {INNER, "4 20000000 31 7 fit\n" SCRIPT "\nlloyd\n" LIBRARY},
    {PARALLEL, "3 5000000 31 7 fit\n" SCRIPT "\nlloyd\n" LIBRARY}, /* of another process */
    {9999, "1 1 1 1 f\nx.py\nf\nx.py"},
    {PARALLEL, "1 1 1 1 f\nx.py\nf"},
    {PARALLEL, "1 1 9999999999 1 f\nx.py\nf\nx.py"},
    {PARALLEL, "1 x"},
};

static void define_callers(struct writer *writer)
{
	char name[64], text[256];

	for (size_t i = 0; i < sizeof(callers) / sizeof(callers[0]); i++) {
		snprintf(name, sizeof(name), TRACE_CALLER_PROPERTY "%zu", i);
		snprintf(text, sizeof(text), "%u %s", callers[i].region, callers[i].rest);
		OTF2_StringRef property = writer_string(writer, name);
		OTF2_AttributeValue value = {.stringRef = writer_string(writer, text)};
		OTF2_GlobalDefWriter_WriteLocationGroupProperty(
		    writer->definitions, 0, property, OTF2_TYPE_STRING, value);
	}
}

void scenario_called(struct writer *writer, long n)
{
	(void)n;
	writer->define_more = define_callers;
	scenario_begin(writer);
	for (int i = 0; i < 2; i++) {
		enum region region = i == 0 ? PARALLEL : INNER;
		enum region barrier = i == 0 ? PARALLEL_BARRIER : INNER_BARRIER;
		writer_fork(writer, 0, 2, 0, region, 0);
		for (int t = 0; t < 2; t++)
			writer_work(writer, t, 50 * MS);
		writer_join(writer, 0, 2, 0, region, barrier, 0);
	}
	scenario_end(writer);
}
