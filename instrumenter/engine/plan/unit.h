/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The working state of one rewrite: what stands in the text, what becomes of it, and what is
 * emitted. plan_constructs() fills the constructs, emit_construct() and emit_regions() turn them
 * into edits and descriptors, emit_preamble() writes the declarations that the edits need.
 */
#ifndef UNIT_H
#define UNIT_H

#include "clauses.h"
#include "directives.h"
#include "edits.h"
#include "engine.h"
#include "scan.h"
#include "statements.h"

/* An OMPRegDescr to be emitted. */
struct descriptor {
	const char *name, *sub_name, *file;
	int section_count;
	int begin_first, begin_last, end_first, end_last;
	const char *variable;       /* its own, where pomp.h is included; else it is in the array */
	bool external;              /* a C inline function uses it, so it cannot be static */
	size_t first_use, last_use; /* offsets between which the text refers to it */
};

/* A pomp_ function that the text calls. */
struct call_declaration {
	const char *name; /* without pomp_ */
	bool gives_handle;
	int argument_count; /* 0; 1: descriptor; 2: descriptor and handle */
};

struct part_calls;

/* The reason for what stands in a text that the engine wrote: see INST_MARK. */
#define WRITTEN_BY_OMPINST "ompinst wrote this text"

/* One pragma of the text. */
struct construct {
	const struct inst_pragma *pragma;
	const struct located *located;
	struct directive_use use;
	struct clause_list clauses;
	struct clause_list written; /* the user's words, where macros hide some; else empty */
	const char *hidden;         /* why a macro's meaning is not known, NULL when it is */
	struct clause_split split;  /* of an OpenMP directive that is not passed through */
	const char *condition_name; /* variable for the split's condition */
	struct construct *parent;   /* the innermost construct it is inside of */
	size_t end;                 /* behind its last token, or behind the pragma's line */
	enum inst_status status;
	const char *reason;
	const char *name;           /* for the report */
	const char *region_name;    /* of a user region's pragma; NULL on all others */
	const char *no_extent;      /* why its extent is not known, NULL when it is */
	bool active;                /* INST_SOURCE: not in a false conditional */
	bool cancelled;             /* a cancel inside refers to its work-sharing */
	struct construct *sections; /* a `section`'s own */
	int section_count;          /* a `sections`' */
	bool implicit_section;      /* code stands before its first `section` */
	struct construct *first_section, *last_section; /* ... and its explicit ones */
	struct inst_part *parts;                        /* for the report, as emitted */
	size_t part_count;
	struct part_calls *calls;  /* one per part of the split; emit.c's */
	size_t section_descriptor; /* of its implicit section */
};

/* A function, for the report. */
struct reported_function {
	size_t begin; /* its declaration's first token */
	struct inst_construct construct;
};

/* How far the line count in a user's file has come; directives mostly follow one another. */
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
	bool includes_header;   /* the text includes pomp.h and uses its names: see names.c */
	bool has_word;          /* ... and the program has a WORD of its own */
	const char *collision;  /* the program's own name because of which it does not */
	struct name_list names; /* that were made up for the text */
	struct user_file user_file;
	struct edit_list edits;
	struct reported_function *reported_functions; /* the user's own, in their order */
	size_t reported_count, reported_room;
	size_t function_count;       /* instrumented ones */
	bool module;                 /* it is the text of a C++20 module */
	bool written;                /* the engine wrote all of the text: nothing is left to do */
	const char *array;           /* name of the descriptor array, unique to the text */
	unsigned lock_routines;      /* a bit for each whose references are replaced: see locks.c */
	bool lists_device_functions; /* some `declare target` names functions */
	bool guards_regions;         /* some user region has a guard: see regions.c */
	bool array_external;         /* an inline function of C uses it, so it cannot be static */
};

#endif
