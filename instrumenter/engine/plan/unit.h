/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The working state of one rewrite: what the text contains, what becomes of it, and what is
 * emitted. plan_constructs() fills the constructs, emit_construct() and emit_regions() turn them
 * into edits and descriptors, emit_preamble() writes the declarations that the edits need.
 */
#ifndef UNIT_H
#define UNIT_H

#include "clauses.h"
#include "directives.h"
#include "edits.h"
#include "engine.h"
#include "pragma-scan.h"
#include "statements.h"

#include "shared/loop-schedule.h"

/* An OMPRegDescr to be emitted. */
struct descriptor {
	const char *name, *sub_name, *file;
	int section_count;
	int begin_first, begin_last, end_first, end_last;
	const char *variable; /* its own, if the text includes pomp.h; else an array element */
	bool external;        /* a C inline function uses it, so it cannot be static */
	size_t first_use, last_use; /* offsets between which the text refers to it */
};

/* A pomp_ function that the text calls. */
struct call_declaration {
	const char *name; /* without pomp_ */
	bool gives_handle;
	int argument_count; /* 0; 1: descriptor; 2: descriptor and handle; 3 to 5: others */
};

struct part_calls;

/* The reason given for code in a text that the engine wrote: see INST_MARK. */
#define WRITTEN_BY_OMPINST "ompinst wrote this text"

/* One pragma of the text. */
struct construct {
	const struct inst_pragma *pragma;
	const struct located *located;
	struct directive_use use;
	struct clause_list clauses;
	struct clause_list written; /* the user's, if `clauses` are macro-expanded; else empty */
	const char *hidden;         /* why the meaning of a macro is unknown, or NULL */
	struct clause_split split;  /* of an OpenMP directive that is not passed through */
	const char *condition_name; /* variable that holds the split's condition */
	struct construct *parent;   /* the innermost construct around it */
	size_t end;                 /* after its last token, or after the pragma's line */
	enum inst_status status;
	const char *reason;
	const char *name;           /* for the report */
	const char *region_name;    /* of a user region's pragma; NULL on all others */
	const char *no_extent;      /* why its extent is unknown, or NULL */
	bool active;                /* INST_SOURCE: not in a false conditional */
	bool cancelled;             /* a cancel inside refers to this work-sharing construct */
	struct construct *sections; /* of a `section`: the construct that it belongs to */
	int section_count;          /* of a `sections` */
	bool implicit_section;      /* of a `sections`: code stands before its first `section` */
	struct construct *first_section, *last_section; /* of a `sections`: its explicit ones */
	struct inst_part *parts;                        /* for the report, as emitted */
	size_t part_count;
	bool has_schedule;             /* it may get another one when the program runs ... */
	struct loop_schedule schedule; /* ... than this one, which is written */
	const char *schedule_problem;  /* why it may not, or NULL; see plan_schedules() */
	/*
	 * The clause with a number that may change as well, or NULL: grainsize, num_tasks, or an if
	 * or final that compares with it. The number is [grain_begin, grain_end) of the arguments.
	 */
	const struct clause *grain;
	size_t grain_begin, grain_end;
	struct part_calls *calls;  /* one per part of the split; private to emit.c */
	size_t section_descriptor; /* of the implicit section */
};

/* A function, for the report. */
struct reported_function {
	size_t begin; /* its declaration's first token */
	struct inst_construct construct;
};

/*
 * The position up to which the lines of a user's file are counted; successive queries mostly move
 * forward.
 */
struct user_file {
	const char *text;
	size_t at; /* where `line` starts */
	int line;
};

struct name_list {
	const char **names;
	size_t count, room;
};

struct unit {
	struct inst_arena *arena;
	const struct inst_input *input;
	const struct inst_options *options;
	struct inst_scan scan;
	struct location_result location;
	struct construct *constructs; /* one per pragma of the scan, in order */
	size_t construct_count;
	struct descriptor *descriptors;
	size_t descriptor_count, descriptor_room;
	struct call_declaration *calls;
	size_t call_count, call_room;
	bool includes_header;  /* the text includes pomp.h and uses its names: see choose_names() */
	bool has_word;         /* includes_header, and the program has a WORD of its own */
	const char *collision; /* the program's name that prevents includes_header */
	struct name_list names; /* made up for the text */
	struct user_file user_file;
	struct edit_list edits;
	struct reported_function *reported_functions; /* in text order */
	size_t reported_count, reported_room;
	size_t function_count;       /* functions that are instrumented */
	bool module;                 /* the text of a C++20 module */
	bool written;                /* the engine wrote all of the text: nothing is left to do */
	const char *array;           /* name of the descriptor array, unique to the text */
	unsigned lock_routines;      /* a bit for each that emit_locks() replaced */
	bool lists_device_functions; /* some `declare target` names functions */
	bool guards_regions;         /* some user region has a guard: see emit_guard() */
	bool array_external;         /* an inline function of C uses it, so it cannot be static */
};

#endif
