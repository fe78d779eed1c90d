/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data of each rank as written by rank_data_write(), and pictures of it. A rank is its index; its number is what
 * ompreport's --rank takes. Times are in ns.
 */
"use strict";

/* The eighths of a step's height that an activity takes. */
const MIX_PARTS = 8;

class RankData {
	constructor(data) {
		Object.assign(this, { one: data.one, several: data.several, wall: data.wall, begin: data.begin,
			length: data.length, steps: data.steps, activities: data.activities, order: data.order, waits: data.waits,
			parts: data.parts, pace: data.pace, labels: data.labels, archive: data.archive });
		this.threads = this.read(data.threads);
		this.count = this.threads.length;
		this.numbers = this.read(data.numbers);
		for (let i = 1; i < this.count; i++)
			this.numbers[i] += this.numbers[i - 1];
		this.places = this.read(data.places);
		this.groups = this.read(data.groups);
		this.times = this.read(data.times);
		this.threadTimes = data.thread_times ? this.read(data.thread_times) : null;
		this.mixes = this.readMixes(data.mixes);
		this.readRows(data.rows);
		/* By number: the rank. */
		this.index = new Map(this.numbers.map((number, rank) => [number, rank]));
		this.firstThread = [];
		for (let rank = 0, first = 0; rank < this.count; first += this.threads[rank++])
			this.firstThread.push(first);
	}

	read(text) {
		const bytes = new ByteReader(text), numbers = [];
		while (!bytes.ended)
			numbers.push(bytes.next());
		return numbers;
	}

	/* By mix: the eighths of each activity. */
	readMixes(text) {
		const mixes = [];
		for (let bytes = atob(text), at = 0; at < bytes.length;) {
			const mix = new Uint8Array(this.activities.length);
			for (let parts = 0; parts < MIX_PARTS; at++) {
				const byte = bytes.charCodeAt(at);
				mix[byte & 15] = (byte >> 4) + 1;
				parts += mix[byte & 15];
			}
			mixes.push(mix);
		}
		return mixes;
	}

	/* Ranks x steps: the index of a mix. */
	readRows(text) {
		const bytes = new ByteReader(text);
		this.cells = new Uint16Array(this.count * this.steps);
		for (let at = 0; at < this.cells.length && !bytes.ended;) {
			const number = bytes.next();
			if (number > 0) {
				this.cells[at++] = number - 1;
				continue;
			}
			const more = bytes.next();
			this.cells.fill(this.cells[at - 1], at, at + more);
			at += more;
		}
	}

	nameOf(rank) {
		return `${this.one} ${this.numbers[rank]}`;
	}

	/* The host that it ran on, or "" if that is known anyway. */
	labelOf(rank) {
		return this.places[rank] > 0 && this.labels.length > 1 ? this.labels[this.places[rank] - 1] : "";
	}

	timeOf(rank, part) {
		return this.times[rank * this.parts.length + part];
	}

	/* Of the wall time, the mean of the rank's threads. */
	shareOf(rank, part) {
		return this.wall > 0 ? this.timeOf(rank, part) / this.threads[rank] / this.wall : 0;
	}

	/* The mean share of the ranks, their least and their most. */
	rangeOf(ranks, part) {
		const range = { mean: 0, least: Infinity, most: 0 };
		for (const rank of ranks) {
			const share = this.shareOf(rank, part);
			range.mean += share / ranks.length;
			range.least = Math.min(range.least, share);
			range.most = Math.max(range.most, share);
		}
		return range;
	}
}

/* The fill styles of each activity, in the colours of now. */
function fillsOf(data, pen) {
	const style = getComputedStyle(document.documentElement), dense = window.devicePixelRatio || 1;
	const hatch = hatchOf(pen, style.getPropertyValue("--hatch"), dense);
	return data.activities.map(([css], activity) =>
		[style.getPropertyValue("--" + css), ...data.waits.includes(activity) ? [hatch] : []]);
}

/* By column and activity, the parts of the height that all activities up to this one take: the mean of the column's steps. */
function heightsOf(data, rank, columns) {
	const activities = data.order.length, heights = new Float32Array(columns * activities);
	for (let column = 0; column < columns; column++) {
		const first = Math.floor(column * data.steps / columns), end = Math.floor((column + 1) * data.steps / columns);
		for (let step = first; step < end; step++) {
			const mix = data.mixes[data.cells[rank * data.steps + step]];
			let below = 0;
			for (let i = 0; i < activities; i++) {
				below += mix[data.order[i]];
				heights[column * activities + i] += below / MIX_PARTS / (end - first);
			}
		}
	}
	return heights;
}

/* Draws what the rank does over time, as large as the canvas is shown. Equal neighbours are one rectangle. */
function drawRank(canvas, data, rank) {
	const dense = window.devicePixelRatio || 1, pen = canvas.getContext("2d"), activities = data.order.length;
	const width = canvas.width = Math.round(canvas.clientWidth * dense), height = canvas.height = Math.round(canvas.clientHeight * dense);
	const columns = Math.max(1, Math.min(data.steps, width)), fills = fillsOf(data, pen), heights = heightsOf(data, rank, columns);
	const same = (one, other) => {
		for (let i = 0; i < activities; i++)
			if (heights[one * activities + i] !== heights[other * activities + i])
				return false;
		return true;
	};
	for (let begin = 0, end; begin < columns; begin = end) {
		for (end = begin + 1; end < columns && same(begin, end);)
			end++;
		const left = Math.round(begin * width / columns), right = Math.round(end * width / columns);
		let bottom = height;
		for (let i = 0; i < activities; i++) {
			const top = height - Math.round(heights[begin * activities + i] * height);
			for (const fill of bottom > top ? fills[data.order[i]] : []) {
				pen.fillStyle = fill;
				pen.fillRect(left, top, right - left, bottom - top);
			}
			bottom = top;
		}
	}
}

function formatShare(share) {
	return (share * 100).toFixed(1) + "%";
}

/* A time in ns with three digits behind the point. */
function formatNanoseconds(time) {
	return formatTime(time / 1e9, Math.max(time, 1) / 1e12);
}
