# SPDX-License-Identifier: BSD-3-Clause
# The sessions of doc/live-sessions.md: GROMACS, scikit-learn, hypre and four MPI ranks are looked at while they run, and
# when they hang. What does not depend on the load is judged: names, no false deadlock, traces that keep the rules.
. "$TOP/test/real/checks.sh"

folder=$WORK/live
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
PATH=$OMPINST:$TOP/build/reports:$PATH
export PATH OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export POMP_TRACE_RING=16M POMP_SUMMARY=off
MPIRUN="mpirun.openmpi --oversubscribe"
live=$TOP/test/real/live

has() {
	[ -n "$(command -v "$1")" ] && return
	echo "skip - $1 is not installed"
	echo skip >>"$RESULTS"
	return 1
}

seen() {
	"$PYTHON" "$live/seen.py" "$@"
}

# start NAME COMMAND...: its number is $pid, once it has been in a region. A program that MPI starts is found by its name.
start() {
	name=$1
	shift
	timeout 1800 "$@" >"$name.out" 2>"$name.err" &
	starter=$!
	for _ in $(seq 300); do
		pid=$(pgrep -n -x "$process") && ompinst snapshot "$pid" --format=json -o ready.json 2>/dev/null &&
			seen snapshot ready.json >/dev/null && return
		sleep 0.2
	done
}

# stop: ends the program that was started, and its starter.
stop() {
	kill "$pid" 2>/dev/null || true
	wait "$starter" 2>/dev/null || true
}

top_is_sound() {
	ompinst top --once --format=json "$pid" >"$name-top.json" && seen top "$name-top.json"
}

snapshot_is_sound() {
	ompinst snapshot "$pid" --format=json -o "$name-snapshot.json" && seen snapshot "$name-snapshot.json" &&
		ompinst snapshot "$pid" --since="$name-begin" >/dev/null && sleep 1 && ompinst snapshot "$pid" --since="$name-begin"
}

trace_keeps_rules() {
	ompinst trace "$pid" --for=5s --output="$name-trace" && check_rules "$name-trace" && ompreport summary "$name-trace"
}

# At any moment, a program that goes on is in no deadlock.
never_a_deadlock() {
	for _ in $(seq 20); do
		ompinst why "$pid" >"$name-why" || { cat "$name-why"; return 1; }
	done
	ompinst stacks "$pid"
}

# looked_at TITLE: what holds for each of them.
looked_at() {
	check "$1: top reads it, and knows its regions' names" top_is_sound
	check "$1: a snapshot, and one of an interval" snapshot_is_sound
	check "$1: the last seconds, as a trace that keeps the rules" trace_keeps_rules
	check "$1: why finds no deadlock at 20 moments" never_a_deadlock
}

if has gmx; then
	process=gmx
	"$PYTHON" "$TOP/test/real/programs/inputs.py" water simulation
	start gromacs ompinst run --quiet gmx -quiet mdrun -s water/md.tpr -deffnm run -nsteps -1 -ntmpi 1 -ntomp 2 -pin off
	looked_at "GROMACS"
	stop
fi

if "$PYTHON" -c 'import sklearn' 2>/dev/null; then
	process=learner
	ln -s "$PYTHON" learner
	start sklearn ompinst run --quiet ./learner "$live/learn.py" 300
	looked_at "scikit-learn"
	stop
else
	echo "skip - scikit-learn is not installed"
	echo skip >>"$RESULTS"
fi

"$TOP/tools/fetch-source" hypre "$WORK/source"

# build FOLDER CC: hypre and its test drivers without MPI, as hypre.sh builds them.
build() {
	[ ! -x "$1/test/ij" ] || return 0
	(CC=$2 cmake -G Ninja -S "$WORK/source/hypre/src" -B "$1" -DHYPRE_WITH_MPI=OFF -DHYPRE_WITH_OPENMP=ON -DHYPRE_BUILD_TESTS=ON \
		-DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O2 -g" -DCMAKE_INSTALL_PREFIX="$1/prefix" && ninja -C "$1") >"$1.log" 2>&1
}

process=ij
build "$WORK/hypre-plain" gcc
start hypre-as-it-is ompinst run --quiet "$WORK/hypre-plain/test/ij" -solver 0 -n 120 120 120
looked_at "hypre as it is"
stop
build "$WORK/hypre" ompinst-gcc
start hypre-measured "$WORK/hypre/test/ij" -solver 0 -n 120 120 120
looked_at "hypre, measured"
stop

process=halo
ompinst mpicc.openmpi -fopenmp -O2 -g "$live/halo.c" -o halo -lm
start ranks $MPIRUN -np 4 ./halo 100000000
looked_at "a rank of four"
four_ranks() {
	ompinst top --once --format=json halo >ranks.json && seen top ranks.json 4
}
check "four ranks: top has a line for each" four_ranks
stop

# Rank 2 does not take part any more: the others are in MPI calls, whose sources are said.
start absent $MPIRUN -np 4 ./halo 2000 2
each_says_where() {
	for rank in $(pgrep -x halo); do
		ompinst why "$rank" || return 1
	done >absent-why
	cat absent-why
	[ "$(grep -c '^no deadlock within OpenMP; thread 1 is in MPI_' absent-why)" = 3 ] &&
		[ "$(grep -c '^no deadlock within OpenMP; thread 1 is blocked in pause' absent-why)" = 1 ]
}
wait_for_each() {
	for _ in $(seq 60); do
		each_says_where >absent-said && break
		sleep 1
	done
	cat absent-said
	each_says_where
}
check "a rank that does not arrive: three ranks are in MPI calls, one is not" wait_for_each
stop
