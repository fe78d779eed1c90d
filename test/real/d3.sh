# SPDX-License-Identifier: BSD-3-Clause
# D3 as npm has it, of each major version that the report page is written for: the page's timeline zooms,
# moves and shows what it does with Debian's. Needs npm's registry.
. "$TOP/test/real/checks.sh"

command -v npm >"$WORK/d3.which" || {
	echo "skipped - D3: npm is not installed"
	echo skip >>"$RESULTS"
	exit 0
}
for version in 5 6 7; do
	folder=$WORK/d3-$version
	rm -rf "$folder"
	mkdir -p "$folder"
	(cd "$folder" && npm init --yes && npm install "d3@$version") >"$folder/npm.log" 2>&1
	meson setup "$folder/build" "$TOP" "-Dd3=$folder/node_modules" >"$folder/setup.log" 2>&1
	ninja -C "$folder/build" reports/ompreport test/reports/make-archive >"$folder/build.log" 2>&1
	check "D3 $version: its parts are taken" grep -q 'D3 (zooming timeline): YES' "$folder/setup.log"
	check "D3 $version: the page in a browser" "$PYTHON" "$TOP/test/reports/browse-html.py" \
		"$folder/build/reports/ompreport" "$folder/build/test/reports/make-archive"
done

# An untried version: configuration says so, and the timeline is a picture.
sed -i 's/"version": *"[0-9]*/"version": "99/' "$folder/node_modules/d3-zoom/package.json"
meson setup "$folder/unknown" "$TOP" "-Dd3=$folder/node_modules" >"$folder/unknown.log" 2>&1
check "D3 of an unknown version is refused by its name" \
	grep -q 'd3-zoom is 99.*expected a major version of 1, 2, 3' "$folder/unknown.log"
check "D3 of an unknown version is left out" grep -q 'D3 (zooming timeline): NO' "$folder/unknown.log"
