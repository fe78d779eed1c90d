#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# unknown-names.sh PROGRAM: its regions of unknown names are measured, and reported in one line.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
POMP_SUMMARY=$work/summary POMP_SUMMARY_FORMAT=csv "$1" 2>"$work/messages" || exit 1
cat >"$work/expected" <<END
pomp: descriptor 'phase' at phases.c:10, one of 2 with unknown names: expected a construct's name or 'region'; measured as 'other', like user regions
END
diff "$work/expected" "$work/messages" || exit 1
grep -q '^region,phase,first,phases.c,10,30,3,' "$work/summary" || { cat "$work/summary"; exit 1; }
