/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The working state of one rewrite: what stands in the text, what becomes of it, and what is
 * emitted. plan.c fills the constructs, emit.c and regions.c turn them into edits and descriptors,
 * preamble.c writes the declarations that the edits need.
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

struct unit_calls;

/* The reason of what stands in a text of the engine's own: see INST_MARK. */
#define WRITTEN_BY_US "ompinst wrote this text"

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
	struct unit_calls *calls;  /* one per unit of the split; emit.c's */
	size_t section_descriptor; /* of its implicit section */
};

/* A function, for the report. */
struct noted_function {
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
	struct noted_function *noted_functions; /* the user's own, in their order */
	size_t noted_count, noted_room;
	size_t function_count;       /* instrumented ones */
	bool module;                 /* it is the text of a C++20 module */
	bool written;                /* the engine wrote all of the text: nothing is left to do */
	const char *array;           /* name of the descriptor array, unique to the text */
	unsigned lock_routines;      /* a bit for each whose references are replaced: see locks.c */
	bool lists_device_functions; /* some `declare target` names functions */
	bool guards_regions;         /* some user region has a guard: see regions.c */
	bool array_external;         /* an inline function of C uses it, so it cannot be static */
};

/* Reads the pragma of this index by the tables. */
void read_construct(struct unit *unit, size_t index);

/* Sets what becomes of it, unless there is a reason for something else already. */
void construct_set(struct construct *construct, enum inst_status status, const char *reason);

/* Reads every directive, finds its extent and decides what becomes of it. */
void plan_constructs(struct unit *unit);

/* Are these two directives of one attribute (or the same construct)? */
bool same_attribute(const struct unit *unit, size_t a, size_t b);

/* What the directive's last leaf has behind its line; some clauses make it stand alone. */
enum directive_body construct_body(const struct construct *construct);

/* Is it a known directive with this kind of body? */
bool construct_has_body(const struct construct *construct, enum directive_body body);

/* Ranges between directives that are no construct: declare target, noinstrument. */
struct plan_ranges {
	size_t device; /* open declare target ranges */
	bool uninstrumented;
};

/* Takes a construct into account that opens or closes a range. */
void follow_ranges(struct plan_ranges *ranges, const struct construct *construct);

/* Does some `declare target` list this function? */
bool is_device_function(const struct unit *unit, const char *function);

/* Sets the construct's end, and no_extent when that cannot be told. */
void find_extent(const struct unit *unit, struct construct *construct);

/* Does a conditional of the user's that the pragma stands in end before its statement does? */
bool leaves_conditional(const struct unit *unit, const struct construct *construct);

/*
 * The variables of the construct's loops that are declared before it, ", " before each; NULL when
 * tokens do not tell.
 */
const char *find_loop_variables(struct unit *unit, const struct construct *construct);

/* After planning: why the code at `offset` may not call the library, or NULL. */
const char *find_surrounding_reason(struct unit *unit, size_t offset);

/* Decides which calls a construct gets, and adds their descriptors. */
void plan_calls(struct unit *unit, struct construct *construct);

/* Adds the edits of one OpenMP construct whose calls are planned. */
void emit_construct(struct unit *unit, struct construct *construct);

/* Writes the directive as it was, as a pragma: others of its attribute are instrumented. */
void emit_unchanged(struct unit *unit, struct construct *construct);

/* Pairs the user's regions and adds their edits. */
void emit_regions(struct unit *unit);

/* Adds the regions of the functions that the filter takes. */
void emit_functions(struct unit *unit);

/*
 * The user's own line of that place, as the file holds it, and how much of the file is left from
 * there; NULL when the file cannot be read or is shorter. `file` is where the last call came to.
 */
const char *user_line(
    struct unit *unit, struct user_file *file, struct inst_place place, size_t *length);

/* The column of a pragma in the user's file; `before` others stand on its line, in front of it. */
int user_column(struct unit *unit, struct user_file *file, const struct inst_pragma *pragma,
    struct inst_place place, size_t before);

/*
 * The text as libclang is to see it: without the words of C++20's modules, blanked out, where it
 * has any. In a module's own text *first_code then is behind its declaration and imports.
 */
const char *text_without_modules(
    struct inst_arena *arena, const struct inst_input *input, size_t *first_code);

/* Replaces the confirmed lock references. */
void emit_locks(struct unit *unit);

/*
 * Adds code that refers to the lock routines whose references are replaced. The library finds them
 * in the runtime at run time; without a reference the linker would leave out a runtime, or its
 * archive's members, that nothing else of the program needs.
 */
void add_lock_references(const struct unit *unit, struct inst_buffer *code);

/* Adds the descriptors, the registration and the prototypes in front of everything. */
void emit_preamble(struct unit *unit);

/* A new descriptor's index; lines are those of [begin, begin_end) and of the token before `end`. */
size_t add_descriptor(struct unit *unit, const char *name, const char *sub_name,
    const struct inst_pragma *begin, const struct inst_pragma *end_pragma, size_t end);

/* Ends a statement: the next begins a line in text for people, else it follows. */
void add_separator(const struct unit *unit, struct inst_buffer *code);

/* Adds a remark to the first line of code; in text for people only. */
void add_remark(const struct unit *unit, struct inst_buffer *code, const char *format, ...)
    __attribute__((__format__(__printf__, 3, 4)));

/* Adds the call of pomp_NAME for a descriptor; handle may be NULL. */
void add_call(struct unit *unit, struct inst_buffer *code, const char *name, size_t descriptor,
    const char *handle, bool gives_handle);

/* Has the pomp_ function declared in the preamble; add_call() does so for what it calls. */
void declare_call(struct unit *unit, const char *name, bool gives_handle, int argument_count);

/* Adds the call of pomp_NAME without arguments. */
void add_plain_call(struct unit *unit, struct inst_buffer *code, const char *name);

/* Decides by which names the text calls things; before anything of it is written. */
void choose_names(struct unit *unit);

/* How the text refers to a descriptor: `&saxpy_c_6_for`. */
const char *descriptor_address(const struct unit *unit, size_t descriptor);

/* Gives a descriptor that is complete its variable. */
void name_descriptor(struct unit *unit, size_t descriptor, const char *what);

/* A variable's name for what stands at `offset`; `index` makes it unique in the unit. */
const char *local_name(struct unit *unit, const char *what, size_t offset, size_t index);

/* A macro's name for what stands at `offset`. */
const char *macro_name(struct unit *unit, size_t offset, size_t index);

/* The name of the macro that guards the declarations of a text that is included twice. */
const char *guard_name(struct unit *unit);

/* The descriptors to which the text within a construct refers, for `shared`; "" for none. */
const char *list_descriptors(struct unit *unit, const struct construct *construct);

/* The descriptor array's name for this text. */
const char *array_name(
    struct inst_arena *arena, const struct inst_input *input, const struct inst_scan *scan);

#endif
