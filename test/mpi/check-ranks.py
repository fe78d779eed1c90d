# SPDX-License-Identifier: BSD-3-Clause
"""check-ranks.py MODE OMPINST OMPREPORT MPI PROGRAM.c: builds a hybrid program, runs it, checks its archive.

MPI is the suffix of mpicc and mpirun. The build goes through `ompinst mpicc`, as a user's does.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import ranks_facts

mode, mpi = sys.argv[1], sys.argv[4]
ompinst, ompreport, source = (os.path.abspath(sys.argv[i]) for i in (2, 3, 5))
compiler, launcher = shutil.which("mpicc." + mpi), shutil.which("mpirun." + mpi)
if compiler is None or launcher is None:
    print(f"mpicc.{mpi} or mpirun.{mpi} is missing")
    sys.exit(77)
RANKS = 2
SLACK = 150e-6  # seconds by which clocks of two machines may differ in a trace
# Seconds of a run; MPICH's ranks poll, which takes long where processors are few.
LONGEST = 100 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
folder = tempfile.TemporaryDirectory()
trace = os.path.join(folder.name, "trace")


def fail(text):
    sys.exit(f"{mode}, {mpi}: {text}")


def run(command, code=0, **settings):
    """Its end must be as the code says: 0, another, or None for either."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("POMP_")}
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                    "OMP_NUM_THREADS": "2"} | settings
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                            cwd=folder.name)
    try:
        out, said = done.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        done.terminate()  # so that the launcher ends its ranks, too
        out, said = done.communicate(timeout=LONGEST)
        fail(f"{command}: not done after {LONGEST:.0f} s\n{out}\n{said}")
    if done.returncode == 77:
        print(out)
        sys.exit(77)
    if code is not None and (done.returncode != 0) != (code != 0):
        fail(f"{command}: exit {done.returncode}\n{out}\n{said}")
    return subprocess.CompletedProcess(command, done.returncode, out, said)


STARTER = [launcher] + (["--oversubscribe"] if mpi == "openmpi" else []) + ["-np"]


def build(flags=()):
    run([ompinst, compiler, "-fopenmp", "-O1", "-g", *flags, source, "-o", "program"])


def need_launcher():
    """Without any network interface, for one, Open MPI starts nothing at all."""
    try:
        run([*STARTER, "1", "true"])
    except SystemExit as failure:
        print(f"{launcher} cannot start `true`: {failure}")
        sys.exit(77)


def launch(mode, ranks=RANKS, code=0, **settings):
    return run([*STARTER, str(ranks), "./program", mode], code, **settings)


def compare_counts(text, facts, partial=False):
    sent = re.search(r"sent (\d+) messages (\d+) bytes", text)
    if sent is None:
        fail(f"no counts in {text!r}")
    found = facts.check_messages(partial)
    if found != (int(sent[1]), int(sent[2])):
        fail(f"the trace has {found[0]} messages of {found[1]} bytes, the program sent {sent[0]}")


def check_threads(facts, per_rank, teams):
    """OpenMP inside each rank is complete: as many locations, team begins and forks as planted."""
    if facts.location_count != facts.rank_count * per_rank:
        fail(f"{facts.location_count} locations of {facts.rank_count} ranks")
    for location, events in facts.of_location.items():
        if events["ThreadTeamBegin"] != teams or events["ThreadTeamEnd"] != teams:
            fail(f"location {location}: {events['ThreadTeamBegin']} teams, expected {teams}")


def traced(mode, ranks=RANKS, code=0, **settings):
    return launch(mode, ranks, code, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off",
                  POMP_EXPERIMENT_DIRECTORY=trace, **settings)


def check_calls(ranks=RANKS):
    done = traced("calls", ranks)
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    if facts.names != [f"MPI Rank {i}" for i in range(ranks)]:
        fail(f"location groups {facts.names}")
    compare_counts(done.stdout, facts)
    facts.check_collectives()
    check_threads(facts, 2, 2)
    if not {"twin", "odd and even", "MPI_COMM_WORLD"} <= set(facts.comm_names.values()):
        fail(f"communicators {facts.comm_names}")
    if facts.events["MpiRequestCancelled"] != ranks:
        fail(f"{facts.events['MpiRequestCancelled']} cancelled requests")
    if sorted(os.listdir(trace)) != ["pomp.cfg", "traces", "traces.def", "traces.otf2"]:
        fail(f"left in the folder: {os.listdir(trace)}")
    rules = run([ompreport, "check", trace])
    if not re.search(r"rules broken\s+0", rules.stdout):
        fail(rules.stdout)
    return facts


def check_more():
    check_calls(4)


REPORTS = (["summary"], ["summary", "--format=json"], ["regions"], ["threads", "--format=csv"], ["ranks"], ["efficiency"], ["imbalance"],
           ["locks"], ["tasks"], ["messages"], ["messages", "--matrix"], ["critical-path"], ["timeline"], ["hot"], ["info"], ["check"],
           ["html", "-o", "-"], ["regions", "--from=1ms", "--rank=2"], ["export", "--cube", "--from=1ms", "--to=3ms"],
           *(["export", "--" + target] for target in ("cube", "hatchet", "flamegraph", "folded", "speedscope", "pprof", "openmetrics", "csv",
                                                      "chrome", "perfetto")))


def check_reports():
    """What really ran, with and without many samples, reads alike in one process, two and three: text, messages and status."""
    for program, settings in (("calls", {}), ("late", {"POMP_SAMPLING": "1000"})):
        traced(program, 4, **settings)
        for count, command in enumerate(REPORTS):
            done = [subprocess.run([*start, ompreport, *command, trace], capture_output=True, timeout=LONGEST, check=False, cwd=folder.name,
                                   env=os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                                     "TMPDIR": folder.name})  # Open MPI's folder: jobs that end remove that of others
                    for start in ([], [*STARTER, str(2 + count % 2)])]
            one, many = ((end.returncode, end.stdout, end.stderr) for end in done)
            if one != many:
                fail(f"{program}: {command}: one process {one[0], one[1][:300], one[2]}, several {many[0], many[1][:300], many[2]}")
            if not one[1] and command[0] != "export":
                fail(f"{program}: {command} printed nothing: {one}")
        shutil.rmtree(trace)


def check_hosts():
    """Half of the ranks on another host, with a network in between and a folder that both see."""
    global STARTER
    STARTER = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "two-hosts.sh"), mpi]
    check_calls(4)
    nodes = re.findall(r'LOCATION_GROUP +\d .*"node::(\w+)"', run(["otf2-print", "-G", trace + "/traces.otf2"]).stdout)
    if nodes != ["hosta", "hosta", "hostb", "hostb"]:
        fail(f"ranks on {nodes}")


def check_threads_mode():
    done = traced("threads")
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    compare_counts(done.stdout, facts)
    senders = [events["MpiSend"] + events["MpiIsend"] for events in facts.of_location.values()]
    if senders != [100] * 4:
        fail(f"sends by location: {senders}")


def check_lost(logs):
    """Of rank 0 nothing is left; rank 1 stays rank 1."""
    shutil.rmtree(logs + "/rank-000000")
    output = run([ompreport, "recover", logs]).stdout
    if "in 1 ranks; 1 ranks left no logs" not in output:
        fail(output)
    info, ranks = (json.loads(run([ompreport, command, "--format=json", logs]).stdout) for command in ("info", "ranks"))
    names = [row["thread"] for row in ranks["ranks"]]
    if info["lost_ranks"] != 1 or ranks["processes"] != 2 or names != ["1:Master thread", "1:OMP thread 1"]:
        fail(f"rank 0 is lost: {info['lost_ranks']} of {ranks['processes']} ranks, threads {names}")


def check_later():
    """The same archive from the logs, by one process without MPI."""
    first = check_calls()
    shutil.rmtree(trace)
    traced("calls", POMP_CONVERT="later")
    shutil.copytree(trace, trace + "-lost")
    check_lost(trace + "-lost")
    output = run([ompreport, "recover", trace]).stdout
    if "in 2 ranks" not in output or "stopped" in output:
        fail(output)
    second = ranks_facts.Ranks(trace + "/traces.otf2")
    second.check_messages()
    second.check_collectives()
    # How often the program asked for a request depends on time; and with it the asking's own region.
    timed = {"MpiRequestTest", "Enter", "Leave"}
    for counts in (first.events, second.events):
        for kind in timed:
            counts.pop(kind, None)
    if first.events != second.events:
        fail(f"{first.events} is not {second.events}")


def check_killed(how="killed"):
    done = traced(how, code=1)
    if not os.path.isdir(trace + "/rank-000000"):
        fail(f"no logs: {done.stderr}")
    output = run([ompreport, "recover", trace]).stdout
    if "in 2 ranks" not in output or "stopped" not in output:
        fail(output)
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    compare_counts(done.stdout, facts)
    check_threads(facts, 2, 2)


def check_interrupted():
    """A rank is killed while the ranks make their archive in MPI_Finalize: nothing of what was logged is lost."""
    places = [(0, "traces.new", at) for at in (5, 13, 14)] + [(1, "traces.new", 3)]
    for rank, name, at in places + [(0, "ranks.pomplog", 2)]:
        place = f"rank {rank} killed at call {at} of {name}"
        mark = folder.name + "/killed"
        done = launch_each(f'[ "$rank" != {rank} ] || export LD_PRELOAD={os.path.abspath(sys.argv[6])}\nexec ./program "$1"\n',
                           "calls", code=None, KILL_RANK=str(rank), KILL_NAME=name, KILL_AT=str(at), KILL_MARK=mark)
        # MPICH 4.2's launcher takes a rank that is killed after PMPI_Finalize for one that ended well.
        if not os.path.exists(mark):
            fail(f"{place}: not reached: {done}")
        os.unlink(mark)
        output = run([ompreport, "recover", trace]).stdout
        if "stopped" in output or ("in 2 ranks" not in output and "is complete" not in output):
            fail(f"{place}: {output}")
        if sorted(os.listdir(trace)) != ["pomp.cfg", "traces", "traces.def", "traces.otf2"]:
            fail(f"{place}: left in the folder: {os.listdir(trace)}")
        facts = ranks_facts.Ranks(trace + "/traces.otf2")
        compare_counts(done.stdout, facts)
        check_threads(facts, 2, 2)
        shutil.rmtree(trace)


def check_abort():
    check_killed("abort")


def compare_planted(what, traced, planted):
    """
    The trace's times and the program's own, in ms. A busy machine may stop a thread between the program's reading of
    the clock and the event, and then that time differs; not one that is wrong by itself agrees.
    """
    if len(traced) != len(planted) or not planted:
        fail(f"{what}: {traced} ms, in truth {planted}")
    large = [(one, other) for one, other in zip(traced, planted) if other > 25]
    if not large or min(abs(one - other) for one, other in large) > 2.5:
        fail(f"{what}: {traced} ms, in truth {planted}")


def compare_wait(rows, wanted, milliseconds):
    """The report's wait is what the trace's events say, whatever the machine made of the program."""
    found = [row["time_ns"] / 1e6 for row in rows if all(row[key] == value for key, value in wanted.items())]
    if len(found) != 1 or abs(found[0] - milliseconds) > 0.1 + 0.01 * milliseconds:
        fail(f"reported {found} ms of {wanted}, by the events {milliseconds}")


def later(first, second, facts):
    """By how many ms each of the second times is behind its partner."""
    return [(other - one) * 1000 / facts.resolution for one, other in zip(first, second)]


def lost(waits):
    """Nobody waits where the other was first."""
    return sum(max(wait, 0) for wait in waits)


def check_late():
    done = traced("late")
    planted = [float(text) for text in re.findall(r"late ([-.0-9]+)", done.stdout)]
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    waits = later(facts.enters[1, "MPI_Recv"], facts.enters[0, "MPI_Send"], facts)
    compare_planted("late", waits, planted)
    output = json.loads(run([ompreport, "messages", "--format=json", trace]).stdout)["messages"]
    compare_wait(output, {"region": "MPI_Recv", "kind": "late sender", "most_in": "rank 1", "late": "rank 0"}, lost(waits))
    check_unequal()


def check_unequal():
    """100 ms more work in one thread: a barrier's wait in its rank, a wait at MPI's barrier in the other."""
    shutil.rmtree(trace)
    planted = re.findall(r"unequal ([-.0-9]+) barrier ([-.0-9]+)", traced("unequal").stdout)
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    barriers = later(facts.enters[0, "MPI_Barrier"], facts.enters[1, "MPI_Barrier"], facts)
    compare_planted("barrier", barriers[:len(planted)], [float(barrier) for _, barrier in planted])
    output = json.loads(run([ompreport, "messages", "--format=json", "--rank=0", trace]).stdout)["messages"]
    compare_wait(output, {"region": "MPI_Barrier", "kind": "wait at barrier", "most_in": "rank 0", "late": "rank 1"}, lost(barriers))
    imbalances = later(facts.useful[2], facts.useful[3], facts)
    compare_planted("unequal", imbalances, [float(work) for work, _ in planted])
    threads = json.loads(run([ompreport, "ranks", "--format=json", trace]).stdout)["ranks"]
    waits = [{"time_ns": thread["imbalance_ns"], "number": thread["number"]} for thread in threads]
    compare_wait(waits, {"number": 2}, lost(imbalances))


def check_off():
    traced("calls", POMP_MPI="off")
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    if any(kind.startswith("Mpi") for kind in facts.events) or facts.waits:
        fail(f"POMP_MPI=off, but {facts.events}")
    check_threads(facts, 2, 2)
    shutil.rmtree(trace)
    with open(folder.name + "/filter", "w") as rules:
        rules.write("POMP_REGION_NAMES_BEGIN\nEXCLUDE MPI_Test* MPI_Isend\nPOMP_REGION_NAMES_END\n")
    done = traced("calls", POMP_FILTERING_FILE=folder.name + "/filter")
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    compare_counts(done.stdout, facts)
    names = {name for _, name, _ in facts.waits}
    if "MPI_Isend" in names or "MPI_Test" in names or "MPI_Irecv" not in names:
        fail(f"filtered, but {names}")


def check_fortran():
    """The same by `use mpi` and by `use mpi_f08`: 13 messages and 11 collective operations of each rank."""
    # The flag of MPI_Testany by mpi_f08 is true in Open MPI 6, and the index any, when nothing is complete.
    for flags in ([], ["-DF08"] + ["-DWITHOUT_TESTANY"] * (mpi == "openmpi")):
        build(flags)
        done = traced("", 3)
        facts = ranks_facts.Ranks(trace + "/traces.otf2")
        compare_counts(done.stdout, facts)
        facts.check_collectives()
        if facts.events["MpiCollectiveEnd"] != 10 * 3 or facts.events["NonBlockingCollectiveComplete"] != 3:
            fail(f"{flags}: {facts.events}")
        entered = {name for _, name, _ in facts.waits}
        if "the twin" not in facts.comm_names.values() or not {"MPI_Waitsome", "MPI_Comm_set_name"} <= entered:
            fail(f"{flags}: {facts.comm_names}, {entered}")
        shutil.rmtree(trace)


def check_summary():
    """One summary of all ranks, with the figures that their trace has."""
    done = launch("calls", 2, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=trace)
    if done.stderr.count("ompinst profile") != 1:
        fail(f"{done.stderr.count('ompinst profile')} summaries")
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    shutil.rmtree(trace)
    launch("calls", 2, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=trace, POMP_SUMMARY="output",
           POMP_SUMMARY_FORMAT="json")
    with open(folder.name + "/output") as file:
        output = json.load(file)
    visits = {region["sub_name"] or region["name"]: region["visits"] for region in output["regions"]}
    planted = {name: len(facts.enters[0, name]) + len(facts.enters[1, name])
               for name in ("MPI_Isend", "MPI_Sendrecv", "MPI_Barrier", "MPI_Waitall")}
    planted |= {"parallel": 2 * 2 * 2, "total": 2 * 2 * 2}
    if any(visits.get(name) != count for name, count in planted.items()):
        fail(f"summary {visits}, trace {planted}")
    # What ompreport makes of the same run: names and counts, for times are rounded.
    report = json.loads(run([ompreport, "summary", "--format=json", trace]).stdout)
    for table, count in (("regions", "visits"), ("locks", "acquisitions")):
        at_exit, later = (sorted((row["name"], row.get("sub_name"), row.get("begin_line"), row[count]) for row in data[table])
                          for data in (output, report))
        if at_exit != later or not later:
            fail(f"{table}: the exit summary has {at_exit}, ompreport {later}")


def check_share():
    """MPI's time is no serial part and no work: at exit and in the trace's summary it is the same, and named first."""
    for planted in ("late", "threads"):
        done = launch(planted, 2, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=trace, POMP_SUMMARY="output",
                      POMP_SUMMARY_FORMAT="json", OMP_WAIT_POLICY="passive")
        with open(folder.name + "/output") as file:
            output = json.load(file)
        report = json.loads(run([ompreport, "summary", "--format=json", trace]).stdout)
        shutil.rmtree(trace)
        parts, others = output["thread_time_ns"], report["thread_time_ns"]
        inside = sum(region["time_ns"] for region in output["regions"] if region["name"] == "mpi")
        if abs(parts["mpi"] - inside) > 2 * output["events"] + inside / 1000 or sum(parts.values()) != output["capacity_ns"]:
            fail(f"{planted}: calls of MPI took {inside} ns, the categories are {parts}")
        times = {name: (parts[name], others[name]) for name in ("useful", "sync", "management", "mpi")}
        times |= {name: (output[name], report[name]) for name in ("mpi_held_ns", "imbalance_ns", "parallel_ns")}
        for name, (one, other) in times.items():
            # MPI_Finalize has no end at exit; a nanosecond of rounding for each event.
            if abs(one - other) > 2 * output["events"] + max(one, other) / 500:
                fail(f"{planted}: {name}: {one} ns at exit, {other} ns from the trace")
        if planted == "late" and not output["advice"][0].startswith("MPI takes "):
            fail(f"{planted}: {output['advice']}\n{parts}")
        if planted == "late" and not report["advice"][0].startswith("MPI takes "):
            fail(f"{planted}: {report['advice']}\n{others}")
        # Thread 1, while its rank waits for a message.
        late = lost(float(text) for text in re.findall(r"late ([-.0-9]+)", done.stdout))
        if planted == "late" and (late < 100 or parts["mpi_idle"] < 0.9 * late * 1e6):
            fail(f"{planted}: {parts}\n{done.stdout}")


def launch_each(script, mode, ranks=2, code=0, **settings):
    """Starts each rank by a shell script, which knows its number as $rank."""
    with open(folder.name + "/start", "w") as file:
        file.write("rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n" + script)
    return run([*STARTER, str(ranks), "sh", "./start", mode], code, POMP_SUMMARY="off", POMP_ENABLE_TRACING="1",
               POMP_EXPERIMENT_DIRECTORY=trace, **settings)


def pomp_lines(done):
    return [line for line in done.stderr.splitlines() if "pomp" in line]


def launch_unlike(who, setting, ranks=3):
    """All ranks trace, but one of them has another setting. Returns what was printed, as by the same plain run."""
    shutil.rmtree(trace, ignore_errors=True)
    with open(folder.name + "/start", "w") as file:
        file.write("rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n"
                   f'[ "$rank" != {who} ] || export {setting}\nexec ./program calls\n')
    done = run([*STARTER, str(ranks), "sh", "./start"], POMP_SUMMARY=folder.name + "/output", POMP_SUMMARY_FORMAT="json",
               POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=trace)
    left = [path for path in os.listdir(folder.name) if path.startswith("trace") and path != "trace"]
    if left:
        fail(f"{setting} at rank {who}: left {left}")
    return done


def sends_by_number():
    """How many messages each rank of the archive sent. By otf2-print: python3-otf2 reads no group with an absent member."""
    printed, said = "", ""
    for options in ["-G"], []:
        done = run(["otf2-print", *options, trace + "/traces.otf2"])
        printed, said = printed + done.stdout, said + done.stderr
    if any("invalid rank in Group" not in line for line in said.splitlines()):
        fail(said)
    number = dict(re.findall(r'^LOCATION +(\d+) .*Group: "MPI Rank (\d+)"', printed, re.M))
    found = {int(rank): 0 for rank in number.values()}
    for location in re.findall(r"^MPI_I?SEND +(\d+) ", printed, re.M):
        found[int(number[location])] += 1
    return found


def check_unlike():
    """Ranks that are not measured alike: the program runs, one line, one archive and one summary of those that are."""
    plain = launch("calls", 3, POMP_DISABLE="1")
    shutil.rmtree(trace, ignore_errors=True)
    traced("calls", 3)
    sends = sends_by_number()
    cases = [(who, setting, [0, 1, 2], summed) for who in (0, 2)
             for setting, summed in (("POMP_ENABLE_TRACING=no", 3), ("POMP_DISABLE=1", 2), ("POMP_ENABLE_PROFILING=no", 2))]
    for who, setting, ranks, summed in cases if mpi == "openmpi" else cases[:2]:
        ranks = [rank for rank in ranks if rank != who or "PROFILING" in setting]
        done = launch_unlike(who, setting)
        if done.stdout != plain.stdout:
            fail(f"{setting} at rank {who}: printed {done.stdout!r}, else {plain.stdout!r}")
        lines = pomp_lines(done)
        if len(lines) != 1 or "not measured alike" not in lines[0]:
            fail(f"{setting} at rank {who}: said {lines}")
        if sends_by_number() != {rank: sends[rank] for rank in ranks}:
            fail(f"{setting} at rank {who}: sends {sends_by_number()}, of all ranks {sends}")
        with open(folder.name + "/output") as file:
            output = json.load(file)
        visits = [region["visits"] for region in output["regions"] if region["sub_name"] == "MPI_Init_thread"]
        if visits != [summed]:
            fail(f"{setting} at rank {who}: in the summary MPI_Init_thread has {visits} visits")
        info = json.loads(run([ompreport, "info", "--format=json", trace]).stdout)
        if info["processes"] != len(ranks) and info.get("lost_ranks", 0) + len(ranks) != 3:
            fail(f"{setting} at rank {who}: {info}")


def check_unlike_settings():
    """Settings in which ranks differ, though all trace: all are in the archive, and what that means is said."""
    plain = launch("calls", 3, POMP_DISABLE="1")
    cases = [("POMP_EXPERIMENT_DIRECTORY=" + folder.name + "/another", "POMP_EXPERIMENT_DIRECTORY differs"),
             ("POMP_EXPERIMENT_DIRECTORY=/proc/nowhere", "/proc/nowhere"), ("POMP_MPI=off", None),
             ("POMP_CONVERT=later", "POMP_CONVERT differs")]
    for setting, word in cases:
        for who in (0, 1) if "DIRECTORY" in setting else (0,):
            done = launch_unlike(who, setting)
            if done.stdout != plain.stdout:
                fail(f"{setting} at rank {who}: printed {done.stdout!r}, else {plain.stdout!r}")
            lines = [line for line in pomp_lines(done) if word is None or word not in line]
            if lines and not ("nowhere" in setting and who == 1):
                fail(f"{setting} at rank {who}: said {lines}")
            where = folder.name + "/another" if "another" in setting and who == 0 else trace
            if "later" in setting:
                run([ompreport, "recover", where])
            facts = ranks_facts.Ranks(where + "/traces.otf2")
            if facts.names != [f"MPI Rank {i}" for i in range(3)]:
                fail(f"{setting} at rank {who}: ranks {facts.names}")
            shutil.rmtree(where)


def check_apart():
    """Rank 0 was built without ompinst: the others do not wait for it, and their logs become one trace."""
    run([compiler, "-fopenmp", "-O1", source, "-o", "plain"])
    plain = run([*STARTER, "3", "./plain", "calls"])
    # By a script: Open MPI 5.0's mpirun may crash when it is given two programs.
    with open(folder.name + "/apart", "w") as file:
        file.write("[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 0 ] && exec ./plain calls\nexec ./program calls\n")
    starter = [*STARTER, "3", "sh", "./apart"]
    for settings in {"POMP_DISABLE": "1"}, {"POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": trace}:
        done = run(starter, POMP_MPI_TOGETHER="no", POMP_SUMMARY=folder.name + "/output", POMP_SUMMARY_FORMAT="json", **settings)
        if done.stdout != plain.stdout:
            fail(f"printed {done.stdout!r}, without ompinst {plain.stdout!r}")
        lines = pomp_lines(done)
        if len(lines) != (0 if "POMP_DISABLE" in settings else 1):
            fail(f"{settings}: said {lines}")
    for rank in 1, 2:
        with open(f"{folder.name}/output-{rank}") as file:
            json.load(file)
    output = run([ompreport, "recover", trace]).stdout
    sends = sends_by_number()
    if "in 2 ranks; 1 ranks left no logs" not in output or sorted(sends) != [1, 2] or 0 in sends.values():
        fail(f"{output}: {sends}")


def check_unwritable():
    """Rank 1 sees the folder of all, but cannot write there: the others' events are in the trace."""
    need_mounts()
    plain = launch("calls", 3, POMP_DISABLE="1")
    shared = folder.name + "/shared"
    os.mkdir(shared)
    global trace
    trace = shared + "/trace"
    # The program of rank 1 sees its folder become read-only before it starts.
    done = launch_each(f'[ "$rank" = 1 ] || exec ./program "$1"\nexec unshare -m sh -c "mount --bind {shared} {shared} && '
                       f'mount -o remount,ro,bind {shared} && exec ./program $1"\n', "calls", ranks=3)
    if done.stdout != plain.stdout:
        fail(f"printed {done.stdout!r}, else {plain.stdout!r}")
    lines = pomp_lines(done)
    if len(lines) != 1 or "rank 1: cannot write its event log" not in lines[0] or "lacks 1 of 3" not in lines[0]:
        fail(f"said {lines}")
    if sorted(sends_by_number()) != [0, 2]:
        fail(f"ranks {sends_by_number()}")


def check_machines():
    """Rank 1 has a clock of its own, 7 s and 200 ppm (400 us in this run) away and 60 us to and fro in each second.

    No message is early afterwards, in any run. The barriers depend on how undisturbed the comparisons of the clocks were:
    an error of half the fastest message to and fro is allowed, and on a busy machine that is more than SLACK. One of a
    few runs must be undisturbed; where the clocks' difference in pace is not taken out, every run has an error of 400 us.
    """
    for _ in range(5):
        early = run_on_two_machines()
        if early <= SLACK:
            return
        print(f"a barrier is left {early * 1e6:.0f} us before all are in")
    fail(f"in each run a barrier is left more than {SLACK * 1e6:.0f} us before all are in")


def run_on_two_machines():
    """Returns by how many seconds a rank leaves a barrier before the last one has entered it, at most."""
    shim = os.path.abspath(sys.argv[6])
    # Rank 1 is set never to compare clocks in between; what rank 0 was set to counts.
    done = launch_each(f'[ "$rank" = 0 ] || export LD_PRELOAD={shim} POMP_CLOCK_SYNC=0\nexec ./program "$1"\n', "long",
                       POMP_TIMER="clock_gettime", POMP_CLOCK_SYNC="1")
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    compare_counts(done.stdout, facts)
    # On a machine so busy that every message takes long none is; `ranks shift` always has some.
    print(f"early by the clocks alone: {facts.properties.get('POMP::EARLY_MESSAGES', 'none')}")
    hosts = {group.system_tree_parent.name for group in facts.groups}
    if len(hosts) != 2 or "another" not in hosts:
        fail(f"machines {hosts}")
    if "early" in done.stderr or "seem" in done.stderr:
        fail(done.stderr)
    shutil.rmtree(trace)
    enters, leaves = ([facts.visits(rank, "MPI_Barrier", end) for rank in (0, 1)] for end in (0, 1))
    return max(max(entered) - min(left) for entered, left in zip(zip(*enters), zip(*leaves))) / facts.resolution


def need_mounts():
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        print("mount namespaces cannot be made here")
        sys.exit(77)


def check_full():
    """No room on the disk: the program's result is the same, what happened is said, and the logs or their archive stay."""
    need_mounts()
    whole = launch("calls", POMP_DISABLE="1")
    small = folder.name + "/small"
    os.mkdir(small)
    global trace
    trace = small + "/trace"
    script = (f"mount -t tmpfs -o size=192k none {small} && {' '.join(STARTER)} {RANKS} ./program calls && "
              f"cp -r {trace} {folder.name}/kept")
    done = run(["unshare", "-m", "sh", "-c", script], POMP_SUMMARY="off", POMP_ENABLE_TRACING="1",
               POMP_EXPERIMENT_DIRECTORY=trace)
    if done.stdout != whole.stdout:
        fail(f"printed {done.stdout!r}, without measuring {whole.stdout!r}")
    kept = folder.name + "/kept"
    if "No space left" in done.stderr and os.path.exists(kept + "/traces.otf2"):
        run([ompreport, "check", kept])  # what was logged before the first rank stopped had room
        return
    # Whoever comes to the end of the room first says so.
    if not re.search(r"^pomp: rank [01]: \S+: No space left", done.stderr, re.M) or done.stderr.count("ompreport recover") != 1:
        fail(f"said {done.stderr}")
    output = run([ompreport, "recover", kept]).stdout
    if "in 2 ranks" not in output:
        fail(output)


def check_stopped():
    """
    Logs of ranks that stop at different times for want of room: the archive ends where the first of them stopped, whoever
    makes it, and breaks no rule: of what is under way then, as a message that is received last, the end is not known.
    """
    lost = {}
    for size in (200, 400, 0):
        for convert in ("exit", "later"):
            done = traced("stopped", RANKS, POMP_MAX_TRACE_SIZE=f"{size}K", POMP_CONVERT=convert)
            if convert == "later":
                run([ompreport, "recover", trace])
            checked = run([ompreport, "check", "--format=json", trace], None)
            severities = {row["rule"]: row["severity"] for row in json.loads(checked.stdout)["check"]}
            if set(severities.values()) - {"undecided"} or ("unreceived" in severities) != (size > 0):
                fail(f"{size}K, {convert}:\n{checked.stdout}{checked.stderr}")
            facts = ranks_facts.Ranks(trace + "/traces.otf2")
            lost[size, convert] = int(facts.properties["POMP::LOST_EVENTS"])
            if size == 0:
                compare_counts(done.stdout, facts)
                facts.check_collectives()
            else:
                facts.check_messages(partial=True)
            shutil.rmtree(trace)
    if any((count > 0) != (size > 0) for (size, _), count in lost.items()):
        fail(f"events lost by limit: {lost}")


def check_scattered():
    """Rank 1 sees another folder by the same name: one line, and logs to gather."""
    other = folder.name + "/other"
    here = folder.name + "/here"
    os.mkdir(other)
    os.mkdir(here)
    need_mounts()
    global trace
    trace = here + "/trace"
    done = launch_each(f'[ "$rank" = 0 ] || exec unshare -m sh -c '
                       f'"mount --bind {other} {here} && exec ./program $1"\nexec ./program "$1"\n', "calls")
    lines = [line for line in done.stderr.splitlines() if "pomp" in line]
    if len(lines) != 1 or "gather" not in lines[0]:
        fail(f"said {lines}")
    shutil.move(other + "/trace/rank-000001", trace)
    run([ompreport, "recover", trace])
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    compare_counts(done.stdout, facts)
    facts.check_collectives()
    shutil.rmtree(trace)
    trace = "/proc/nowhere"
    done = traced("calls")
    lines = [line for line in done.stderr.splitlines() if "pomp" in line]
    if len(lines) != 1 or "/proc/nowhere" not in lines[0]:
        fail(f"said {lines}")


if source.endswith(".F90"):
    compiler = shutil.which("mpif90." + mpi)
    if compiler is None or shutil.which("gfortran") is None:
        print("mpif90 or gfortran is missing")
        sys.exit(77)
if mode != "fortran":
    build()
checks = {"calls": check_calls, "more": check_more, "threads": check_threads_mode, "later": check_later,
          "killed": check_killed, "interrupted": check_interrupted, "abort": check_abort, "late": check_late, "off": check_off,
          "fortran": check_fortran, "machines": check_machines, "scattered": check_scattered,
          "unlike": check_unlike, "settings": check_unlike_settings, "unwritable": check_unwritable,
          "apart": check_apart, "reports": check_reports,
          "summary": check_summary, "share": check_share, "full": check_full, "stopped": check_stopped, "hosts": check_hosts}
try:
    checks[mode]()
except SystemExit as failure:
    if failure.code != 77:
        need_launcher()
    raise
