# SPDX-License-Identifier: BSD-3-Clause
"""The page of many ranks: the data in it is what rank-archive says and what `ompreport ranks` prints, its groups are of these ranks,
it says what it leaves out, and stays small for 4,096 ranks, in tools/test full for 16,384, with little memory. `html --rank` reads one rank.

Usage: check-rank-page.py OMPREPORT MAKE_ARCHIVE RANK_ARCHIVE
"""
import json
import os
import re
import resource
import subprocess
import sys

from page_text import Page, check_self_contained
from rank_page import RankPage
from tables import IS_FULL, OMPREPORT, TIME_LIMITS, expect, expect_values, finish, run

RANK_ARCHIVE = sys.argv[3]
# From how `ranks` calls its columns to how the page calls its parts.
PARTS = {"computation_ns": "computation", "barrier_ns": "barriers", "team_ns": "team", "mpi_wait_ns": "MPI wait", "mpi_transfer_ns": "MPI transfer",
         "idle_ns": "idle"}
MIB = 1 << 20


def write(folder, *sizes):
    """The archive of so many ranks, threads and events, and what is known of it."""
    path = folder / "x".join(map(str, sizes))
    done = subprocess.run([RANK_ARCHIVE, path, *map(str, sizes)], check=True, stdout=subprocess.PIPE, timeout=120 * TIME_LIMITS)
    return path, json.loads(done.stdout)


def page_of(path, *options):
    return RankPage(run("html", "-o", "-", *options, path))


def check_sums(path, known, page):
    """What rank-archive knows, and the figures of each rank and thread."""
    where = path.name
    expect_values(where, {"wall_ns": page.data["wall"], "barrier_ns": page.sum("barriers") if "barriers" in page.parts else 0,
                          "late_sender_ns": page.sum("MPI wait") - known["collective_ns"]}, {key: known[key] for key in
                         ("wall_ns", "barrier_ns", "late_sender_ns")})
    table = json.loads(run("ranks", "--format=json", path))["ranks"]
    expect(page.numbers == sorted({row["rank"] for row in table}), f"{where}: other ranks")
    expect([sum(row["rank"] == rank for row in table) for rank in page.numbers[:50]] == page.threads[:50], f"{where}: other numbers of threads")
    sums = {}
    for row in table:
        for key, part in PARTS.items():
            sums[row["rank"], part] = sums.get((row["rank"], part), 0) + row[key]
    for column, part in enumerate(page.parts):
        found = [times[column] for times in page.times]
        expect(found == [sums[rank, part] for rank in page.numbers], f"{where}: {part}: {found[:5]}")
    expect(all(part in page.parts or not any(sums[rank, part] for rank in page.numbers) for part in PARTS.values()), f"{where}: {page.parts}")
    if page.thread_times is None:
        expect(set(page.threads) == {1}, f"{where}: no times of threads")
    else:
        keys = {part: key for key, part in PARTS.items()}
        expect(page.thread_times == [[row[keys[part]] for part in page.parts] for row in table], f"{where}: times of threads")


def check_rows(path, page):
    """A rank's row of time has as much of each activity as its times, and no rank has another one's."""
    data = page.data
    step = data["length"] / data["steps"]
    expect({len(row) for row in page.rows} == {data["steps"]} and len(page.rows) == len(page.numbers), f"{path.name}: rows")
    for rank, row in enumerate(page.rows):
        for css, parts in (("work", ["computation"]), ("barrier", ["barriers"]), ("mpi", ["MPI wait", "MPI transfer"]), ("none", ["idle"])):
            drawn = sum(mix[page.activities.index(css)] for mix in row) / 8 * step
            wanted = sum(page.times[rank][page.parts.index(part)] for part in parts if part in page.parts) / page.threads[rank]
            expect(abs(drawn - wanted) < step, f"{path.name}: rank {rank}, {css}: {drawn:.0f} ns drawn, {wanted:.0f} measured")
    uses = {}
    for row in page.rows:
        for mix in row:
            uses[tuple(mix)] = uses.get(tuple(mix), 0) + 1
    expect(page.mix_count == len(uses), f"{path.name}: {page.mix_count} mixes, {len(uses)} in use")


def percent(text):
    return float(text.rstrip("%"))


def check_table(path, page):
    """The table, which needs no script: each rank is in one group; least, mean and most are those of its ranks, and so are both ends."""
    section = page.text[page.text.index('<table class="groups">'):]
    rows = re.findall(r"<tr data-group=.*?</tr>", section[:section.index("</table>")], re.S)
    expect(2 < len(rows) <= 12 and len(rows) == len(set(page.groups)), f"{path.name}: {len(rows)} groups")
    pace = page.parts[page.data["pace"]]
    expect(pace == "MPI wait", f"{path.name}: slow by {pace}")
    for group, row in enumerate(rows):
        where = f"{path.name}, group {group}"
        ranks = [rank for rank, of in enumerate(page.groups) if of == group]
        expect(f"<summary>{len(ranks):,} rank" in row, f"{where}: not of {len(ranks)}: {row[:90]}")
        if len(ranks) < 150:
            said = re.search(r"</summary>ranks? (.*?)</details>", row).group(1)
            members = [number for part in said.split(", ") for number in range(int(part.split(" to ")[0]), int(part.split(" to ")[-1]) + 1)]
            expect(members == [page.numbers[rank] for rank in ranks], f"{where}: members {said[:80]}")
        cells = re.findall(r'<td data-v="([^"]*)">([^<]*)<small>([^<]*)</small>', row)
        expect(len(cells) == len(page.parts), f"{where}: {cells}")
        for part, (exact, mean, ends) in zip(page.parts, cells):
            shares = [page.share(rank, part) * 100 for rank in ranks]
            expect(abs(float(exact) * 100 - sum(shares) / len(shares)) < 0.01 and abs(percent(mean) - float(exact) * 100) < 0.06,
                   f"{where}: {part}: mean {exact}, {mean}")
            least, most = map(percent, ends.split(" to ")) if " to " in ends else (percent(mean), percent(mean))
            expect(abs(least - min(shares)) < 0.06 and abs(most - max(shares)) < 0.06, f"{where}: {part}: {ends} of {min(shares)} to {max(shares)}")
        found = [int(rank) for rank in re.findall(r'data-rank="(\d+)"', row)]
        waits = {rank: page.share(rank, pace) for rank in ranks}
        wanted = [min(ranks, key=lambda rank: (-waits[rank], rank)), min(ranks, key=lambda rank: (waits[rank], rank))]
        expect(found == (wanted if len(set(waits.values())) > 1 else []), f"{where}: fastest and slowest are {found}, not {wanted}")
        expect(f"rank {page.numbers[wanted[0]]}<" in row or not found, f"{where}: no name of {wanted[0]}")


def check_data(folder):
    for sizes in ((300, 3, 300), (257, 1, 100), *([(1024, 2, 60)] if IS_FULL else [])):
        path, known = write(folder, *sizes)
        page = page_of(path)
        check_sums(path, known, page)
        check_rows(path, page)
        check_table(path, page)
        expect(run("html", "-o", "-", "--jobs=1", path) == run("html", "-o", "-", "--jobs=3", path) == page.text, f"{sizes}: not the same for other jobs")
        for words in ("no timeline to zoom into", "no selections", "no messages as lines", "<code>ompreport html --rank="):
            expect(words in page.text, f"{sizes}: does not say: {words}")
        expect('<h2 id="path">' in page.text, f"{sizes}: no critical path")


def check_limits(folder):
    """From 257 ranks on, or 4,097 threads of several; with fewer the page has the timeline, and nothing of groups."""
    for sizes, groups in (((256, 1, 20), False), ((257, 1, 20), True), ((32, 128, 20), False), ((33, 128, 20), True)):
        path, _ = write(folder, *sizes)
        page = page_of(path)
        expect((page.data is not None) == groups, f"{sizes}: groups: {page.data is not None}")
        expect(('id="timeline-data"' in page.text) != groups, f"{sizes}: timeline")
        expect(("class RankGroups" in page.text) == groups and (".rank-groups" in page.text) == groups, f"{sizes}: the script of groups")
    # A part of the run: half the wall time.
    path, known = write(folder, 300, 1, 100)
    part = page_of(path, f"--to={known['wall_ns'] // 2}ns")
    expect(part.data["wall"] == known["wall_ns"] // 2 and abs(sum(part.times[7]) - part.data["wall"]) < 10, f"a part: {part.data['wall']}, {part.times[7]}")


def check_small(folder):
    """Many ranks: a page of less than 5 MB, with a third of the memory that all open locations would take; it loads nothing."""
    sanitized = os.environ.get("SANITIZED") == "1"  # then no limit of memory, and it takes five times as long
    ranks = 512 if sanitized else 16384 if IS_FULL else 4096
    most = (384 if ranks == 4096 else 1536) * MIB
    path, known = write(folder, ranks, 1, 60)

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    done = subprocess.run([OMPREPORT, "html", "--jobs=1", "-o", "-", path], capture_output=True, timeout=120 * TIME_LIMITS,
                          preexec_fn=None if sanitized else limit)
    expect(done.returncode == 0 and not done.stderr, f"{ranks} ranks: {done.returncode}, {done.stderr[:300]}")
    page = RankPage(done.stdout.decode())
    expect(len(page.text) < 5_000_000, f"{ranks} ranks: {len(page.text)} characters")
    expect(page.text.count("<tr") < 1000, f"{ranks} ranks: {page.text.count('<tr')} rows of tables")
    expect(page.sum("MPI wait") == known["late_sender_ns"] + known["collective_ns"] and len(page.rows) == ranks, f"{ranks} ranks: {known}")
    text = re.sub(r'<script type="application/json" id="rank-data">.*?</script>', "", page.text, flags=re.S)
    check_self_contained(f"{ranks} ranks", Page(text))


def check_one_rank(folder):
    """Only the files of the rank are needed; the page says what it cannot know, and has what the large one leaves out."""
    path, _ = write(folder, 300, 3, 300)
    whole = page_of(path)
    for file in (path / "traces").glob("*"):
        if int(file.stem) // 3 != 17:
            file.unlink()
    out = run("html", "--rank=17", path)
    expect(out.strip() == str(path / "rank-17.html"), f"one rank: says {out!r}")
    text = (path / "rank-17.html").read_text("utf-8")
    check_self_contained("one rank", Page(text))
    for words in ("rank 17 (machine) of 300", "only its events were read", "counts as transfer", 'id="timeline-data"', "<h2 id=\"path\">"):
        expect(words in text, f"one rank: no {words!r}")
    for words in ('id="rank-data"', 'id="ranks"', 'id="like-ranks"', 'id="matrix"', 'id="hybrid"', "waits for other ranks"):
        expect(words not in text, f"one rank: {words!r}")
    data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', text, re.S).group(1))
    expect(len(data["lanes"]) == 3 and [name for name, *_ in data["headings"]] == ["rank 17 (machine)"], f"one rank: {data['headings']}, {len(data['lanes'])}")
    row = Page(text).columns("threads")
    work = whole.thread_times[17 * 3 + 1][whole.parts.index("computation")]
    expect(len(row) == 3 and list(row)[1].startswith("rank 17, "), f"one rank: threads {list(row)}")
    expect([int(values[2]) for values in Page(text).values["threads"][2:3]] == [work], f"one rank: {Page(text).values['threads']}, not {work}")
    run("html", "--rank=300", path, status=2, error="--rank='300': there is no such rank with threads; expected one of 0 to 299")
    run("html", "--rank=x", path, status=2, error="'--rank=x': expected a rank's number")
    run("html", "--rank=1", path, path, status=2, error="--rank: 2 archives; expected one")
    expect(run("html", "-o", "-", "--rank=17", "--from=100us", path).count('id="timeline-data"') == 1, "one rank: a part of its time")


finish(check_data, check_limits, check_small, check_one_rank)
