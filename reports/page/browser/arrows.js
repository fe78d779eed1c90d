/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages as lines between the rows that sent and received them, if there are few enough to distinguish. */
"use strict";

const ARROWS_MAX = 400;

/* Draws them on the canvas for the time between from and to; returns how many are in view, drawn or not. */
function drawArrows(pen, arrows, rows, lanes, from, to, canvas, colour) {
	const seen = arrows.filter(([sent, received]) => received >= from && sent <= to);
	if (seen.length === 0 || seen.length > ARROWS_MAX)
		return seen.length;
	/* A closed heading's row contains all of its lanes. */
	const places = new Map();
	rows.forEach((row, place) => row.lanes.forEach(lane => places.set(lane, place)));
	const height = canvas.height / rows.length, scale = canvas.width / (to - from);
	pen.strokeStyle = colour;
	pen.fillStyle = colour;
	pen.lineWidth = Math.max(1, height / 24);
	pen.beginPath();
	for (const [sent, received, sender, receiver] of seen) {
		const x = (received - from) * scale, y = (places.get(lanes[receiver]) + 0.4) * height;
		pen.moveTo((sent - from) * scale, (places.get(lanes[sender]) + 0.4) * height);
		pen.lineTo(x, y);
		pen.moveTo(x + 3, y);
		pen.arc(x, y, 3, 0, 2 * Math.PI);
	}
	pen.stroke();
	return seen.length;
}
