/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The directive table: OpenMP 5.2 and 6.0. One row per directive that can stand in a combined one;
 * a directive without a row is left alone and reported. A blank in a name may be an underscore in
 * the text: `target_data` is how OpenMP 6.0 writes `target data`.
 *
 * `followers` is what makes `parallel for ordered` two directives and a clause: only a word that
 * can be combined continues the name.
 */
#include "directives.h"

#include <string.h>

#define DECLARATIVE   "declarative"
#define NO_HOST_CALLS "not host code"

/* Which calls a construct has, by the first part of their names: enter, begin, end, exit. */
#define AROUND(name) name "_enter", NULL, NULL, name "_exit"
#define INSIDE(name) NULL, name "_begin", name "_end", NULL
#define BOTH(name)   name "_enter", name "_begin", name "_end", name "_exit"

/* clang-format off */
static const struct directive directives[] = {
	/* name, followers, body, wait, calls, group; handle's name and uses */
	{"parallel",  "for sections loop master masked", BODY_BLOCK, WAIT_INSIDE,
	    "parallel_fork", "parallel_begin", "parallel_end", "parallel_join", "parallel",
	    "fork", HANDLE_BEGIN | HANDLE_EXIT},
	{"task",      "", BODY_BLOCK, WAIT_NEVER,
	    "task_create_begin", "task_begin", "task_end", "task_create_end", "task",
	    "task", HANDLE_BEGIN | HANDLE_END | HANDLE_EXIT},
	{"for",       "simd",     BODY_LOOP,     WAIT_UNLESS_NOWAIT, AROUND("for"), "for"},
	{"sections",  "",         BODY_SECTIONS, WAIT_UNLESS_NOWAIT, AROUND("sections"), "sections"},
	{"section",   "",         BODY_SECTION,  WAIT_NEVER,         INSIDE("section"), "sections"},
	{"single",    "",         BODY_BLOCK,    WAIT_UNLESS_NOWAIT, BOTH("single"), "single"},
	{"scope",     "",         BODY_BLOCK,    WAIT_UNLESS_NOWAIT, AROUND("scope"), "scope"},
	{"master",    "taskloop", BODY_BLOCK,    WAIT_NEVER,         INSIDE("master"), "master"},
	{"masked",    "taskloop", BODY_BLOCK,    WAIT_NEVER,         INSIDE("master"), "master"},
	{"critical",  "",         BODY_BLOCK,    WAIT_NEVER,         BOTH("critical"), "critical"},
	{"ordered",   "",         BODY_BLOCK,    WAIT_NEVER,         BOTH("ordered"), "ordered"},
	{"atomic",    "",         BODY_BLOCK,    WAIT_NEVER,         AROUND("atomic"), "atomic"},
	{"flush",     "",         BODY_NONE,     WAIT_NEVER,         AROUND("flush"), "flush"},
	{"barrier",   "",         BODY_NONE,     WAIT_NEVER,         AROUND("barrier"), "barrier"},
	{"taskloop",  "simd",     BODY_LOOP,     WAIT_NEVER,         AROUND("taskloop"), "taskloop"},
	{"taskwait",  "",         BODY_NONE,     WAIT_NEVER,         AROUND("taskwait"), "taskwait"},
	{"taskgroup", "",         BODY_BLOCK,    WAIT_NEVER,         BOTH("taskgroup"), "taskgroup"},
	{"taskyield", "",         BODY_NONE,     WAIT_NEVER,         AROUND("taskyield"), "taskyield"},

	/* Measured from outside, by the thread that encounters them: bodies stay as they are. */
	{"loop",       "", BODY_LOOP, WAIT_NEVER, AROUND("loop"), "loop",
	    .inside = "inside 'loop': its iterations may not call anything"},
	{"distribute", "parallel simd", BODY_LOOP, WAIT_NEVER, AROUND("distribute"), "distribute",
	    .inside = "inside 'distribute': " NO_HOST_CALLS},
	{"teams",      "distribute loop workdistribute", BODY_BLOCK, WAIT_NEVER, AROUND("teams"), "teams",
	    .inside = "inside 'teams': " NO_HOST_CALLS},
	{"target",     "teams parallel simd", BODY_BLOCK, WAIT_NEVER, AROUND("target"), "target",
	    .inside = "inside 'target': " NO_HOST_CALLS},
	{"target data", "", BODY_BLOCK, WAIT_NEVER, AROUND("target_data"), "target"},
	{"target enter data", "", BODY_NONE, WAIT_NEVER, AROUND("target_enter_data"), "target"},
	{"target exit data", "", BODY_NONE, WAIT_NEVER, AROUND("target_exit_data"), "target"},
	{"target update", "", BODY_NONE, WAIT_NEVER, AROUND("target_update"), "target"},

	/* No calls: bodies that must stay as they are. */
	{"simd", "", BODY_LOOP, .passed = "a call would stop vectorisation",
	    .inside = "inside 'simd': a call would stop vectorisation"},
	{"workdistribute", "", BODY_BLOCK, .passed = NO_HOST_CALLS,
	    .inside = "inside 'workdistribute': " NO_HOST_CALLS},
	{"metadirective", "", BODY_BLOCK, .passed = "its variant is not known here",
	    .inside = "inside 'metadirective': its variant is not known here"},
	{"begin metadirective", "", BODY_BLOCK, .passed = "its variant is not known here",
	    .inside = "inside 'metadirective': its variant is not known here"},
	{"taskgraph", "", BODY_BLOCK, .passed = "its tasks are recorded and run again",
	    .inside = "inside 'taskgraph': its tasks are recorded and run again"},
	{"fuse", "", BODY_LOOP_SEQUENCE, .passed = "transforms its loops"},
	{"interchange", "", BODY_LOOP, .passed = "transforms its loops"},
	{"reverse", "", BODY_LOOP, .passed = "transforms its loop"},
	{"split", "", BODY_LOOP, .passed = "transforms its loop"},
	{"stripe", "", BODY_LOOP, .passed = "transforms its loops"},
	{"tile", "", BODY_LOOP, .passed = "transforms its loops"},
	{"unroll", "", BODY_LOOP, .passed = "transforms its loop"},
	{"dispatch", "", BODY_BLOCK, .passed = "selects a call"},
	{"assume", "", BODY_BLOCK, .passed = "tells the compiler something"},

	/* No calls: nothing to measure. */
	{"cancel", "", BODY_NONE, .passed = "stays as written"},
	{"cancellation point", "", BODY_NONE, .passed = "stays as written"},
	{"depobj", "", BODY_NONE, .passed = "stays as written"},
	{"interop", "", BODY_NONE, .passed = "stays as written"},
	{"scan", "", BODY_NONE, .passed = "separates the phases of its loop"},
	{"error", "", BODY_NONE, .passed = "stays as written"},
	{"nothing", "", BODY_NONE, .passed = "stays as written"},
	{"end metadirective", "", BODY_NONE, .passed = "stays as written"},
	{"task iteration", "", BODY_NONE, .passed = "stays as written"},

	/* Declarations. */
	{"allocate", "", BODY_NONE, .passed = DECLARATIVE},
	{"allocators", "", BODY_NONE, .passed = DECLARATIVE},
	{"assumes", "", BODY_NONE, .passed = DECLARATIVE},
	{"begin assumes", "", BODY_NONE, .passed = DECLARATIVE},
	{"end assumes", "", BODY_NONE, .passed = DECLARATIVE},
	{"declare simd", "", BODY_DECLARATION, .passed = DECLARATIVE,
	    .inside = "inside 'declare simd': a call would stop vectorisation"},
	{"declare target", "", BODY_NONE, .passed = DECLARATIVE,
	    .inside = "inside 'declare target': " NO_HOST_CALLS},
	{"begin declare target", "", BODY_NONE, .passed = DECLARATIVE,
	    .inside = "inside 'declare target': " NO_HOST_CALLS},
	{"end declare target", "", BODY_NONE, .passed = DECLARATIVE},
	{"declare reduction", "", BODY_NONE, .passed = DECLARATIVE},
	{"declare induction", "", BODY_NONE, .passed = DECLARATIVE},
	{"declare mapper", "", BODY_NONE, .passed = DECLARATIVE},
	{"declare variant", "", BODY_NONE, .passed = DECLARATIVE},
	{"begin declare variant", "", BODY_NONE, .passed = DECLARATIVE},
	{"end declare variant", "", BODY_NONE, .passed = DECLARATIVE},
	{"requires", "", BODY_NONE, .passed = DECLARATIVE},
	{"threadprivate", "", BODY_NONE, .passed = DECLARATIVE},
	{"groupprivate", "", BODY_NONE, .passed = DECLARATIVE},
};

/* clang-format on */

enum { DIRECTIVES = sizeof directives / sizeof *directives };

/* What --disable can name, in the order of the bits. The last two are no directives. */
static const char *const groups[] = {
    "parallel",
    "for",
    "sections",
    "single",
    "scope",
    "master",
    "critical",
    "ordered",
    "atomic",
    "flush",
    "barrier",
    "task",
    "taskloop",
    "taskwait",
    "taskgroup",
    "taskyield",
    "loop",
    "distribute",
    "teams",
    "target",
    "lock",
    "region",
};

static bool is_word_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
	       (byte >= '0' && byte <= '9');
}

/*
 * Length of `name` (words with one blank) at the start of `text` (any blanks between, or one
 * underscore), or 0.
 */
static size_t match_name(const char *text, const char *name)
{
	const char *at = text;

	for (; *name != '\0'; name++) {
		if (*name == ' ') {
			if (*at == '_') {
				at++;
				continue;
			}
			if (*at != ' ' && *at != '\t')
				return 0;
			while (*at == ' ' || *at == '\t')
				at++;
		} else if (*at++ != *name) {
			return 0;
		}
	}
	return is_word_byte(*at) ? 0 : (size_t)(at - text);
}

/* The row with the longest name at the start of `text`; NULL when there is none. */
static const struct directive *find_directive(const char *text, size_t *length)
{
	const struct directive *found = NULL;

	*length = 0;
	for (size_t i = 0; i < DIRECTIVES; i++) {
		size_t matched = match_name(text, directives[i].name);

		if (matched > *length) {
			*length = matched;
			found = &directives[i];
		}
	}
	return found;
}

/* Is `name` one of the words of `list`? */
static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (*list != '\0') {
		size_t word = strcspn(list, " ");

		if (word == length && memcmp(list, name, length) == 0)
			return true;
		list += word + strspn(list + word, " ");
	}
	return false;
}

struct directive_use directive_read(struct inst_arena *arena, const char *words)
{
	struct directive_use use = {.name = ""};
	const char *at = words + strspn(words, " \t,");
	size_t length;

	while (use.leaf_count < MAX_LEAVES) {
		const struct directive *row = find_directive(at, &length);

		if (row == NULL ||
		    (use.leaf_count > 0 &&
			!is_listed(use.leaves[use.leaf_count - 1]->followers, row->name)))
			break;
		use.name = use.leaf_count == 0 ? row->name
					       : arena_format(arena, "%s %s", use.name, row->name);
		use.leaves[use.leaf_count++] = row;
		at += length;
		at += strspn(at, " \t");
	}
	if (use.leaf_count == 0) {
		length = 0;
		while (is_word_byte(at[length]))
			length++;
		use.name = arena_copy(arena, at, length);
	}
	use.clauses = at;
	return use;
}

bool directive_has(const struct directive_use *use, const char *name)
{
	for (size_t i = 0; i < use->leaf_count; i++)
		if (strcmp(use->leaves[i]->name, name) == 0)
			return true;
	return false;
}

const struct directive *directive_around(const struct directive_use *use)
{
	for (size_t i = 0; i < use->leaf_count; i++)
		if (use->leaves[i]->enter != NULL && use->leaves[i]->begin == NULL)
			return use->leaves[i];
	return NULL;
}

inst_groups inst_find_group(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		if (strlen(groups[i]) == length && memcmp(groups[i], name, length) == 0)
			return (inst_groups)1 << i;
	return 0;
}

const char *inst_group_name(size_t index)
{
	return index < sizeof groups / sizeof *groups ? groups[index] : NULL;
}

inst_groups directive_group(const char *name)
{
	return inst_find_group(name, strlen(name));
}
