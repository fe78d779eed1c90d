/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which threads ended waits: the last thread to arrive at a barrier, the holder of a lock, the thread that created
 * or completed a task. If there are few waits in view, arrows lead from there to their ends; for the wait under the
 * pointer there is also a text.
 */
"use strict";

/* If there are more waits than this in view, none has an arrow; nor has a wait of fewer pixels than ENDS_WIDTH. */
const ENDS_MAX = 100, ENDS_WIDTH = 4;

class WaitEnds {
	/* ends: by lane, as written by page_write_run(). */
	constructor(ends) {
		this.texts = ends;
		this.decoded = [];
	}

	/* Decoded when first needed; null if nothing is known for the lane. */
	laneOf(number) {
		if (this.texts[number] === undefined)
			return null;
		if (this.decoded[number])
			return this.decoded[number];
		const reader = new ByteReader(this.texts[number]), lane = { ends: [], threads: [], times: [] };
		let end = 0;
		while (!reader.ended) {
			end += reader.next();
			lane.ends.push(end);
			lane.threads.push(reader.next());
			lane.times.push(end - reader.nextSigned());
		}
		this.decoded[number] = lane;
		return lane;
	}

	/*
	 * The thread that ended the wait with that end, and when; null if the wait ended by itself or that is
	 * unknown.
	 */
	find(lane, end) {
		const ends = this.laneOf(lane);
		const at = ends ? firstAfter(ends.ends, end - 1) : 0;
		return ends && ends.ends[at] === end ? { thread: ends.threads[at], time: ends.times[at] } : null;
	}

	textOf(timeline, lane, run) {
		const ended = this.isWait(timeline, lane, run) && this.find(lane.index, lane.begins[run + 1]);
		if (!ended)
			return "";
		const step = (lane.begins[run + 1] - lane.begins[run]) * timeline.data.unit / 1000;
		return `\nended by ${timeline.data.labels[ended.thread]} at ${formatTime(timeline.secondsAt(ended.time), step)}`;
	}

	/* Whether the run contains a single activity that is not idle time. */
	isWait(timeline, lane, run) {
		return lane.mixes.tables[lane.numbers[run]][0] < 1;
	}

	/* The waits that end in view, each with its lane's row. */
	inView(timeline, from, to) {
		const found = [];
		timeline.rows.forEach(({ lanes }, row) => {
			const ends = lanes.length === 1 && this.laneOf(lanes[0].index);
			for (let i = ends ? firstAfter(ends.ends, from) : 0; ends && i < ends.ends.length && ends.ends[i] <= to; i++) {
				found.push({ row, end: ends.ends[i], thread: ends.threads[i], time: ends.times[i],
					begin: lanes[0].begins[runAt(lanes[0], ends.ends[i] - 1)] });
				if (found.length > ENDS_MAX)
					return;
			}
		});
		return found;
	}

	draw(timeline, pen, from, to, dense) {
		if (timeline.lines === 0)
			return;
		const found = this.inView(timeline, from, to);
		if (found.length > ENDS_MAX)
			return;
		const scale = pen.canvas.width / (to - from), height = pen.canvas.height / timeline.rows.length;
		const middle = timeline.laneHeight(dense) / 2;
		const rowOf = new Map();
		timeline.rows.forEach(({ lanes }, row) => lanes.forEach(({ index }) => rowOf.set(index, row)));
		const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink");
		pen.strokeStyle = pen.fillStyle = ink;
		pen.lineWidth = 1.5 * dense;
		this.drawn = [];
		for (const { row, begin, end, thread, time } of found) {
			if ((end - begin) * scale < ENDS_WIDTH * dense || !rowOf.has(thread))
				continue;
			const line = [(time - from) * scale, rowOf.get(thread) * height + middle, (end - from) * scale, row * height + middle];
			drawArrow(pen, line, dense);
			this.drawn.push(line);
		}
	}
}

/* A line with an arrowhead at its end. */
function drawArrow(pen, [fromX, fromY, toX, toY], dense) {
	const angle = Math.atan2(toY - fromY, toX - fromX), size = 6 * dense;
	pen.beginPath();
	pen.moveTo(fromX, fromY);
	pen.lineTo(toX, toY);
	pen.stroke();
	pen.beginPath();
	pen.moveTo(toX, toY);
	for (const turn of [2.7, -2.7])
		pen.lineTo(toX + size * Math.cos(angle + turn), toY + size * Math.sin(angle + turn));
	pen.fill();
}
