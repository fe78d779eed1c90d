/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Build-time tool: list-calls HEADER SYMBOLS SOURCE-OUT HEADER-OUT LIST-OUT. It walks a
 * preprocessed mpi.h with libclang, and takes every function MPI_x whose twin PMPI_x is declared
 * there and defined in the library. SYMBOLS is the output of nm for the library; some functions are
 * in another library, for Fortran. For each function it writes:
 *
 *   - its number in enum mpi_call, the macro HAVE_MPI_x, and its descriptor
 *   - a wrapper that enters, calls MPI's own function and leaves
 *   - the function PMPI_x for Fortran's bindings
 *   - the code that finds MPI's own function (see mpi_find_real())
 *   - what wrapped_calls[] says of it, into the list
 *
 * The wrappers are weak: if a call has to do more, the list or a file in this folder defines the
 * function itself. In this way each MPI gets all of its own functions, and no list has to follow
 * the standard.
 */
#include "wrapped-calls.h"

#include "shared/constructs.h"

#include <clang-c/Index.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 4096 };

struct listing {
	FILE *source, *header, *list;
	CXCursor function[MOST_FUNCTIONS]; /* MPI_x and PMPI_x, in the header's order */
	size_t count;
	char symbols[1 << 20]; /* " T PMPI_x" lines */
};

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct listing *listing = data;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl)
		return CXChildVisit_Continue;
	CXString name = clang_getCursorSpelling(cursor);
	const char *text = clang_getCString(name);
	if ((begins_with(text, "MPI_") || begins_with(text, "PMPI_")) &&
	    clang_equalCursors(cursor, clang_getCanonicalCursor(cursor)) &&
	    listing->count < MOST_FUNCTIONS)
		listing->function[listing->count++] = cursor;
	clang_disposeString(name);
	return CXChildVisit_Continue;
}

static bool is_in_library(const struct listing *listing, const char *name)
{
	char line[256];

	snprintf(line, sizeof(line), " P%s\n", name);
	return strstr(listing->symbols, line) != NULL;
}

/* Returns the declaration of the function with this name, or NULL. */
static const CXCursor *find(const struct listing *listing, const char *name)
{
	const CXCursor *found = NULL;

	for (size_t i = 0; i < listing->count && found == NULL; i++) {
		CXString other = clang_getCursorSpelling(listing->function[i]);
		if (strcmp(clang_getCString(other), name) == 0)
			found = &listing->function[i];
		clang_disposeString(other);
	}
	return found;
}

static bool has_twin(const struct listing *listing, const char *name)
{
	char twin[256];

	snprintf(twin, sizeof(twin), "P%s", name);
	return is_in_library(listing, name) && find(listing, twin) != NULL;
}

/*
 * Conversions between the handles and statuses of C and Fortran: macros in one MPI, functions in
 * another, and used by the bindings themselves in both. A profile of MPI would show nothing useful
 * for them.
 */
static bool is_conversion(const char *name)
{
	static const char *const ends[] = {"_f2c", "_c2f", "_f082c", "_c2f08", "_f082f", "_f2f08"};
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (length > strlen(ends[i]) &&
		    strcmp(name + length - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

/* A type's spelling may need the name in its middle, as in int (*)[3]; __typeof__ avoids that. */
static void write_type(FILE *out, CXType type)
{
	CXString spelling = clang_getTypeSpelling(type);
	const char *text = clang_getCString(spelling);

	if (strpbrk(text, "([") != NULL)
		fprintf(out, "__typeof__(%s)", text);
	else
		fputs(text, out);
	clang_disposeString(spelling);
}

/*
 * Writes the function's parameters, or as arguments when they are not `typed`. Their names are
 * those in `names`, with a blank between them, or a0, a1 and so on when it is NULL. Returns whether
 * there was one name for each.
 */
static bool write_names(FILE *out, CXCursor function, bool typed, const char *names)
{
	int count = clang_Cursor_getNumArguments(function);
	bool enough = true;

	for (int i = 0; i < count; i++) {
		fputs(i > 0 ? ", " : "", out);
		/* The function's own type has arrays and functions already adjusted to pointers. */
		if (typed)
			write_type(
			    out, clang_getArgType(clang_getCursorType(function), (unsigned)i));
		if (names == NULL) {
			fprintf(out, " a%d", i);
			continue;
		}
		int length = (int)strcspn(names, " ");
		fprintf(out, " %.*s", length, names);
		names += length + (names[length] == ' ');
		enough = enough && length > 0;
	}
	return enough && (names == NULL || *names == '\0');
}

static void write_head(FILE *out, CXCursor function, const char *prefix, const char *name)
{
	write_type(out, clang_getCursorResultType(function));
	fprintf(out, " %s%s(%s", prefix, name,
	    clang_Cursor_getNumArguments(function) == 0 ? "void" : "");
	write_names(out, function, true, NULL);
	fprintf(out, "%s)\n{\n", clang_Cursor_isVariadic(function) ? ", ..." : "");
}

static void write_call(FILE *out, CXCursor function, const char *prefix, const char *name)
{
	fprintf(out, "%s%s(", prefix, name);
	write_names(out, function, false, NULL);
	fputs(");\n", out);
}

static void write_wrapper(FILE *out, CXCursor function, const char *name)
{
	CXType result = clang_getCursorResultType(function);
	bool returns = result.kind != CXType_Void;

	/* mpi.h may define a macro for it, for speed. */
	fprintf(out, "\n#undef %s\n__attribute__((weak)) ", name);
	write_head(out, function, "", name);
	fprintf(out, "\tbool entered = mpi_call_enter(CALL_%s);\n\t", name);
	if (returns) {
		write_type(out, result);
		fputs(" result = ", out);
	}
	write_call(out, function, "P", name);
	fprintf(out, "\tmpi_call_leave(CALL_%s, entered);\n%s}\n", name,
	    returns ? "\treturn result;\n" : "");
	fprintf(out, "\n#undef P%s\n", name);
	write_head(out, function, "P", name);
	fprintf(out, "\tif (mpi_is_of_program(CALL_%s, __builtin_return_address(0)))\n\t\t", name);
	fputs(returns ? "return " : "{ ", out);
	write_call(out, function, "", name);
	fputs(returns ? "\treturn " : "\t\treturn; }\n\t", out);
	fprintf(out, "REAL_CALL(%s)", name + strlen("MPI_"));
	write_call(out, function, "", "");
	fputs("}\n", out);
}

/* Calls `write` for every function that gets a wrapper. */
static void for_each(const struct listing *listing, FILE *out,
    void (*write)(FILE *out, CXCursor function, const char *name))
{
	for (size_t i = 0; i < listing->count; i++) {
		CXString name = clang_getCursorSpelling(listing->function[i]);
		const char *text = clang_getCString(name);
		if (text[0] == 'M' && !is_conversion(text) && has_twin(listing, text))
			write(out, listing->function[i], text);
		clang_disposeString(name);
	}
}

static void write_number(FILE *out, CXCursor function, const char *name)
{
	(void)function;
	fprintf(out, "\tCALL_%s,\n#define HAVE_%s 1\n", name, name);
}

static void write_member(FILE *out, CXCursor function, const char *name)
{
	(void)function;
	fprintf(out, "\t__typeof__(&P%s) _Atomic %s;\n", name, name + strlen("MPI_"));
}

static void write_rename(FILE *out, CXCursor function, const char *name)
{
	(void)function;
	fprintf(out, "#define P%s REAL_CALL(%s)\n", name, name + strlen("MPI_"));
}

/* Writes the function that is in the slot of MPI's own function until the first call. */
static void write_first(FILE *out, CXCursor function, const char *name)
{
	CXType result = clang_getCursorResultType(function);

	fputs("\nstatic ", out);
	write_head(out, function, "first_", name);
	fprintf(out, "\tmpi_find_real(CALL_%s);\n\t%s", name,
	    result.kind != CXType_Void ? "return " : "");
	write_call(out, function, "P", name);
	fputs("}\n", out);
}

static void write_first_name(FILE *out, CXCursor function, const char *name)
{
	(void)function;
	fprintf(out, "\t.%s = first_%s,\n", name + strlen("MPI_"), name);
}

static void write_descriptor(FILE *out, CXCursor function, const char *name)
{
	(void)function;
	fprintf(out, "\tDESCRIPTOR(%s)\n", name);
}

/*
 * The variable arguments of a variadic function cannot be passed on: it needs a wrapper written by
 * hand.
 */
static void write_fixed(FILE *out, CXCursor function, const char *name)
{
	if (!clang_Cursor_isVariadic(function))
		write_wrapper(out, function, name);
}

static void write_all(const struct listing *listing)
{
	FILE *source = listing->source, *header = listing->header;

	fputs("/* Made by list-calls from mpi.h. */\n#include \"call.h\"\n", source);
	fputs("/* Made by list-calls from mpi.h. */\nenum mpi_call {\n", header);
	for_each(listing, header, write_number);
	fputs("\tCALL_COUNT\n};\n\nstruct mpi_real {\n", header);
	for_each(listing, header, write_member);
	fputs("};\nextern __attribute__((visibility(\"hidden\"))) struct mpi_real mpi_real;\n\n"
	      "/* Relaxed: a function's address is all there is to see. */\n"
	      "#define REAL_CALL(call) load_relaxed(&mpi_real.call)\n",
	    header);
	for_each(listing, header, write_rename);
	fprintf(source,
	    "\n#define DESCRIPTOR(call) [CALL_##call] = {.name = \"%s\", .sub_name = #call, "
	    ".file_name = \"\"},\nOMPRegDescr mpi_regions[CALL_COUNT] = {\n",
	    construct_name(CONSTRUCT_MPI));
	for_each(listing, source, write_descriptor);
	fputs("};\n", source);
	for_each(listing, source, write_first);
	fputs("\nstruct mpi_real mpi_real = {\n", source);
	for_each(listing, source, write_first_name);
	fputs("};\n", source);
	for_each(listing, source, write_fixed);
}

/* Returns false when mpi.h has the call with another number of parameters. */
static bool write_wrapped(
    FILE *out, CXCursor function, const struct wrapped_calls *row, const char *name)
{
	fprintf(out, "#ifdef %s\n%s(%s, (", row->kind, row->kind, name + strlen("MPI_"));
	bool fits = write_names(out, function, true, row->parameters);
	fputs("), (", out);
	write_names(out, function, false, row->parameters);
	fprintf(out, ")%s%s)\n#endif\n", row->more != NULL ? ", " : "",
	    row->more != NULL ? row->more : "");
	if (!fits)
		fprintf(stderr, "list-calls: %s has other parameters in mpi.h than '%s'\n", name,
		    row->parameters);
	return fits;
}

/* Writes the call, and the one with MPI_Count. Returns false when the row does not fit this MPI. */
static bool write_both(
    const struct listing *listing, const struct wrapped_calls *row, const char *call, int length)
{
	bool fits = true;

	for (int large = 0; large < 2; large++) {
		char name[256];
		snprintf(name, sizeof(name), "MPI_%.*s%s", length, call, large ? "_c" : "");
		const CXCursor *function = find(listing, name);
		if (function != NULL && has_twin(listing, name)) {
			fits = write_wrapped(listing->list, *function, row, name) && fits;
		} else if (!large && !row->is_new) {
			fprintf(stderr,
			    "list-calls: this MPI lacks %s, which wrapped_calls[] has\n", name);
			fits = false;
		}
	}
	return fits;
}

static bool write_list(const struct listing *listing)
{
	bool fits = true;

	fputs("/* Made by list-calls from mpi.h and wrapped_calls[]. */\n", listing->list);
	for (size_t i = 0; i < sizeof(wrapped_calls) / sizeof(wrapped_calls[0]); i++) {
		const char *call = wrapped_calls[i].calls;
		while (*call != '\0') {
			int length = (int)strcspn(call, " ");
			fits = write_both(listing, &wrapped_calls[i], call, length) && fits;
			call += length + (call[length] == ' ');
		}
	}
	return fits;
}

/* Errors matter: a function whose type libclang did not understand would get a wrong wrapper. */
static bool is_sound(CXTranslationUnit unit)
{
	bool sound = true;

	for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
			CXString text = clang_formatDiagnostic(
			    diagnostic, clang_defaultDiagnosticDisplayOptions());
			fprintf(stderr, "list-calls: %s\n", clang_getCString(text));
			clang_disposeString(text);
			sound = false;
		}
		clang_disposeDiagnostic(diagnostic);
	}
	return sound;
}

int main(int count, char **arguments)
{
	static const char *const options[] = {"-x", "c", "-std=gnu11", "-w"};
	static struct listing listing;

	if (count != 6) {
		fputs(
		    "usage: list-calls PREPROCESSED-MPI.H SYMBOLS SOURCE-OUT HEADER-OUT LIST-OUT\n",
		    stderr);
		return 2;
	}
	FILE *symbols = fopen(arguments[2], "r");
	if (symbols == NULL ||
	    fread(listing.symbols, 1, sizeof(listing.symbols) - 1, symbols) == 0) {
		fprintf(stderr, "list-calls: %s: cannot be read\n", arguments[2]);
		return 1;
	}
	fclose(symbols);
	CXIndex index = clang_createIndex(0, 0);
	CXTranslationUnit unit =
	    clang_parseTranslationUnit(index, arguments[1], options, 4, NULL, 0, 0);
	if (unit == NULL || !is_sound(unit)) {
		fprintf(stderr, "list-calls: %s: cannot be parsed\n", arguments[1]);
		return 1;
	}
	clang_visitChildren(clang_getTranslationUnitCursor(unit), collect, &listing);
	listing.source = fopen(arguments[3], "w");
	listing.header = fopen(arguments[4], "w");
	listing.list = fopen(arguments[5], "w");
	if (listing.source == NULL || listing.header == NULL || listing.list == NULL ||
	    listing.count == 0) {
		fprintf(stderr, "list-calls: %s: %s\n", arguments[1],
		    listing.count == 0 ? "declares no MPI function" : "cannot write its list");
		return 1;
	}
	write_all(&listing);
	bool fits = write_list(&listing);
	clang_disposeTranslationUnit(unit);
	clang_disposeIndex(index);
	return fclose(listing.source) != 0 || fclose(listing.header) != 0 ||
	       fclose(listing.list) != 0 || !fits;
}
