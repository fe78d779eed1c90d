/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page can do beyond being read: sorting tables, and telling what the timeline shows. */
"use strict";

/* A column is sorted by its cells' data-v where they have it, else by their text. */
function valueOf(row, column) {
	const cell = row.cells[column];
	return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
}

function compare(one, other) {
	if (typeof one === "number" && typeof other === "number")
		return one - other;
	return String(one).localeCompare(String(other), undefined, { numeric: true });
}

function sortBy(table, heading, column) {
	const names = typeof valueOf(table.tBodies[0].rows[0], column) === "string";
	const descending = heading.ariaSort ? heading.ariaSort === "ascending" : !names;
	const rows = [...table.tBodies[0].rows];
	rows.sort((one, other) => compare(valueOf(one, column), valueOf(other, column)) * (descending ? -1 : 1));
	for (const other of table.tHead.rows[0].cells)
		other.removeAttribute("aria-sort");
	heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
	table.tBodies[0].append(...rows);
}

for (const table of document.querySelectorAll("table.sortable")) {
	[...table.tHead.rows[0].cells].forEach((heading, column) => {
		const button = document.createElement("button");
		button.textContent = heading.textContent;
		button.addEventListener("click", () => sortBy(table, heading, column));
		heading.replaceChildren(button);
	});
}

const lanes = document.querySelector(".lanes");
const data = document.getElementById("timeline-data");
if (lanes && data)
	startTimeline(lanes, JSON.parse(data.textContent));

/* Rows are runs of [bins, activity, construct], one after the other. */
function startTimeline(lanes, timeline) {
	const tip = document.createElement("div");
	let row = 0, bin = 0;
	tip.id = "tip";
	tip.hidden = true;
	tip.setAttribute("role", "status");
	document.body.append(tip);

	function runAt(row, bin) {
		const runs = timeline.rows[row];
		for (let i = 0, begin = 0; i < runs.length; i += 3) {
			if (bin < begin + runs[i])
				return { begin, end: begin + runs[i], activity: runs[i + 1], construct: runs[i + 2] };
			begin += runs[i];
		}
		return null;
	}

	function time(bin) {
		const seconds = Math.min(bin * timeline.binSeconds, timeline.seconds);
		for (const [unit, scale] of [["s", 1], ["ms", 1e-3], ["us", 1e-6]]) {
			if (seconds >= scale)
				return (seconds / scale).toPrecision(4) + " " + unit;
		}
		return (seconds * 1e9).toFixed(0) + " ns";
	}

	function show(x, y) {
		const run = runAt(row, bin);
		if (!run)
			return;
		const construct = run.construct < 0 ? "" : "\n" + timeline.constructs[run.construct];
		tip.textContent = timeline.labels[row] + ", " + time(run.begin) + " to " + time(run.end) + "\nmostly " +
			timeline.activities[run.activity] + construct;
		tip.hidden = false;
		const box = tip.getBoundingClientRect();
		tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - box.width - 8)) + "px";
		tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18) + "px";
	}

	lanes.addEventListener("pointermove", event => {
		const box = lanes.getBoundingClientRect();
		row = Math.floor((event.clientY - box.top) / box.height * timeline.rows.length);
		bin = Math.floor((event.clientX - box.left) / box.width * timeline.bins);
		if (row >= 0 && row < timeline.rows.length)
			show(event.clientX, event.clientY);
	});
	lanes.addEventListener("pointerleave", () => tip.hidden = true);
	lanes.addEventListener("blur", () => tip.hidden = true);

	/* Keys: to the next or previous change of the thread, or to another thread. */
	lanes.tabIndex = 0;
	lanes.addEventListener("keydown", event => {
		const run = runAt(row, bin);
		const before = run && run.begin > 0 ? runAt(row, run.begin - 1).begin : 0;
		if (event.key === "ArrowRight" && run)
			bin = Math.min(run.end, timeline.bins - 1);
		else if (event.key === "ArrowLeft")
			bin = before;
		else if (event.key === "ArrowDown")
			row = Math.min(row + 1, timeline.rows.length - 1);
		else if (event.key === "ArrowUp")
			row = Math.max(row - 1, 0);
		else
			return;
		event.preventDefault();
		const box = lanes.getBoundingClientRect();
		show(box.left + box.width * bin / timeline.bins,
			box.top + box.height * (row + 0.5) / timeline.rows.length);
	});
}
