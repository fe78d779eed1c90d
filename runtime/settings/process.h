/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data of the whole process: the settings that the environment gave, and the ICVs with device or
 * global scope. There is one instance. rt_environment_read() fills it before the library has a
 * second thread; afterwards everything is constant, except for the members marked "atomic", which
 * API routines may change at any time.
 */
#ifndef RT_PROCESS_H
#define RT_PROCESS_H
#include <stdatomic.h>
#include <stddef.h>

#include "icv.h"
#include "places.h"
#include "processors.h"
#include "quota.h"

/*
 * Spin counts, in turns of a wait loop. The default is some 150 microseconds of pause instructions,
 * and the clock ends it after 160 where a pause takes long. That is a few times what sleeping and
 * being woken costs, since programs compute for as long between two regions, and less than the 0.2
 * ms of processor time that an idle thread may spend after a region. A passive wait spins for less
 * than the processor time that the two system calls and the switch between them take, so that it
 * saves both wall-clock and processor time: threads that pass a barrier every microsecond need not
 * sleep there.
 */
#define RT_SPIN_FOREVER    UINT64_MAX
#define RT_SPIN_DEFAULT    UINT64_C(6000)
#define RT_SPIN_LONGEST_NS UINT64_C(160000)
#define RT_SPIN_PASSIVE    UINT64_C(200)
#define RT_SPIN_ACTIVE     UINT64_C(30000000000)

/* Members of a group, and groups that one thread writes, unless OMPINST_GROUP_SIZE is set. */
enum { RT_GROUP_SIZE = 8 };

enum rt_wait_policy { RT_WAIT_UNSET, RT_WAIT_ACTIVE, RT_WAIT_PASSIVE };
enum rt_target_offload { RT_OFFLOAD_DEFAULT, RT_OFFLOAD_MANDATORY, RT_OFFLOAD_DISABLED };
enum rt_display_env { RT_DISPLAY_FALSE, RT_DISPLAY_TRUE, RT_DISPLAY_VERBOSE };

/* A list-valued ICV as the environment gave it; count is 0 if it gave none. */
struct rt_value_list {
	uint32_t *values;
	size_t count;
};

struct rt_process {
	struct rt_task_icvs initial; /* what an initial task starts with */
	struct rt_value_list nthreads_list;
	struct rt_value_list bind_list;
	struct rt_processors allowed; /* the affinity mask that the process inherited */
	unsigned resources;           /* enum rt_resource: the limits that are followed */
	struct rt_quota quota;        /* quota of control groups at the first use */
	/* See rt_resources_read_mask(): all >= 1 except running_threads, all atomic. */
	_Atomic uint32_t allowed_count;   /* processors of the affinity mask */
	_Atomic uint32_t processors;      /* the same, at most the quota rounded up */
	_Atomic uint32_t running_threads; /* threads that mask and quota keep running at once */
	_Atomic uint32_t changes;         /* how often these have changed */
	_Atomic uint64_t looked_at;       /* when they were read: ns of CLOCK_MONOTONIC_COARSE */
	struct rt_places places;          /* contain only allowed processors */
	const char *places_variable;      /* the environment variable that named them */
	uint32_t places_dropped;          /* places in the user's list without allowed processors */
	bool levels_given;                /* OMP_MAX_ACTIVE_LEVELS or OMP_NESTED was set */
	bool has_llvm;                    /* see rt_environment_has_llvm() */
	bool llvm_settings, llvm_warnings; /* KMP_SETTINGS, KMP_WARNINGS */
	_Atomic int32_t library;           /* enum kmp_library; relaxed */
	_Atomic size_t stack_bytes;        /* stacksize-var, 0: what pthreads gives by default */
	_Atomic size_t kept_bytes;         /* what malloc() has to keep, 0: its own choice */
	enum rt_wait_policy wait_policy;
	bool spin_count_given; /* GOMP_SPINCOUNT was set */
	/* Written by rt_waiting_settle() and rt_waiting_set_block_time(); relaxed, hints. */
	_Atomic int32_t block_time; /* ms; RT_BLOCK_TIME_DEFAULT: the policy decides */
	_Atomic uint64_t
	    spin_count; /* turns to spin before sleeping while no CPU is oversubscribed */
	_Atomic uint64_t
	    spin_ns; /* time limit, since pauses differ by processor; UINT64_MAX: none */
	_Atomic uint64_t
	    spin_oversubscribed; /* spin_count if there are more threads than processors */
	_Atomic uint64_t roots; /* active regions that share processors; see rt_resources_share() */
	_Atomic uint64_t slice_lost_at,
	    yields_suppressed_until; /* rt_cycles(); atomic; see note_lost_slice() */
	int32_t group_size; /* members that watch one line in large teams; 0: not given, 1: all */
	uint32_t undivided_size; /* larger teams are divided into groups; see rt_team_divide() */
	int32_t max_task_priority;
	bool ordered_reductions; /* members combine their copies in the order of their numbers */
	enum rt_target_offload target_offload;
	unsigned acc_device_type;   /* of openacc.h's acc_device_t; there is only the host */
	unsigned acc_device_num;    /* device of that type; there is only 0 */
	const char *acc_tools;      /* libraries of OpenACC's profiling tools, "" if not set */
	_Atomic uint32_t num_teams; /* nteams-var, 0: not set; atomic */
	_Atomic uint32_t teams_thread_limit; /* teams-thread-limit-var, 0: not set; atomic */
	/* Three settings that also have bits in watch.h. */
	bool cancellation; /* cancel-var */
	bool debug;        /* debug-var: OMP_DEBUG, or omp_debug_enable() was called */
	bool display_affinity;
	enum rt_display_env display_env;
	uint32_t initial_num_teams; /* from the environment, for display; 0: not set */
	uint32_t initial_teams_thread_limit;
	bool tool;                  /* tool-var */
	const char *tool_libraries; /* tool-libraries-var, "" if not set */
	const char *tool_verbose_init;
	char *start_folder; /* folder of relative paths in them; NULL: unknown, or none needed */
	const char *race_words; /* RACE_VARIABLE, "" if not set; see race.h */
	char *affinity_format; /* affinity-format-var, under the lock of rt_affinity_format_set() */
	/*
	 * "NAME=value" of every variable, each ended by a null byte, for the debugger interface.
	 * NULL until the environment is read; the size is set first.
	 */
	char *control_variables;
	size_t control_variables_size;
	_Atomic uint64_t crowded_until; /* rt_now_ns(); atomic; see is_crowded() */
	_Atomic uint32_t awake_workers; /* of all teams; atomic; updated where they sleep */
};

extern struct rt_process rt_process;

#endif
