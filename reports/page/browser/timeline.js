/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The zoomable timeline: drawn on a canvas instead of the static picture, with an axis below. D3 (see embed.py)
 * provides the scale, the axis, and the handling of wheel, fingers and drags; without D3 the picture stays.
 */
"use strict";

/* Height in pixels of a line of text below a lane. */
const LINE = 15;

/* A pen's fill pattern: lines of the colour from bottom left to top right. */
function hatchOf(pen, colour, dense)
{
	const tile = document.createElement("canvas");
	const size = tile.width = tile.height = Math.round(6 * dense);
	const lines = tile.getContext("2d");
	lines.strokeStyle = colour;
	lines.lineWidth = 1.5 * dense;
	for (const shift of [-size, 0, size]) {
		lines.beginPath();
		lines.moveTo(shift, size);
		lines.lineTo(shift + size, 0);
		lines.stroke();
	}
	return pen.createPattern(tile, "repeat");
}

/* Enough digits to distinguish times that are `step` seconds apart, in a unit that suits `largest`. */
function formatTime(seconds, step, largest = seconds) {
	const [unit, scale] = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]].find(
		([, scale]) => Math.abs(largest) >= scale) || ["ns", 1e-9];
	const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / scale) - 1e-9)));
	return seconds === 0 ? "0" : (seconds / scale).toFixed(digits) + " " + unit;
}

/* Up to version 5, D3 stores the event that it handles in d3.event; from version 6 on it passes the event. */
const eventOf = passed => d3.event || passed;

class Timeline {
	constructor(view, data) {
		this.view = view;
		this.data = data;
		const mixes = new Mixes(data.activities.length);
		this.lanes = data.lanes.map((lane, index) => Object.assign(decodeLane(lane, mixes), { index }));
		this.table = new RowTable(data, this.lanes, view.parentElement.querySelector(".labels"), () => this.fit());
		/* The activities of a lane, from bottom to top. */
		this.order = data.order;
		/*
		 * What is drawn over the lanes. Each overlay has draw(timeline, pen, from, to). It may have
		 * roomFor(from, to), the lines of text that it needs below each lane, and textOf(lane, run), its
		 * description of a run.
		 */
		this.overlays = [];
		this.lines = 0;
		this.row = 0;
		this.time = 0;
		this.base = d3.scaleLinear().domain([0, data.units]);
		this.scale = this.base;
		this.canvas = document.createElement("canvas");
		this.axis = d3.select(view.parentElement.querySelector(".axis"));
		this.addTip();
		this.addControls();
		this.addCursor();
		view.append(this.canvas);
		view.classList.add("live");
		this.table.layOut();
		this.axis.classed("live", true).selectAll("span").remove();
		this.axisGroup = this.axis.append("svg").append("g");
		this.addZoom();
		this.addKeys();
		new ResizeObserver(() => {
			if (view.clientWidth !== this.width || view.clientHeight !== this.height)
				this.resize();
		}).observe(view);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
		this.resize();
	}

	addTip() {
		this.tip = document.createElement("div");
		this.tip.id = "tip";
		this.tip.hidden = true;
		this.tip.setAttribute("role", "status");
		document.body.append(this.tip);
	}

	addCursor() {
		this.cursor = document.createElement("div");
		this.cursor.className = "cursor";
		this.cursor.hidden = true;
		this.view.append(this.cursor);
	}

	addControls() {
		const controls = document.createElement("div");
		controls.className = "controls";
		for (const [text, title, action] of [["\u2212", "zoom out", () => this.zoomBy(0.5)],
			["+", "zoom in", () => this.zoomBy(2)], ["all", "show all of the time", () => this.showAll()]]) {
			const button = document.createElement("button");
			button.textContent = text;
			button.title = title;
			button.setAttribute("aria-label", title);
			button.addEventListener("click", action);
			controls.append(button);
		}
		this.range = document.createElement("output");
		this.hint = document.createElement("span");
		this.hint.className = "quiet hint";
		this.usage = "Ctrl and wheel, + and \u2212 zoom; drag moves; arrows step from change to change";
		controls.append(this.range, this.hint);
		this.view.closest("section").querySelector(".legend").after(controls);
	}

	/* Zooms at most until twenty units fill the width. */
	addZoom() {
		this.zoom = d3.zoom()
			.scaleExtent([1, Math.max(1, this.data.units / 20)])
			.filter(given => {
				const event = eventOf(given);
				return event.type === "wheel" ? event.ctrlKey || event.metaKey : !event.button && !event.shiftKey;
			})
			/*
			 * The same speed in each version of D3: from version 6 on, Ctrl makes it ten times as fast.
			 */
			.wheelDelta(given => {
				const event = eventOf(given);
				return -event.deltaY * [0.002, 0.05, 1][event.deltaMode];
			})
			.on("zoom", given => {
				const {transform, sourceEvent} = eventOf(given);
				this.scale = transform.rescaleX(this.base);
				this.draw();
				if (!this.tip.hidden && sourceEvent && sourceEvent.clientX !== undefined)
					this.point(sourceEvent.clientX, sourceEvent.clientY);
			});
		this.selection = d3.select(this.view).call(this.zoom);
		this.view.addEventListener("pointermove", event => this.point(event.clientX, event.clientY));
		this.view.addEventListener("pointerleave", () => this.hide());
		this.view.addEventListener("blur", () => this.hide());
	}

	zoomBy(factor) {
		const range = this.scale.domain();
		const keep = this.time >= range[0] && this.time <= range[1] && !this.cursor.hidden;
		this.zoom.scaleBy(this.selection, factor, [keep ? this.scale(this.time) : this.width / 2, 0]);
	}

	/* Shows the time from `from` to `to`, within the limits of zooming. */
	show(from, to) {
		const length = Math.min(this.data.units, Math.max(to - from, this.data.units / this.zoom.scaleExtent()[1]));
		const begin = Math.max(0, Math.min(this.data.units - length, (from + to - length) / 2));
		this.selection.call(this.zoom.transform,
			d3.zoomIdentity.scale(this.data.units / length).translate(-this.base(begin), 0));
	}

	/* Moves the cursor to the lane and time and describes what is there. */
	pointAt(lane, time) {
		const row = this.rows.findIndex(({ lanes }) => lanes.includes(lane));
		this.row = Math.max(0, row);
		this.time = time;
		this.cursor.hidden = false;
		this.view.scrollIntoView({ block: "nearest" });
		this.showCursor();
	}

	/* Scrolls the cursor into view and shows its description. */
	showCursor() {
		this.follow();
		this.moveCursor();
		this.cursor.scrollIntoView({ block: "nearest" });
		this.showTipAtCursor();
	}

	/* Calls change() and keeps the timeline at its place in the window. */
	keepPlace(change) {
		const { top } = this.view.getBoundingClientRect();
		change();
		scrollBy(0, this.view.getBoundingClientRect().top - top);
	}

	/* The lane at the cursor and its run there, if the row has only one lane. */
	runThere() {
		const { lanes } = this.rows[this.row];
		return lanes.length === 1 ? [lanes[0], runAt(lanes[0], this.time)] : [null, -1];
	}

	showAll() {
		this.selection.call(this.zoom.transform, d3.zoomIdentity);
	}

	get rows() {
		return this.table.rows;
	}

	/* Sets the height for the shown rows. */
	fit() {
		this.row = Math.min(this.row, this.rows.length - 1);
		this.view.style.height = `calc(${this.rows.length} * var(--row))`;
		this.hide();
		if (this.width)
			this.resize();
	}

	/* Makes room for that many lines of text below each lane. */
	fitLines(lines) {
		if (lines === this.lines)
			return;
		const timeline = this.view.parentElement;
		this.rowHeight = this.rowHeight || timeline.style.getPropertyValue("--row");
		this.lines = lines;
		timeline.style.setProperty("--row", lines > 0 ? `calc(${this.rowHeight} + ${lines * LINE}px)` : this.rowHeight);
		this.height = this.view.clientHeight;
	}

	/* The height of a lane's own picture, in canvas pixels. */
	laneHeight(dense) {
		return Math.max(1, Math.round((this.height / this.rows.length - this.lines * LINE) * dense * 0.8));
	}

	resize() {
		const range = this.scale.domain();
		this.width = Math.max(50, this.view.clientWidth);
		this.height = this.view.clientHeight;
		this.base = d3.scaleLinear().domain([0, this.data.units]).range([0, this.width]);
		this.zoom.extent([[0, 0], [this.width, this.height]])
			.translateExtent([[0, -Infinity], [this.width, Infinity]]);
		/* Shows the same time as before at the new width. */
		const factor = this.data.units / (range[1] - range[0]);
		this.selection.call(this.zoom.transform,
			d3.zoomIdentity.scale(factor).translate(-this.base(range[0]), 0));
	}

	draw() {
		const [from, to] = this.scale.domain();
		this.fitLines(Math.max(0, ...this.overlays.map(overlay => overlay.roomFor ? overlay.roomFor(this, from, to) : 0)));
		const dense = window.devicePixelRatio || 1;
		const columns = Math.round(this.width * dense);
		const style = getComputedStyle(document.documentElement);
		const pen = this.canvas.getContext("2d");
		const hatch = hatchOf(pen, style.getPropertyValue("--hatch"), dense);
		const fills = this.data.activities.map(
		    ([ css ], activity) => [style.getPropertyValue("--" + css)].concat(
			this.data.waits.includes(activity) ? [ hatch ] : []));
		this.canvas.width = columns;
		this.canvas.height = Math.round(this.height * dense);
		const rowHeight = this.canvas.height / this.rows.length;
		const shares = new Float32Array(columns * this.data.activities.length);
		this.rows.forEach(({ lanes }, row) => {
			const top = Math.round(row * rowHeight);
			const height = this.laneHeight(dense);
			if (lanes.length === 0)
				return;
			pen.fillStyle = style.getPropertyValue("--lane");
			pen.fillRect(0, top, columns, height);
			sharesOf(lanes, from, to, columns, shares);
			this.drawLane(pen, fills, shares, columns, top, height);
		});
		const arrows = drawArrows(pen, this.data.arrows, this.rows, this.lanes, from, to, this.canvas,
			style.getPropertyValue("--ink"));
		this.hint.textContent = arrows > ARROWS_MAX ? `${arrows} messages: zoom in to see them` : this.usage;
		for (const overlay of this.overlays)
			overlay.draw(this, pen, from, to, dense);
		this.drawAxis(from, to);
		this.moveCursor();
		this.view.dispatchEvent(new Event("drawn"));
	}

	/* Equal neighbours are drawn as one rectangle. */
	drawLane(pen, fills, shares, columns, top, height)
	{
		const count = this.data.activities.length;
		const bottoms = new Int32Array(columns).fill(top + height);
		const filled = new Float32Array(columns);
		for (const activity of this.order) {
			let begin = 0, low = 0, high = 0;
			for (let column = 0; column <= columns; column++) {
				let newLow = 0, newHigh = 0;
				if (column < columns) {
					filled[column] += shares[column * count + activity];
					newLow = bottoms[column];
					newHigh = top + height - Math.round(Math.min(1, filled[column]) * height);
					bottoms[column] = newHigh;
				}
				if (newLow === low && newHigh === high && column < columns)
					continue;
				if (high < low)
					for (const fill of fills[activity]) {
						pen.fillStyle = fill;
						pen.fillRect(
						    begin, high, column - begin, low - high);
					}
				[begin, low, high] = [column, newLow, newHigh];
			}
		}
	}

	secondsAt(time) {
		return this.data.begin + time * this.data.unit;
	}

	drawAxis(from, to) {
		const seconds = this.scale.copy().domain([this.secondsAt(from), this.secondsAt(to)]);
		const count = Math.max(2, Math.min(8, Math.floor(this.width / 110)));
		const ticks = seconds.ticks(count);
		const step = ticks.length > 1 ? ticks[1] - ticks[0] : 1e-9;
		this.axisGroup.call(d3.axisBottom(seconds).tickValues(ticks).tickFormat(value => formatTime(value, step, ticks[ticks.length - 1])));
		/* The text of a tick near the right end would be cut off. */
		this.axisGroup.selectAll("text").attr("text-anchor", value => seconds(value) > this.width - 30 ? "end" : null);
		const all = this.data.units - (to - from) < 0.5;
		const precise = (to - from) * this.data.unit / 1000;
		this.range.textContent = all ? "" :
			formatTime(this.secondsAt(from), precise) + " to " + formatTime(this.secondsAt(to), precise);
	}

	/* Shows what is at that point of the window. */
	point(x, y) {
		const box = this.view.getBoundingClientRect();
		const row = Math.floor((y - box.top) / box.height * this.rows.length);
		if (row < 0 || row >= this.rows.length)
			return;
		this.row = row;
		this.time = Math.min(this.data.units - 1, Math.max(0, this.scale.invert(x - box.left)));
		this.cursor.hidden = true;
		this.showTip(x, y);
	}

	hide() {
		this.tip.hidden = true;
		this.cursor.hidden = true;
	}

	/* Shares of activities, the largest first; a single activity without its share. */
	describe(shares) {
		const parts = [...shares.entries()].filter(([, share]) => share > 0.005);
		parts.sort(([, one], [, other]) => other - one);
		return parts.map(([activity, share]) => (parts.length > 1 ? Math.round(share * 100) + "% " : "") +
			this.data.activities[activity][1]).join(", ");
	}

	/* Describes the run at the current time. */
	textOfRun(name, lane) {
		const run = runAt(lane, this.time);
		const begin = lane.begins[run], end = lane.begins[run + 1];
		const step = (end - begin) * this.data.unit / 1000;
		const construct = lane.constructs[run];
		return name + ", " + formatTime(this.secondsAt(begin), step) + " to " + formatTime(this.secondsAt(end), step) +
			"\n" + this.describe(lane.mixes.tables[lane.numbers[run]]) + " for " +
			formatTime((end - begin) * this.data.unit, step) +
			(construct < 0 ? "" : (this.data.exact ? "\n" : "\nmostly ") + this.data.constructs[construct]) +
			this.overlays.map(overlay => overlay.textOf ? overlay.textOf(this, lane, run) : "").join("");
	}

	/* Describes all lanes of a row during about one pixel's time. */
	textOfRows(name, lanes) {
		const width = this.scale.invert(1) - this.scale.invert(0);
		const shares = new Float32Array(this.data.activities.length);
		sharesOf(lanes, this.time, this.time + width, 1, shares);
		return name + ", " + formatTime(this.secondsAt(this.time), width * this.data.unit) + "\n" +
			(lanes.length === 0 ? "Enter closes it" : this.describe(shares));
	}

	showTip(x, y) {
		const { name, lanes } = this.rows[this.row];
		this.tip.textContent = lanes.length === 1 ? this.textOfRun(name, lanes[0]) : this.textOfRows(name, lanes);
		this.tip.hidden = false;
		const box = this.tip.getBoundingClientRect();
		this.tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - box.width - 8)) + "px";
		this.tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18) + "px";
	}

	/* Moves the keyboard cursor to the current row and time. */
	moveCursor() {
		const lane = this.height / this.rows.length;
		this.cursor.style.left = Math.round(this.scale(this.time)) + "px";
		this.cursor.style.top = Math.round(this.row * lane) + "px";
		this.cursor.style.height = this.laneHeight(1) + "px";
	}

	addKeys() {
		const keys = {
			ArrowRight: () => this.step(1),
			ArrowLeft: () => this.step(-1),
			ArrowDown: () => this.row = Math.min(this.row + 1, this.rows.length - 1),
			ArrowUp: () => this.row = Math.max(this.row - 1, 0),
			Home: () => this.time = 0,
			End: () => this.time = this.data.units - 1,
			"+": () => this.zoomBy(2),
			"=": () => this.zoomBy(2),
			"-": () => this.zoomBy(0.5),
			"0": () => this.showAll(),
			Escape: () => this.showAll(),
			Enter: () => this.row = this.table.toggle(this.row),
		};
		this.view.tabIndex = 0;
		this.view.addEventListener("keydown", event => {
			const action = event.ctrlKey || event.altKey || event.metaKey ? null : keys[event.key];
			if (!action)
				return;
			event.preventDefault();
			this.cursor.hidden = false;
			action();
			this.showCursor();
		});
	}

	showTipAtCursor() {
		const box = this.view.getBoundingClientRect();
		this.showTip(box.left + this.scale(this.time), box.top + (this.row + 0.5) * box.height / this.rows.length);
	}

	/* Moves to the row's next or previous change that is at least a pixel away. */
	step(direction) {
		const least = this.scale.invert(1) - this.scale.invert(0);
		const goal = Math.min(this.data.units - 1, Math.max(0, this.time + direction * least));
		const changes = this.rows[this.row].lanes.map(lane => {
			const run = runAt(lane, goal);
			const next = lane.begins[run] < goal && run + 1 < lane.numbers.length ? run + 1 : run;
			return lane.begins[direction > 0 ? next : run];
		});
		if (direction > 0)
			this.time = Math.max(Math.min(...changes.filter(time => time >= goal)), this.time);
		else
			this.time = Math.max(...changes);
		if (!Number.isFinite(this.time))
			this.time = goal;
	}

	/* Brings the cursor into view. */
	follow() {
		const [from, to] = this.scale.domain();
		if (this.time < from || this.time > to)
			this.zoom.translateTo(this.selection, this.base(this.time), 0);
	}
}
