#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# calls.sh PRINT_CONSTRUCTS CHECK_CALLS LIBRARY: libpomp has the calls of every construct.
"$1" calls | "$2" "$3"
