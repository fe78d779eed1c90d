/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The regions that threads are in, as nested bars, from the recorded events. A level contains the bars of one
 * depth, one after the other. What a task enters lies below what its thread was in. Bars have their names if there
 * is room.
 */
"use strict";

/* More bars than this in view cannot be distinguished, and there is no room for deeper ones. */
const BARS_MAX = 1500, LEVELS_MAX = 6;
/* Regions deeper than this are not kept. */
const LEVELS_KEPT = 64;

class Bars {
	/* Times are those of the timeline, which lasts `units`. */
	constructor(run, lanes, units) {
		this.run = run;
		this.units = units;
		this.threads = Array.from({ length: lanes }, () => ({ levels: [], base: [], task: null }));
		this.tasks = new Map();
		this.decode(new ByteReader(run.events));
		for (const thread of this.threads)
			this.suspend(thread, thread.base.concat(thread.task || []), units);
		this.depth = Math.min(LEVELS_MAX, Math.max(0, ...this.threads.map(({ levels }) => levels.length)));
	}

	decode(reader) {
		const codes = [];
		let time = -this.run.start;
		while (!reader.ended) {
			const code = reader.next();
			if (code === codes.length)
				codes.push([reader.next(), reader.next(), reader.next() - 1]);
			const [location, kind, subject] = codes[code];
			time += reader.nextSigned();
			const extras = Array.from({ length: this.run.extras[kind] }, () => reader.next());
			if (location < this.threads.length)
				this.handle(this.threads[location], kind, subject, time, extras);
		}
	}

	handle(thread, kind, subject, time, extras) {
		if (kind === this.run.enter)
			this.enter(thread, subject, time);
		else if (kind === this.run.leave)
			this.leave(thread, subject, time);
		else if (kind === this.run.switch)
			this.switchTo(thread, extras[1] === 0 ? null : `${subject} ${extras}`, time);
		else if (kind === this.run.complete)
			this.complete(thread, `${subject} ${extras}`, time);
	}

	/* A part of a construct gets the number of the construct around it. */
	enter(thread, region, time) {
		const stack = thread.task || thread.base;
		const [own, part] = this.run.parts[region] || [-1, -1];
		const outer = stack.length > 0 ? stack[stack.length - 1].construct : -1;
		const shown = part >= 0 && this.run.titles[part] !== null;
		const frame = { region, part, shown, construct: own < 0 && part > 0 ? outer : own, level: null, at: 0, depth: 0 };
		this.open(thread, stack, frame, time);
	}

	/* Puts the frame on top of the stack; a task's stack stands on its thread's. */
	open(thread, stack, frame, time) {
		const outer = stack[stack.length - 1] || (stack === thread.base ? null : thread.base[thread.base.length - 1]);
		frame.depth = outer ? outer.depth + outer.shown : 0;
		stack.push(frame);
		if (!frame.shown || frame.depth >= LEVELS_KEPT)
			return;
		while (thread.levels.length <= frame.depth)
			thread.levels.push({ begins: [], ends: [], constructs: [], parts: [] });
		const level = thread.levels[frame.depth];
		frame.level = level;
		frame.at = level.begins.length;
		level.begins.push(Math.max(0, time));
		level.ends.push(this.units);
		level.constructs.push(frame.construct);
		level.parts.push(frame.part);
	}

	close(frame, time) {
		if (frame.level)
			frame.level.ends[frame.at] = Math.min(this.units, Math.max(0, time));
		frame.level = null;
	}

	leave(thread, region, time) {
		const stack = thread.task || thread.base;
		const at = stack.findLastIndex(frame => frame.region === region);
		if (at < 0)
			return;
		for (const frame of stack.splice(at))
			this.close(frame, time);
	}

	suspend(thread, frames, time) {
		for (const frame of frames)
			this.close(frame, time);
	}

	switchTo(thread, key, time) {
		this.suspend(thread, thread.task || [], time);
		thread.task = null;
		if (key === null)
			return;
		if (!this.tasks.has(key))
			this.tasks.set(key, []);
		const frames = this.tasks.get(key);
		thread.task = [];
		for (const frame of frames)
			this.open(thread, thread.task, frame, time);
		this.tasks.set(key, thread.task);
	}

	complete(thread, key, time) {
		const frames = this.tasks.get(key) || [];
		this.suspend(thread, frames, time);
		this.tasks.delete(key);
		if (thread.task === frames)
			thread.task = null;
	}

	/* Calls visit(begin, end, construct, part, depth) for each of the lane's bars in that time. */
	forEach(lane, from, to, visit) {
		this.threads[lane].levels.forEach((level, depth) => {
			for (let i = firstAfter(level.ends, from); i < level.begins.length && level.begins[i] < to; i++)
				visit(level.begins[i], level.ends[i], level.constructs[i], level.parts[i], depth);
		});
	}

	count(lanes, from, to) {
		let count = 0;
		for (const { index } of lanes)
			for (const level of this.threads[index].levels)
				count += Math.max(0, firstAfter(level.begins, to) - firstAfter(level.ends, from));
		return count;
	}

	/* The innermost bar at that time, or null. */
	find(lane, time) {
		let found = null;
		this.forEach(lane, time, time + 1, (begin, end, construct) => {
			if (begin <= time && time < end && construct >= 0)
				found = { begin, end, construct };
		});
		return found;
	}

	nameOf(construct, part) {
		const name = construct < 0 ? "" : this.run.names[construct];
		return this.run.titles[part] ? `${this.run.titles[part]}${name && ` of ${name}`}` : name;
	}
}

/* The index of the first of the ascending numbers that is greater than the limit. */
function firstAfter(numbers, limit) {
	let low = 0, high = numbers.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (numbers[middle] <= limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Draws the bars below the timeline's lanes, if it is zoomed in and they are few enough. */
class BarLayer {
	/* make: called when bars are first needed. marked(): the number of the marked construct, or -1. */
	constructor(make, marked) {
		this.make = make;
		this.marked = marked;
	}

	get bars() {
		this.made = this.made || this.make();
		return this.made;
	}

	isZoomed(timeline, from, to) {
		return to - from < timeline.data.units * 0.999;
	}

	shownLanes(timeline) {
		return timeline.rows.flatMap(({ lanes }) => lanes.length === 1 ? lanes : []);
	}

	roomFor(timeline, from, to) {
		if (!this.isZoomed(timeline, from, to))
			return 0;
		return this.bars.count(this.shownLanes(timeline), from, to) <= BARS_MAX ? this.bars.depth : 0;
	}

	draw(timeline, pen, from, to, dense) {
		if (timeline.lines === 0)
			return;
		const style = getComputedStyle(document.documentElement);
		const colour = name => style.getPropertyValue(name);
		const rowHeight = pen.canvas.height / timeline.rows.length;
		const scale = pen.canvas.width / (to - from), height = LINE * dense;
		const marked = this.marked();
		pen.font = `${11 * dense}px system-ui, sans-serif`;
		pen.textBaseline = "middle";
		pen.lineWidth = dense;
		timeline.rows.forEach(({ lanes }, row) => {
			const top = row * rowHeight + timeline.laneHeight(dense) + 2 * dense;
			if (lanes.length !== 1)
				return;
			this.bars.forEach(lanes[0].index, from, to, (begin, end, construct, part, depth) => {
				if (depth >= LEVELS_MAX)
					return;
				const left = Math.max(-2, (begin - from) * scale), right = Math.min(pen.canvas.width + 2, (end - from) * scale);
				const y = top + depth * height, width = Math.max(dense, right - left);
				const isMarked = construct === marked && marked >= 0;
				pen.fillStyle = colour(isMarked ? "--accent" : "--bar");
				pen.fillRect(left, y, width, height - dense);
				pen.strokeStyle = colour("--line");
				pen.strokeRect(left + dense / 2, y + dense / 2, Math.max(0, width - dense), height - 2 * dense);
				pen.fillStyle = colour(isMarked ? "--page" : "--ink");
				const text = fitText(pen, this.bars.nameOf(construct, part), width - 6 * dense);
				if (text)
					pen.fillText(text, Math.max(left, 0) + 3 * dense, y + height / 2);
			});
		});
	}
}

/* As much of the text as fits, or "" if fewer than three letters fit. */
function fitText(pen, text, width) {
	if (pen.measureText(text).width <= width)
		return text;
	let length = Math.floor(text.length * width / pen.measureText(text).width);
	while (length >= 3 && pen.measureText(text.slice(0, length) + "\u2026").width > width)
		length--;
	return length >= 3 ? text.slice(0, length) + "\u2026" : "";
}
