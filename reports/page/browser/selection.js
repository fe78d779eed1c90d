/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The selection: a range of time, a thread, a rank, a part of region names. The figures on top and all sections
 * except timeline and source show the selection, as `ompreport summary` prints it with the options that are
 * displayed.
 */
"use strict";

const STAYING = ["timeline", "source", "warnings"];
/* Sections of samples: sums of steps may have none, or have them in longer steps. */
const SAMPLED = ["hot", "hot-functions", "flame", "blocked-calls"];
/*
 * All sections follow a range of time. This is what they follow in addition; otherwise they cover all threads,
 * ranks and regions.
 */
const WHO = ["thread", "rank"], ALL = [...WHO, "region"];
const FOLLOWED = { advice: ALL, regions: ALL, locks: ALL, tasks: ALL, imbalance: WHO, calls: WHO, matrix: WHO, pairs: WHO,
	hot: ALL, "hot-functions": ALL, flame: ALL, "blocked-calls": ALL };
const NOTHING = Object.freeze({ from: null, to: null, thread: "", rank: "", region: "" });

/* The elements that follow the selection, by their subject. */
class Sections {
	constructor(run) {
		const main = document.querySelector("main"), hasSamples = run.events || run.steps && run.steps.samples > 0;
		const staying = hasSamples ? STAYING : [...STAYING, ...SAMPLED];
		this.shown = new Map();
		for (const element of [document.querySelector(".facts"), ...main.children])
			if (element && !staying.includes(element.getAttribute("aria-labelledby")))
				this.shown.set(this.keyOf(element), element);
		this.originals = new Map(this.shown);
	}

	keyOf(element) {
		return element.getAttribute("aria-labelledby") || element.className;
	}

	/*
	 * Shows the HTML of the selection; without HTML, what the page initially contained. Elements missing in the
	 * HTML are hidden.
	 */
	show(html, chosen) {
		const made = new Map(this.originals);
		if (html !== null) {
			const template = document.createElement("template");
			template.innerHTML = html;
			for (const key of made.keys())
				made.set(key, Object.assign(document.createElement("div"), { hidden: true }));
			for (const element of template.content.children)
				made.set(this.keyOf(element), element);
		}
		let last = null;
		for (const [key, element] of made) {
			const before = this.shown.get(key);
			if (before)
				before.replaceWith(element);
			else
				last.after(element);
			this.shown.set(key, element);
			last = element;
			if (html === null)
				continue;
			this.markSections(element, chosen);
			watchScrolling(element);
			startFlames(element);
			for (const table of element.querySelectorAll("table.sortable")) {
				addSorting(table);
				shorten(table);
			}
		}
		if (FlameGraph.current)
			FlameGraph.current.show(FlameGraph.text, "");
	}

	/*
	 * Marks a section as selected if all of it follows the selection; otherwise a remark tells what it covers.
	 */
	markSections(element, chosen) {
		for (const section of [element, ...element.querySelectorAll("section")].filter(({ tagName }) => tagName === "SECTION")) {
			const followed = FOLLOWED[this.keyOf(section)] || [];
			const rest = ALL.filter(key => chosen[key] !== "" && !followed.includes(key));
			section.classList.toggle("selected", rest.length === 0);
			if (rest.length === 0)
				continue;
			const remark = document.createElement("small"), whole = `all ${rest.map(key => key + "s").join(" and ")}`;
			const time = chosen.from === null ? "" : "the selected time, ";
			remark.textContent = `(${time}${whole})`;
			section.querySelector("h2").append(" ", remark);
		}
	}
}

function quoteForShell(text) {
	return /^[\w.,:/=@%+-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
}

class Selection {
	/* marks: of the timeline's regions. changed: called when the user changes the selection. */
	constructor(timeline, run, marks) {
		this.timeline = timeline;
		this.run = run;
		this.marks = marks;
		this.changed = () => {};
		this.chosen = NOTHING;
		this.anchor = null;
		this.sections = new Sections(run);
		this.addForm();
		this.addBrush();
		timeline.overlays.push(this);
		marks.isSelected = (lane, begin, end) => this.holds(lane, begin, end);
		timeline.draw();
	}

	addForm() {
		this.form = document.createElement("form");
		this.form.className = "selection";
		this.form.setAttribute("aria-label", "selection");
		this.thread = this.addThread();
		this.rank = this.addChoice("rank", [["", "all ranks"], ...this.run.processes.map((name, i) => [String(i), name])]);
		this.rank.parentElement.hidden = this.run.processes.length < 2;
		this.region = document.createElement("input");
		this.region.type = "search";
		this.region.placeholder = "part of a region's name";
		this.addField("regions", this.region);
		this.addButton("select the time in view", () => this.chooseView());
		this.addButton("select all", () => this.choose(NOTHING));
		this.status = document.createElement("output");
		this.form.append(this.status);
		this.form.addEventListener("submit", event => event.preventDefault());
		for (const name of ["thread", "rank", "region"])
			this[name].addEventListener("input", () => this.choose({ ...this.chosen, [name]: this[name].value }));
		this.marks.status.after(this.form);
	}

	addField(text, input) {
		const label = document.createElement("label");
		label.append(text, " ", input);
		this.form.append(label);
	}

	/* A choice of the lanes' names or, if threads share lanes, the thread's number, as for `--thread`. */
	addThread() {
		const { labels } = this.timeline.data, { threads } = this.run;
		if (labels.length === threads)
			return this.addChoice("thread", [["", "all threads"], ...labels.map((label, i) => [String(i), label])]);
		const input = document.createElement("input");
		Object.assign(input, { type: "number", min: "0", max: String(threads - 1), placeholder: `all of 0 to ${threads - 1}` });
		this.addField("thread", input);
		return input;
	}

	addChoice(text, choices) {
		const select = document.createElement("select");
		for (const [value, name] of choices)
			select.append(new Option(name, value));
		this.addField(text, select);
		return select;
	}

	addButton(text, action) {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = text;
		button.addEventListener("click", action);
		this.form.append(button);
	}

	/*
	 * Shift and drag selects a range; the keys [ and ] select from or to the cursor, and s selects what is in
	 * view.
	 */
	addBrush() {
		const { timeline } = this, { view } = timeline;
		let begin = null, swallows = false;
		const timeAt = event => timeline.scale.invert(event.clientX - view.getBoundingClientRect().left);
		view.addEventListener("pointerdown", event => {
			if (!event.shiftKey || event.button)
				return;
			begin = timeAt(event);
			view.setPointerCapture(event.pointerId);
		});
		view.addEventListener("pointermove", event => {
			if (begin !== null)
				this.brush(begin, timeAt(event));
		});
		view.addEventListener("pointerup", event => {
			swallows = begin !== null;
			if (begin !== null && Math.abs(timeline.scale(begin) - timeline.scale(timeAt(event))) > 2)
				this.chooseTimes(begin, timeAt(event));
			begin = null;
			this.brushed = null;
		});
		/* The click that ends the drag must not choose a stretch. */
		view.addEventListener("click", event => {
			if (swallows)
				event.stopImmediatePropagation();
			swallows = false;
		}, true);
		view.addEventListener("keydown", event => {
			if (event.ctrlKey || event.altKey || event.metaKey || !"[]s".includes(event.key))
				return;
			event.preventDefault();
			if (event.key === "s")
				this.chooseView();
			else
				this.chooseEnd(event.key === "[");
		});
		timeline.usage += "; Shift and drag, or [ and ], select";
	}

	brush(one, other) {
		this.brushed = [Math.min(one, other), Math.max(one, other)];
		this.timeline.draw();
	}

	/* Nanoseconds since the first event, as in ompreport's options; timeOf() is the inverse. */
	nanosecondsAt(time) {
		return Math.round((this.timeline.data.begin + time * this.timeline.data.unit) * 1e9);
	}

	timeOf(nanoseconds) {
		return (nanoseconds / 1e9 - this.timeline.data.begin) / this.timeline.data.unit;
	}

	chooseTimes(one, other) {
		const { units } = this.timeline.data;
		const [from, to] = [one, other].map(time => Math.max(0, Math.min(units, time))).sort((a, b) => a - b);
		const all = from <= 0 && to >= units;
		this.choose({ ...this.chosen, from: all ? null : this.nanosecondsAt(from), to: all ? null : this.nanosecondsAt(to) });
	}

	chooseView() {
		this.chooseTimes(...this.timeline.scale.domain());
	}

	/* The cursor becomes one end; the other end stays, or becomes that of the run. */
	chooseEnd(isBegin) {
		const { units } = this.timeline.data;
		const begin = isBegin || this.chosen.from === null ? 0 : this.timeOf(this.chosen.from);
		const end = !isBegin || this.chosen.to === null ? units : this.timeOf(this.chosen.to);
		this.chooseTimes(isBegin ? this.timeline.time : begin, isBegin ? end : this.timeline.time);
	}

	choose(chosen) {
		if (FlameGraph.current)
			FlameGraph.current.zoom(null); /* there will be other boxes */
		this.show(chosen);
		this.changed();
	}

	/* Whether the selection contains some of that time in the lane. */
	holds(lane, begin, end) {
		const { from, to, thread } = this.chosen;
		const holdsLane = thread === "" || !this.timeline.data.exact || lane.index === Number(thread);
		return holdsLane && (from === null || (end > this.timeOf(from) && begin < this.timeOf(to)));
	}

	get isAll() {
		return Object.keys(NOTHING).every(key => this.chosen[key] === NOTHING[key]);
	}

	/* Shows the figures of the selection. */
	async show(chosen) {
		this.chosen = chosen;
		for (const name of ["thread", "rank", "region"])
			if (this[name].value !== chosen[name])
				this[name].value = chosen[name];
		this.timeline.draw();
		if (this.isAll) {
			this.timeline.keepPlace(() => {
				this.sections.show(null);
				this.status.replaceChildren();
			});
		} else {
			this.opening = this.opening || Engine.open(this.run);
			const engine = await this.opening;
			if (chosen !== this.chosen)
				return; /* the user changed the selection meanwhile */
			this.timeline.keepPlace(() => this.showFigures(engine));
		}
		this.followTable();
	}

	showFigures(engine) {
		let html = null;
		const steps = this.stepsOf(this.chosen);
		const request = { ...this.chosen, ...steps && { from: steps.from, to: steps.to } };
		if (this.chosen.from === null)
			[request.from, request.to] = [this.run.from, this.run.to];
		try {
			html = engine.select(steps ? { ...request, from: steps.first, to: steps.last } : request);
		} catch (error) {
			this.opening = null; /* its memory may be broken */
			this.status.textContent = `This selection cannot be computed: ${error.message}`;
			return;
		}
		if (html === null) {
			this.status.textContent = "No thread is both of this number and of this rank.";
			return;
		}
		this.sections.show(html, this.chosen);
		this.showCommand(request, steps);
	}

	/*
	 * The steps from which the selection is computed, and their times; null if it is computed from the events.
	 * A step belongs to the selection if more than half of it does.
	 */
	stepsOf({ from, to }) {
		const { steps, ticks: second } = this.run;
		if (!steps)
			return null;
		const nearest = time => Math.max(0, Math.min(steps.count, Math.round((time * second / 1e9 - steps.begin) / steps.ticks)));
		const first = from === null ? 0 : Math.min(nearest(from), steps.count - 1);
		const last = to === null ? steps.count : Math.max(first + 1, nearest(to));
		const timeOf = step => Math.ceil((steps.begin + step * steps.ticks) / second * 1e9);
		return { first, last, from: timeOf(first), to: last === steps.count ? this.run.to : timeOf(last) };
	}

	showCommand(request, steps) {
		const options = ["from", "to"].filter(key => request[key]).map(key => `--${key}=${request[key]}ns`);
		for (const key of ["thread", "rank", "region"])
			if (request[key])
				options.push(`--${key}=${request[key]}`);
		const command = ["ompreport", "summary", ...options, this.run.archive].map(quoteForShell).join(" ");
		const code = document.createElement("code");
		code.textContent = command;
		this.status.replaceChildren(steps ? this.precision() : "Figures of the selection, exactly as of ", code);
	}

	/* How inaccurate the figures may be. */
	precision() {
		const seconds = this.run.steps.ticks / this.run.ticks, { thread, rank } = this.chosen;
		const rest = thread === "" && rank === "" ? "imbalance, team start and end, locks and new tasks count where they end" :
			"team start and end count where they end; imbalance, locks and new tasks are known of all threads only, and left out";
		return `Figures in steps of ${formatTime(seconds, seconds / 1000)}; ${rest}. Exact figures of the same part: `;
	}

	/* Adapts to another table of regions on the page. */
	followTable() {
		const table = document.querySelector("section[aria-labelledby=regions] table");
		if (!table || table === this.marks.table)
			return;
		const links = new Map();
		for (const row of this.sections.originals.get("regions").querySelectorAll("tr[data-construct]"))
			links.set(row.dataset.construct, row.cells[0]);
		for (const row of table.querySelectorAll("tr[data-construct]"))
			if (links.has(row.dataset.construct))
				row.cells[0].replaceChildren(...[...links.get(row.dataset.construct).childNodes].map(node => node.cloneNode(true)));
		this.marks.table = table;
		this.marks.addRows();
	}

	/* Fades the time that is not selected. */
	draw(timeline, pen, from, to, dense) {
		const range = this.brushed || (this.chosen.from === null ? null : [this.timeOf(this.chosen.from), this.timeOf(this.chosen.to)]);
		if (!range)
			return;
		const scale = pen.canvas.width / (to - from), { width, height } = pen.canvas;
		const [begin, end] = range.map(time => Math.max(0, Math.min(width, (time - from) * scale)));
		const style = getComputedStyle(document.documentElement);
		pen.globalAlpha = 0.65;
		pen.fillStyle = style.getPropertyValue("--sheet");
		pen.fillRect(0, 0, begin, height);
		pen.fillRect(end, 0, width - end, height);
		pen.globalAlpha = 1;
		pen.fillStyle = style.getPropertyValue("--accent");
		for (const x of [begin, end].filter(x => x > 0 && x < width))
			pen.fillRect(x - dense, 0, 2 * dense, height);
	}
}
