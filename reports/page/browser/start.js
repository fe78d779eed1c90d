/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the parts of the page. Without D3 the timeline stays a picture, and nothing else depends on it. */
"use strict";

function parseBlock(id) {
	const block = document.getElementById(id);
	return block && JSON.parse(block.textContent);
}

function startTimeline() {
	const view = document.querySelector(".lanes"), data = parseBlock("timeline-data");
	if (!view || !data || !window.d3)
		return null;
	const run = parseBlock("run-data");
	const timeline = new Timeline(view, data);
	let marks = null;
	const barLayer = run.events
		? new BarLayer(() => new Bars(run, timeline.lanes.length, data.units), () => marks ? marks.construct : -1) : null;
	if (barLayer)
		timeline.overlays.push(barLayer);
	timeline.overlays.push(new WaitEnds(run.ends));
	const table = document.querySelector("section[aria-labelledby=regions] table");
	if (table)
		marks = new Marks(timeline, table, barLayer);
	const selection = marks && engineCode && run.definitions ? new Selection(timeline, run, marks) : null;
	const address = marks ? new Address(timeline, marks, selection) : null;
	return { timeline, marks, barLayer, selection, address };
}

const pageParts = startTimeline();
