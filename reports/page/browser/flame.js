/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Zooms and searches the call paths (page_write_flame()). A click on a box, or Enter at it, shows it as wide as the
 * picture, with what led to it above; boxes beside that path are hidden. The arrow keys go from box to box.
 */
"use strict";

class FlameGraph {
	/* The picture that is shown, or null. */
	static get current() {
		const view = document.querySelector(".flame");
		return view && view.flame;
	}

	constructor(view) {
		view.flame = this;
		this.view = view;
		this.boxes = [...view.querySelectorAll("span")];
		this.zoomed = null;
		this.addControls();
		for (const box of this.boxes) {
			box.setAttribute("role", "button");
			box.tabIndex = -1;
		}
		this.enterAt(this.boxes[0]);
		view.addEventListener("click", event => this.chooseBox(event.target.closest("span")));
		view.addEventListener("keydown", event => this.handleKey(event));
	}

	addControls() {
		const controls = document.createElement("p");
		controls.className = "find";
		this.search = document.createElement("input");
		Object.assign(this.search, { type: "search", placeholder: "find functions" });
		this.search.setAttribute("aria-label", "find functions in call paths");
		this.button = document.createElement("button");
		Object.assign(this.button, { type: "button", textContent: "show all", hidden: true });
		this.status = document.createElement("output");
		controls.append(this.search, this.button, this.status);
		this.view.before(controls);
		this.search.addEventListener("input", () => {
			this.find();
			FlameGraph.changed();
		});
		this.button.addEventListener("click", () => this.choose(null));
	}

	/* The Tab key reaches the picture at this box. */
	enterAt(box) {
		if (this.entry)
			this.entry.tabIndex = -1;
		this.entry = box;
		box.tabIndex = 0;
	}

	samplesOf(item) {
		return Number(item.dataset.s);
	}

	chooseBox(box) {
		if (!box)
			return;
		this.enterAt(box);
		const item = box.parentElement;
		this.choose(item === this.zoomed ? null : item);
	}

	/* Zooms as the user wants it. */
	choose(item) {
		this.zoom(item);
		FlameGraph.changed();
	}

	/* The place of the zoomed box among its neighbours, and of those above, such as "0.2"; "": everything is shown. */
	get place() {
		const places = [];
		for (let at = this.zoomed; at && at !== this.view; at = at.parentElement.parentElement)
			places.unshift([...at.parentElement.children].indexOf(at));
		return places.join(".");
	}

	/* Searches for the text, and zooms to the box at the place, if there is one. */
	show(text, place) {
		this.search.value = text;
		this.find();
		let at = this.view;
		for (const index of place ? place.split(".") : [])
			at = at && at.querySelector(":scope > ul") && at.querySelector(":scope > ul").children[Number(index)];
		this.zoom(at && at !== this.view ? at : null);
	}

	/* Shows the item as wide as the picture; null: shows everything. */
	zoom(item) {
		for (const changed of this.view.querySelectorAll("[data-zoom]")) {
			delete changed.dataset.zoom;
			changed.hidden = false;
		}
		for (let at = item; at && at !== this.view; at = at.parentElement.parentElement) {
			at.dataset.zoom = "wide";
			for (const other of at.parentElement.children)
				if (other !== at) {
					other.dataset.zoom = "hidden";
					other.hidden = true;
				}
		}
		this.zoomed = item;
		this.button.hidden = !item;
		if (this.entry.parentElement.closest("[hidden]"))
			this.enterAt(item.firstElementChild);
		this.say();
	}

	/* Marks the boxes whose names contain all words, and counts the samples in them once. */
	find() {
		FlameGraph.text = this.search.value;
		const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
		for (const box of this.boxes) {
			const name = box.firstChild.data.toLowerCase();
			box.parentElement.classList.toggle("found", words.length > 0 && words.every(word => name.includes(word)));
		}
		this.say();
	}

	say() {
		const all = this.samplesOf(this.view), found = [...this.view.querySelectorAll(".found")];
		const samples = found.filter(item => !item.parentElement.closest(".found"))
			.reduce((sum, item) => sum + this.samplesOf(item), 0);
		const parts = [];
		if (this.search.value.trim())
			parts.push(`${found.length} of ${this.boxes.length} boxes, ${(100 * samples / all).toFixed(1)}% of the samples`);
		if (this.zoomed)
			parts.push(`zoomed to ${this.zoomed.firstElementChild.title}`);
		this.status.value = parts.join("; ");
	}

	/* What is shown beside the item, before (-1) or after it (1). */
	beside(item, direction) {
		const next = direction < 0 ? item.previousElementSibling : item.nextElementSibling;
		return next && !next.hidden ? next : null;
	}

	handleKey(event) {
		const box = event.target.closest("span");
		if (!box || event.ctrlKey || event.altKey || event.metaKey)
			return;
		const item = box.parentElement, moves = {
			ArrowDown: () => item.querySelector("li:not([hidden])"),
			ArrowUp: () => item.parentElement.closest(".flame li"),
			ArrowRight: () => this.beside(item, 1),
			ArrowLeft: () => this.beside(item, -1),
			Home: () => this.view.querySelector("li:not([hidden])"),
		};
		if (event.key === "Enter" || event.key === " ")
			this.chooseBox(box);
		else if (event.key === "Escape" || event.key === "0")
			this.choose(null);
		else if (moves[event.key])
			this.focus(moves[event.key]());
		else
			return;
		event.preventDefault();
	}

	focus(item) {
		if (!item)
			return;
		this.enterAt(item.firstElementChild);
		item.firstElementChild.focus();
	}
}

/* What is searched for, also in the picture of another selection; and what is called when the user changes the picture. */
FlameGraph.text = "";
FlameGraph.changed = () => {};

function startFlames(root) {
	for (const view of root.querySelectorAll(".flame"))
		new FlameGraph(view);
}

startFlames(document);
