/* SPDX-License-Identifier: BSD-3-Clause */
/* What /proc says of processes and threads in one line each: "stat" in proc(5). */
#ifndef PROCESS_STAT_H
#define PROCESS_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_stat {
	char state; /* 'R': it runs or waits for a processor; 'Z': it has ended */
	pid_t parent, group;
	uint64_t faults;        /* of pages, minor and major */
	uint64_t time;          /* of a processor, in ticks */
	uint64_t system_time;   /* the part of it in the kernel */
	uint64_t children_time; /* of children that were waited for, in ticks */
	uint64_t threads;
	uint64_t start; /* in ticks after the machine's */
};

/* The length of a tick is 1 / this many seconds. */
double process_tick_rate(void);

/* False: there is no such process. */
bool process_stat_read(pid_t process, struct process_stat *stat);
bool thread_stat_read(pid_t process, pid_t thread, struct process_stat *stat);

/* Calls the function with the number of each process, or thread of one, until it returns false. */
typedef bool process_visit(void *context, pid_t number);
void processes_visit(process_visit *visit, void *context);
void threads_visit(pid_t process, process_visit *visit, void *context);

#endif
