/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The directive table: the list of constructs in the form that the instrumenter needs. One row per
 * directive that can be part of a combined one; a directive without a row is left unchanged and
 * reported. A blank in a name may be an underscore in the text: OpenMP 6.0 writes `target data` as
 * `target_data`.
 *
 * `followers` decides that `parallel for ordered` is two directives and a clause: only a word that
 * can be combined continues the name.
 */
#include "directives.h"

#include <string.h>

/* The meaning of the list's words in a row here. */
#define ALONE           0
#define FOLLOWED_BY(id) CONSTRUCT_BIT(id)
#define SAME_DATA       false
#define OWN_DATA        true
#define WRITTEN(body_word, barrier_word, follower_bits, data_word, inside_reason)                  \
	.body = BODY_##body_word, .wait = WAIT_##barrier_word, .followers = (follower_bits),       \
	.owns_data = (data_word), .inside = (inside_reason)

#define CALLS_AROUND(stem) .enter = stem "_enter", .exit = stem "_exit"
#define CALLS_INSIDE(stem) .begin = stem "_begin", .end = stem "_end"
#define CALLS_BOTH(stem)   CALLS_AROUND(stem), CALLS_INSIDE(stem)
#define CALLS_FORK(stem)                                                                           \
	.enter = stem "_fork", CALLS_INSIDE(stem), .exit = stem "_join", .handle = "fork",         \
	.handle_uses = HANDLE_BEGIN | HANDLE_EXIT
#define CALLS_CREATE(stem)                                                                         \
	.enter = stem "_create_begin", CALLS_INSIDE(stem), .exit = stem "_create_end",             \
	.handle = "task", .handle_uses = HANDLE_BEGIN | HANDLE_END | HANDLE_EXIT
#define CALLED(calls, stem, defined, group_id)                                                     \
	CALLS_##calls(#stem), .group = DIRECTIVE_GROUP(CONSTRUCT_##group_id)

/* Indexed by id; an entry that is not a directive has no name. */
static const struct directive directives[CONSTRUCT_END] = {
#define CONSTRUCT(suffix, word, written, called, measured, traced, advised, about)                 \
	[CONSTRUCT_##suffix] = {.id = CONSTRUCT_##suffix, .name = (word), written, called},
#define PASSED(suffix, word, body_word, passed_reason, inside_reason)                              \
	[CONSTRUCT_##suffix] = {.id = CONSTRUCT_##suffix,                                          \
	    .name = (word),                                                                        \
	    .body = BODY_##body_word,                                                              \
	    .passed = (passed_reason),                                                             \
	    .inside = (inside_reason)},
    CONSTRUCTS(CONSTRUCT) CONSTRUCTS_PASSED(PASSED)
#undef PASSED
#undef CONSTRUCT
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

/* The row with the longest name at the start of `text`, or NULL. */
static const struct directive *find_directive(const char *text, size_t *length)
{
	const struct directive *found = NULL;

	*length = 0;
	for (size_t i = 0; i < CONSTRUCT_END; i++) {
		size_t matched =
		    directives[i].name != NULL ? match_name(text, directives[i].name) : 0;

		if (matched > *length) {
			*length = matched;
			found = &directives[i];
		}
	}
	return found;
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
			(use.leaves[use.leaf_count - 1]->followers & directive_bit(row)) == 0))
			break;
		use.name = use.leaf_count == 0 ? row->name
					       : arena_format(arena, "%s %s", use.name, row->name);
		use.written[use.leaf_count] = arena_copy(arena, at, length);
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

bool directive_calls(const char *function)
{
	static const char prefix[] = "__pomp_";

	if (strncmp(function, prefix, strlen(prefix)) != 0)
		return false;
	function += strlen(prefix);
	for (size_t i = 0; i < CONSTRUCT_END; i++) {
		const struct directive *row = &directives[i];
		const char *const calls[] = {row->enter, row->begin, row->end, row->exit};

		for (size_t j = 0; j < sizeof calls / sizeof *calls; j++)
			if (calls[j] != NULL && strcmp(calls[j], function) == 0)
				return true;
	}
	return false;
}

const struct directive *directive_of(enum construct_id id)
{
	return &directives[id];
}

bool directive_has(const struct directive_use *use, enum construct_id id)
{
	for (size_t i = 0; i < use->leaf_count; i++)
		if (use->leaves[i]->id == id)
			return true;
	return false;
}

bool directive_is(const struct directive_use *use, enum construct_id id)
{
	return use->leaf_count == 1 && use->leaves[0]->id == id;
}

const struct directive *directive_around(const struct directive_use *use)
{
	for (size_t i = 0; i < use->leaf_count; i++)
		if (use->leaves[i]->enter != NULL && use->leaves[i]->begin == NULL)
			return use->leaves[i];
	return NULL;
}

/* The name of the group with this bit; NULL if the construct belongs to another group. */
static const char *group_of_bit(size_t bit)
{
	if (bit == GROUP_LOCK)
		return "lock";
	if (bit == GROUP_REGION)
		return construct_name(CONSTRUCT_REGION);
	return directives[bit].group == DIRECTIVE_GROUP(bit) ? directives[bit].name : NULL;
}

inst_groups inst_find_group(const char *name, size_t length)
{
	for (size_t bit = 0; bit < GROUP_COUNT; bit++) {
		const char *group = group_of_bit(bit);

		if (group != NULL && strlen(group) == length && memcmp(group, name, length) == 0)
			return DIRECTIVE_GROUP(bit);
	}
	return 0;
}

const char *inst_group_name(size_t index)
{
	for (size_t bit = 0; bit < GROUP_COUNT; bit++) {
		const char *group = group_of_bit(bit);

		if (group != NULL && index-- == 0)
			return group;
	}
	return NULL;
}
