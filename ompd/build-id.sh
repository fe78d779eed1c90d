#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The header with the library's version and a number of its sources: build-id.sh VERSION FILE...
set -eu
version=$1
shift
printf '#define OMPINST_VERSION "%s"\n' "$version"
printf '#define OMPD_BUILD_ID "%s"\n' "$(cat "$@" | sha256sum | cut -c1-16)"
