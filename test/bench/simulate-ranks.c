/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the logs of a program that never ran: simulate-ranks FOLDER RANKS THREADS STEPS. Each step
 * of a rank is a parallel region with a loop, a message to the next rank and a barrier of all. For
 * the conversion's time and memory at numbers of ranks that no machine here can run.
 */
#include "shared/trace-log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { REGIONS = 40, PARALLEL = 1, LOOP, SEND, RECEIVE, BARRIER };

static FILE *open_in(const char *folder, unsigned rank, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/" TRACE_LOG_RANK, folder, rank);
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		perror(path);
		exit(1);
	}
	snprintf(path, sizeof(path), "%s/" TRACE_LOG_RANK "/%s", folder, rank, name);
	FILE *file = fopen(path, "w");
	if (file == NULL) {
		perror(path);
		exit(1);
	}
	return file;
}

static void write_entry(FILE *file, uint32_t type, const void *head, size_t head_bytes,
    const char *const *texts, int text_count)
{
	static const char zeros[8];
	struct trace_log_entry entry = {type, (uint32_t)head_bytes};

	for (int i = 0; i < text_count; i++)
		entry.bytes += (uint32_t)strlen(texts[i]) + 1;
	fwrite(&entry, sizeof(entry), 1, file);
	fwrite(head, 1, head_bytes, file);
	for (int i = 0; i < text_count; i++)
		fwrite(texts[i], 1, strlen(texts[i]) + 1, file);
	fwrite(zeros, 1, -entry.bytes & 7, file);
}

static void write_definitions(const char *folder, unsigned rank, unsigned ranks, uint64_t end)
{
	static const char *const names[] = {"parallel", "for", "mpi", "mpi", "mpi"};
	static const char *const functions[] = {"", "", "MPI_Send", "MPI_Recv", "MPI_Barrier"};
	struct trace_log_process process = {.magic = TRACE_LOG_MAGIC,
	    .pid = rank + 1,
	    .start = {1000, 1000, 1000000000},
	    .end = {end, end, 1000000000 + end},
	    .tick_is_nanosecond = 1,
	    .boot = 1};
	const struct trace_log_comm world = {
	    .identity = TRACE_LOG_COMM_WORLD, .number = 0, .size = ranks};
	FILE *file = open_in(folder, rank, TRACE_LOG_DEFINITIONS);

	fwrite(&process, sizeof(process), 1, file);
	for (uint32_t id = 1; id <= REGIONS; id++) {
		struct trace_log_region region = {
		    .id = id, .begin_first = (int32_t)id, .end_last = 99};
		char name[32];
		snprintf(name, sizeof(name), "function_%u", id);
		const char *const texts[] = {id <= BARRIER ? names[id - 1] : "function",
		    id <= BARRIER ? functions[id - 1] : name, id < SEND ? "simulated.c" : ""};
		write_entry(file, TRACE_LOG_REGION, &region, sizeof(region), texts, 3);
	}
	write_entry(file, TRACE_LOG_COMM, &world, sizeof(world), NULL, 0);
	fclose(file);
}

static FILE *log_file;
static uint64_t latest;

static void record(enum trace_log_kind kind, uint64_t argument, uint64_t time, int count,
    uint64_t first, uint64_t second)
{
	uint64_t words[3] = {(uint64_t)kind | argument << TRACE_LOG_KIND_BITS |
				 (time - latest) << TRACE_LOG_TIME_SHIFT,
	    trace_log_payload(first), trace_log_payload(second)};

	fwrite(words, sizeof(words[0]), 1 + (size_t)count, log_file);
	latest = time;
}

static void write_step(
    unsigned rank, unsigned ranks, unsigned thread, unsigned threads, uint64_t step)
{
	uint64_t time = 2000 + step * 1000;

	if (thread == 0)
		record(TRACE_LOG_FORK, PARALLEL, time, 1, step + 1, 0);
	record(TRACE_LOG_TEAM_BEGIN, PARALLEL, time + 10, 2, step + 1,
	    (uint64_t)thread << 32 | threads);
	record(TRACE_LOG_ENTER, LOOP, time + 20, 0, 0, 0);
	record(TRACE_LOG_BARRIER_ENTER, LOOP, time + 30 + thread, 0, 0, 0);
	record(TRACE_LOG_BARRIER_LEAVE, LOOP, time + 60, 0, 0, 0);
	record(TRACE_LOG_LEAVE, LOOP, time + 61, 0, 0, 0);
	record(TRACE_LOG_TEAM_END, PARALLEL, time + 70, 0, 0, 0);
	if (thread != 0)
		return;
	record(TRACE_LOG_JOIN, PARALLEL, time + 80, 1, step + 1, 0);
	record(TRACE_LOG_ENTER, SEND, time + 100, 0, 0, 0);
	record(TRACE_LOG_MPI_SEND, 0, time + 100, 2, (uint64_t)((rank + 1) % ranks) << 32 | 7, 64);
	record(TRACE_LOG_LEAVE, SEND, time + 110, 0, 0, 0);
	record(TRACE_LOG_ENTER, RECEIVE, time + 120, 0, 0, 0);
	record(TRACE_LOG_MPI_RECEIVE, 0, time + 130, 2,
	    (uint64_t)((rank + ranks - 1) % ranks) << 32 | 7, 64);
	record(TRACE_LOG_LEAVE, RECEIVE, time + 131, 0, 0, 0);
	record(TRACE_LOG_ENTER, BARRIER, time + 140, 0, 0, 0);
	record(TRACE_LOG_MPI_COLLECTIVE_BEGIN, 0, time + 140, 0, 0, 0);
	uint64_t words[4] = {
	    (uint64_t)TRACE_LOG_MPI_COLLECTIVE_END | UINT64_C(60) << TRACE_LOG_TIME_SHIFT,
	    trace_log_payload((uint64_t)TRACE_LOG_COLLECTIVE_BARRIER << 32 | TRACE_LOG_NO_ROOT),
	    trace_log_payload(0), trace_log_payload(0)};
	fwrite(words, sizeof(words[0]), 4, log_file);
	latest += 60;
	record(TRACE_LOG_LEAVE, BARRIER, time + 201, 0, 0, 0);
}

int main(int count, char **arguments)
{
	if (count != 5) {
		fputs("usage: simulate-ranks FOLDER RANKS THREADS STEPS\n", stderr);
		return 2;
	}
	unsigned ranks = (unsigned)atoi(arguments[2]), threads = (unsigned)atoi(arguments[3]);
	uint64_t steps = (uint64_t)atoll(arguments[4]);
	char head[TRACE_LOG_HEADER_BYTES], name[64];

	if (mkdir(arguments[1], 0777) != 0) {
		perror(arguments[1]);
		return 1;
	}
	for (unsigned rank = 0; rank < ranks; rank++) {
		write_definitions(arguments[1], rank, ranks, 3000 + steps * 1000);
		for (unsigned thread = 0; thread < threads; thread++) {
			struct trace_log_thread log = {
			    .magic = TRACE_LOG_MAGIC, .location = thread, .start = 1000};
			snprintf(name, sizeof(name), TRACE_LOG_THREAD, thread);
			log_file = open_in(arguments[1], rank, name);
			memset(head, 0, sizeof(head));
			memcpy(head, &log, sizeof(log));
			fwrite(head, sizeof(head), 1, log_file);
			latest = log.start;
			for (uint64_t step = 0; step < steps; step++)
				write_step(rank, ranks, thread, threads, step);
			fclose(log_file);
		}
	}
	return 0;
}
