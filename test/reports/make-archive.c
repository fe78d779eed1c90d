/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes one of several archives: make-archive SCENARIO FOLDER [N]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios.h"

void scenario_begin(struct writer *writer)
{
	OTF2_StringRef name = writer_string(writer, writer->program);
	OTF2_StringRef argument = writer_string(writer, "--size=1000");

	OTF2_EvtWriter_ProgramBegin(writer->events[0], NULL, writer->now[0], name, 1, &argument);
}

void scenario_end(struct writer *writer)
{
	OTF2_EvtWriter_ProgramEnd(writer->events[0], NULL, writer->now[0], 0);
}

static const struct {
	const char *name;
	int threads; /* 0: n processes of FLEET_THREADS */
	scenario *write;
} scenarios[] = {
    {"uneven", 4, scenario_uneven},
    {"sections", 2, scenario_sections},
    {"masters", 4, scenario_masters},
    {"latecomers", 4, scenario_latecomers},
    {"partial", 2, scenario_partial},
    {"coarse", 4, scenario_coarse},
    {"fine", 5, scenario_fine},
    {"unordered", 4, scenario_unordered},
    {"contention", 2, scenario_contention},
    {"overtaken", 2, scenario_overtaken},
    {"tasks", 2, scenario_tasks},
    {"untied", 2, scenario_untied},
    {"grove", 2, scenario_grove},
    {"path", 3, scenario_path},
    {"nested", 4, scenario_nested},
    {"late", 2, scenario_late},
    {"foreign", 2, scenario_foreign},
    {"accelerated", 4, scenario_accelerated},
    {"deep", 1, scenario_deep},
    {"sampled", 2, scenario_sampled},
    {"branching", 1, scenario_branching},
    {"hot", 2, scenario_hot},
    {"called", 2, scenario_called},
    {"processor", 2, scenario_processor},
    {"absent", 2, scenario_absent},
    {"counted", 2, scenario_counted},
    {"grown", 4, scenario_grown},
    {"marked", 4, scenario_marked},
    {"profiled", 2, scenario_profiled},
    {"wrapped", 2, scenario_wrapped},
    {"sourced", 5, scenario_sourced},
    {"scaled", 4, scenario_scaled},
    {"moved", 4, scenario_moved},
    {"broken", 3, scenario_broken},
    {"accounted", 4, scenario_accounted},
    {"nothing", 1, scenario_nothing},
    {"names", 4, scenario_names},
    {"large", 8, scenario_large},
    {"mixed", 5, scenario_mixed},
    {"ranks", 4, scenario_ranks},
    {"hybrid", 8, scenario_hybrid},
    {"funneled", 8, scenario_funneled},
    {"messages", 8, scenario_messages},
    {"astray", 8, scenario_astray},
    {"many", 4, scenario_many},
    {"wide", 1200, scenario_wide},
    {"fleet", 0, scenario_fleet},
    {"cluster", 0, scenario_cluster},
    {"nodes", 0, scenario_nodes},
    {"scattered", 6, scenario_scattered},
};

int main(int argc, char **argv)
{
	long n = argc > 3 ? atol(argv[3]) : 1;

	for (size_t i = 0; argc > 2 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		static struct writer writer;

		if (strcmp(argv[1], scenarios[i].name) != 0)
			continue;
		writer_open(&writer, argv[2],
		    scenarios[i].threads ? scenarios[i].threads : (int)n * FLEET_THREADS);
		scenarios[i].write(&writer, n);
		writer_close(&writer);
		return 0;
	}
	fprintf(stderr, "usage: make-archive SCENARIO FOLDER [N]\nscenarios:");
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		fprintf(stderr, " %s", scenarios[i].name);
	fputc('\n', stderr);
	return 2;
}
