/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline's data as written by page_write_stretches(): each lane is a sequence of runs, found by their begins.
 * Times are in the data's units.
 */
"use strict";

/*
 * Share tables for all lanes that use this object; equal tables are stored once. A table contains each activity's
 * share of a run.
 */
class Mixes {
	constructor(activities) {
		this.activities = activities;
		this.tables = [];
		this.numbers = new Map();
	}

	/* key: derived only from the bytes from first to before end. */
	numberOf(key, bytes, first, end) {
		let number = this.numbers.get(key);
		if (number === undefined) {
			const table = new Float32Array(this.activities);
			for (let i = first; i < end; i++)
				table[bytes.charCodeAt(i) & 15] = ((bytes.charCodeAt(i) >> 4) + 1) / 16;
			number = this.tables.length;
			this.tables.push(table);
			this.numbers.set(key, number);
		}
		return number;
	}
}

/* A lane's runs. `begins` has an additional element: the end of the last run. */
function decodeLane(text, mixes) {
	const bytes = atob(text);
	/* A run has at least three bytes. */
	const room = Math.ceil(bytes.length / 3);
	const begins = new Float64Array(room + 1), numbers = new Uint32Array(room), constructs = new Int32Array(room);
	let at = 0, begin = 0, count = 0;

	function next() {
		let number = 0;
		for (let scale = 1; ; scale *= 128) {
			const byte = bytes.charCodeAt(at++);
			number += (byte & 127) * scale;
			if (byte < 128)
				return number;
		}
	}

	while (at < bytes.length) {
		begin += next();
		const first = at;
		let key = 0;
		for (let parts = 0; parts < 16; at++) {
			const byte = bytes.charCodeAt(at);
			parts += (byte >> 4) + 1;
			key = key * 256 + byte;
		}
		/* Up to six bytes are an exact number, more are a text. */
		numbers[count] = mixes.numberOf(at - first > 6 ? bytes.slice(first, at) : key, bytes, first, at);
		constructs[count] = next() - 1;
		begins[++count] = begin;
	}
	return { mixes, begins: begins.slice(0, count + 1), numbers: numbers.slice(0, count), constructs: constructs.slice(0, count) };
}

/* The run at that time. */
function runAt(lane, time) {
	let low = 0, high = lane.numbers.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (lane.begins[middle] <= time)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/*
 * The shares of the activities in each of `columns` equal parts of the time from `from` to `to`, over the lanes:
 * shares[column * activities + activity].
 */
function sharesOf(lanes, from, to, columns, shares) {
	shares.fill(0);
	for (const lane of lanes)
		addShares(lane, from, to, columns, shares, 1 / lanes.length);
}

function addShares(lane, from, to, columns, shares, weight) {
	const activities = lane.mixes.activities, width = (to - from) / columns;

	function add(column, table, part) {
		for (let i = 0; i < activities; i++)
			shares[column * activities + i] += table[i] * part * weight;
	}

	for (let run = runAt(lane, from); run < lane.numbers.length && lane.begins[run] < to; run++) {
		const begin = (Math.max(lane.begins[run], from) - from) / width;
		const end = (Math.min(lane.begins[run + 1], to) - from) / width;
		const table = lane.mixes.tables[lane.numbers[run]];
		const last = Math.min(columns - 1, Math.floor(end));
		let column = Math.floor(begin);
		if (column >= last) {
			add(last, table, end - begin);
			continue;
		}
		add(column, table, column + 1 - begin);
		while (++column < last)
			add(column, table, 1);
		add(last, table, end - last);
	}
}
