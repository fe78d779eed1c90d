# SPDX-License-Identifier: BSD-3-Clause
# Python, R and Octave, GROMACS, and what they load, as Debian has them, on the bundled runtime and on GNU's: the same
# results (programs/table.py says which digits are compared), processes of DataLoader's included; then their times in
# pairs, which are printed and not judged.
. "$TOP/test/real/checks.sh"

folder=$WORK/python
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$TOP/test/real/programs/runtimes.sh" "$folder" "$RUNTIME"
"$PYTHON" "$TOP/test/real/programs/inputs.py" "$folder/inputs"

compare() {
	"$PYTHON" "$TOP/test/real/programs/compare.py" --runtime gnu="$folder/gnu" --runtime ompinst="$folder/ompinst" \
		--inputs "$folder/inputs" --runs "$folder/runs" --limit 120 "$@"
}

for name in sklearn torch xgboost neighbours data.table rtsne octave superlu gromacs; do
	for threads in 1 2 4; do
		check "$name: the same results, T=$threads" compare --rounds 2 --threads $threads $name
	done
done

# DataLoader forks its workers: after regions of the parent's, and into regions of their own. GNU's runtime does not end
# there, so its results are those without workers.
on() {
	env OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1 LD_LIBRARY_PATH="$folder/$1" timeout 120 "$PYTHON" \
		"$TOP/test/real/programs/loader.py" "$2" "$3" >"loader.$1.$2.$3"
}
same_batches() {
	on gnu 0 "$1" && on ompinst 0 "$1" && on ompinst 2 "$1" && [ -s "loader.gnu.0.$1" ] &&
		cmp "loader.gnu.0.$1" "loader.ompinst.0.$1" && cmp "loader.gnu.0.$1" "loader.ompinst.2.$1"
}
check "DataLoader: forked workers that compute with tensors have the same batches" same_batches tensors
check "DataLoader: forked workers with regions of their own have the same batches" same_batches clusters

compare --table
