/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kinds of values of environment variables: how each is read from text, how it is shown, and
 * what a message says was expected.
 */
#ifndef RT_VALUES_H
#define RT_VALUES_H
#include <stdbool.h>
#include <stdint.h>

#include "text.h"

/* A word and its value. Tables end with {NULL, 0}. */
struct rt_word {
	const char *word;
	uintptr_t value;
};

struct rt_value_kind {
	/*
	 * Stores the value at field; returns false and stores nothing if the text has another form.
	 */
	bool (*parse)(const struct rt_value_kind *kind, const char *text, void *field);
	/* Appends the value as OMP_DISPLAY_ENV shows it, without the quotes. */
	void (*print)(const struct rt_value_kind *kind, const void *field, struct rt_text *out);
	const char *expected; /* completes "expected ..." */
	uint64_t min, max;    /* range of a number, inclusive */
	const struct rt_word
	    *words; /* words of an enumeration; if two have one value, the first is shown */
};

/* The comment names the type of field, or struct rt_process if it concerns several members. */
extern const struct rt_value_kind rt_kind_bool;         /* bool */
extern const struct rt_value_kind rt_kind_enabled;      /* bool, as enabled or disabled */
extern const struct rt_value_kind rt_kind_debug;        /* bool, as enabled, on or disabled */
extern const struct rt_value_kind rt_kind_nested;       /* struct rt_process */
extern const struct rt_value_kind rt_kind_levels;       /* struct rt_process */
extern const struct rt_value_kind rt_kind_natural;      /* int32_t, >= 0 */
extern const struct rt_value_kind rt_kind_thread_limit; /* uint32_t */
extern const struct rt_value_kind rt_kind_positive;     /* uint32_t, > 0 */
extern const struct rt_value_kind rt_kind_thread_list;  /* struct rt_value_list */
extern const struct rt_value_kind rt_kind_bind_list;    /* struct rt_value_list of enum rt_bind */
extern const struct rt_value_kind rt_kind_schedule;     /* struct rt_task_icvs */
extern const struct rt_value_kind rt_kind_stack_size;   /* size_t */
extern const struct rt_value_kind rt_kind_spin_count;   /* struct rt_process */
extern const struct rt_value_kind rt_kind_wait_policy;  /* enum rt_wait_policy */
extern const struct rt_value_kind rt_kind_device;       /* int32_t, 0 or more */
extern const struct rt_value_kind rt_kind_resources;    /* unsigned of enum rt_resource */
extern const struct rt_value_kind rt_kind_offload;      /* enum rt_target_offload */
extern const struct rt_value_kind rt_kind_display_env;  /* enum rt_display_env */
extern const struct rt_value_kind rt_kind_acc_type;     /* unsigned, of acc_device_t */
extern const struct rt_value_kind rt_kind_acc_number;   /* unsigned */
extern const struct rt_value_kind rt_kind_string;       /* const char *, the environment's text */

/* For LLVM's and Intel's variables. */
extern const struct rt_value_kind rt_kind_block_time;    /* _Atomic int32_t, ms */
extern const struct rt_value_kind rt_kind_library;       /* struct rt_process */
extern const struct rt_value_kind rt_kind_stack_bytes;   /* _Atomic size_t */
extern const struct rt_value_kind rt_kind_bytes;         /* _Atomic size_t */
extern const struct rt_value_kind rt_kind_flag;          /* bool */
extern const struct rt_value_kind rt_kind_llvm_affinity; /* struct rt_process */

/* Defined with their subjects. */
extern const struct rt_value_kind rt_kind_places;          /* struct rt_process */
extern const struct rt_value_kind rt_kind_cpu_affinity;    /* struct rt_process */
extern const struct rt_value_kind rt_kind_affinity_format; /* char *, from malloc() */
extern const struct rt_value_kind rt_kind_allocator;       /* uintptr_t, an allocator handle */

#endif
