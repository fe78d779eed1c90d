/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The view in the page's address, after its "#": the part of the time in view (at), the marked region (mark), the
 * text searched in the table of regions (find) and in the call paths (paths), the zoomed box of these (box), and the
 * selection (from, to, thread, rank, region). The browser's back and forward buttons go from view to view. Values in
 * an address are read as numbers or stay text; an address of another form (that of a line of the source) does not
 * change the view.
 */
"use strict";

/* Changes of the view or of the searched text within this time are one step for "back". */
const STEP_MS = 1000;
const TEXT_MAX = 200;

class Address {
	/* selection: null if nothing can be selected. */
	constructor(timeline, marks, selection) {
		this.timeline = timeline;
		this.marks = marks;
		this.selection = selection;
		this.last = { kind: "", at: 0, actions: 0 };
		this.actions = 0;
		for (const type of ["pointerdown", "wheel", "keydown", "click", "input"])
			document.addEventListener(type, () => this.actions++, { capture: true, passive: true });
		this.applying = false;
		this.text = "";
		timeline.view.addEventListener("drawn", () => this.note());
		marks.changed = FlameGraph.changed = () => this.note();
		if (selection)
			selection.changed = () => this.note();
		document.addEventListener("input", event => {
			if (event.target.closest("p.find"))
				this.note();
		});
		window.addEventListener("popstate", () => this.apply());
		this.apply();
	}

	get box() {
		return document.querySelector("section[aria-labelledby=regions] p.find input");
	}

	/* The view as text, "" for the initial view. */
	write() {
		const { timeline, marks, selection } = this, view = new URLSearchParams();
		const [from, to] = timeline.scale.domain();
		if (to - from < timeline.data.units * 0.999)
			view.set("at", `${this.numberOf(from)}-${this.numberOf(to)}`);
		if (marks.construct >= 0)
			view.set("mark", marks.construct);
		if (this.box && this.box.value)
			view.set("find", this.box.value.slice(0, TEXT_MAX));
		for (const [key, value] of [["paths", FlameGraph.text], ["box", FlameGraph.current ? FlameGraph.current.place : ""]])
			if (value && value.length <= TEXT_MAX)
				view.set(key, value);
		for (const [key, value] of Object.entries(selection ? selection.chosen : {}))
			if (value !== null && value !== "")
				view.set(key, value);
		return view.toString();
	}

	/* Three decimals, because bins may be longer than the view. */
	numberOf(time) {
		return Math.round(Math.max(0, time) * 1000) / 1000;
	}

	/* "at", "find" or "paths" if only that changed, or else "other". */
	kindOf(text) {
		const views = [this.text, text].map(view => new URLSearchParams(view));
		const keys = [...new Set(views.flatMap(view => [...view.keys()]))].filter(key => views[0].get(key) !== views[1].get(key));
		return keys.length === 1 && ["at", "find", "paths"].includes(keys[0]) ? keys[0] : "other";
	}

	note() {
		if (this.applying)
			return;
		const text = this.write(), now = Date.now();
		if (text === this.text)
			return;
		const kind = this.kindOf(text), since = now - this.last.at;
		/*
		 * If the user has done nothing since the previous change, this change of the view follows from it,
		 * however long that takes.
		 */
		const follows = kind === "at" && this.last.kind === "other" && this.last.actions === this.actions;
		const joins = follows || (kind !== "other" && kind === this.last.kind && since < STEP_MS);
		this.text = text;
		this.last = { kind: joins ? this.last.kind : kind, at: now, actions: this.actions };
		history[joins ? "replaceState" : "pushState"](null, "", "#" + text);
	}

	/* A whole number, or null. */
	readNumber(text) {
		return text !== null && /^\d{1,15}(\.\d{1,3})?$/.test(text) ? Number(text) : null;
	}

	readText(view, key) {
		return (view.get(key) || "").slice(0, TEXT_MAX);
	}

	async apply() {
		const text = location.hash.slice(1);
		if (text !== "" && !/^(at|mark|find|paths|box|from|to|thread|rank|region)=/.test(text))
			return;
		this.applying = true;
		const view = new URLSearchParams(text);
		try {
			if (this.selection)
				await this.applySelection(view);
			this.applySearch(this.readText(view, "find"));
			this.applyPaths(this.readText(view, "paths"), this.readText(view, "box"));
			const mark = this.readNumber(view.get("mark"));
			if ((mark === null ? -1 : mark) !== this.marks.construct)
				this.marks.mark(mark === null ? -1 : mark);
			this.applyTime(view.get("at") || "");
		} finally {
			this.applying = false;
			this.text = this.write();
		}
	}

	async applySelection(view) {
		const [from, to] = ["from", "to"].map(key => this.readNumber(view.get(key)));
		const ordered = from !== null && to !== null && from < to;
		const chosen = { from: ordered ? from : null, to: ordered ? to : null };
		for (const key of ["thread", "rank"])
			chosen[key] = /^\d{1,6}$/.test(view.get(key) || "") ? view.get(key) : "";
		chosen.region = this.readText(view, "region");
		if (Object.keys(chosen).some(key => chosen[key] !== this.selection.chosen[key]))
			await this.selection.show(chosen);
	}

	applySearch(text) {
		if (!this.box || this.box.value === text)
			return;
		this.box.value = text;
		this.box.dispatchEvent(new Event("input"));
	}

	applyPaths(text, place) {
		if (FlameGraph.current)
			FlameGraph.current.show(text, /^\d{1,4}(\.\d{1,4})*$/.test(place) ? place : "");
	}

	applyTime(text) {
		const [from, to] = text.split("-").map(part => this.readNumber(part));
		if (from !== null && to !== undefined && to !== null && from < to)
			this.timeline.show(from, Math.min(to, this.timeline.data.units));
		else if (this.write().startsWith("at="))
			this.timeline.showAll();
	}
}
