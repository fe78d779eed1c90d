#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes what `all` leaves out, then runs a test with it: make-first.sh FILE... -- COMMAND...
#
# The files are those of the build folder, where tests run, that a compiler other than the project's own makes. A system
# without ninja, as an emulated one, must have them already.
files=
while [ "$1" != -- ]; do
	files="$files ${1#"$PWD/"}"
	shift
done
shift
if command -v ninja >/dev/null; then
	# Tests run side by side, and ninja expects to be alone in its folder.
	# shellcheck disable=SC2086 # names without spaces, which this project gave
	flock made-first.lock ninja $files >"made-first.$$" 2>&1 || { cat "made-first.$$"; rm -f "made-first.$$"; exit 1; }
	rm -f "made-first.$$"
fi
exec "$@"
