/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a group, of which only those in view are in the document. The arrow keys, Page up and down, Home and
 * End choose a rank, and so does a click.
 */
"use strict";

/* Rows beyond the visible ones, so that scrolling does not show gaps. */
const MORE_ROWS = 4;

class RankList {
	/* chosen: called with the rank that is chosen; columns: the parts whose shares the rows have. */
	constructor(data, ranks, columns, chosen) {
		Object.assign(this, { data, columns, chosen, rank: -1, shown: new Map() });
		this.ranks = ranks;
		this.box = document.createElement("div");
		this.box.className = "rows";
		this.box.tabIndex = 0;
		this.box.setAttribute("role", "listbox");
		this.box.setAttribute("aria-label", `${data.several} of this group`);
		this.content = document.createElement("div");
		this.content.setAttribute("role", "presentation");
		this.box.append(this.content);
		this.box.addEventListener("scroll", () => this.draw());
		this.box.addEventListener("keydown", event => this.key(event));
		this.box.addEventListener("click", event => {
			const option = event.target.closest("[role=option]");
			if (option)
				this.choose(Number(option.dataset.rank));
		});
		this.observer = new ResizeObserver(() => this.redraw());
		this.observer.observe(this.box);
	}

	close() {
		this.observer.disconnect();
	}

	/* Height of a row in pixels, as the style sheet has it. */
	get height() {
		return parseFloat(getComputedStyle(this.box).getPropertyValue("--rank-row")) *
			parseFloat(getComputedStyle(document.documentElement).fontSize);
	}

	/* The ranks in this order. */
	order(ranks) {
		this.ranks = ranks;
		this.redraw();
		if (this.rank >= 0)
			this.reveal();
	}

	redraw() {
		for (const option of this.shown.values())
			option.remove();
		this.shown.clear();
		this.content.style.height = `${this.ranks.length * this.height}px`;
		this.draw();
	}

	draw() {
		const { height } = this, first = Math.max(0, Math.floor(this.box.scrollTop / height) - MORE_ROWS);
		const last = Math.min(this.ranks.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / height) + MORE_ROWS);
		for (const [place, option] of this.shown)
			if (place < first || place >= last) {
				option.remove();
				this.shown.delete(place);
			}
		for (let place = first; place < last; place++)
			if (!this.shown.has(place))
				this.shown.set(place, this.addRow(place, height));
		this.mark();
	}

	addRow(place, height) {
		const { data } = this, rank = this.ranks[place], option = document.createElement("div"), name = document.createElement("span");
		const canvas = document.createElement("canvas");
		option.id = `rank-row-${rank}`;
		option.dataset.rank = rank;
		option.setAttribute("role", "option");
		option.setAttribute("aria-setsize", this.ranks.length);
		option.setAttribute("aria-posinset", place + 1);
		option.style.top = `${place * height}px`;
		name.append(data.nameOf(rank), " ", element("small", {}, data.labelOf(rank)));
		option.title = `${data.nameOf(rank)} ${data.labelOf(rank)}`;
		option.append(name, canvas, ...this.columns.map(part => {
			const figure = document.createElement("span");
			figure.className = "figure";
			figure.textContent = formatShare(data.shareOf(rank, part));
			return figure;
		}));
		this.content.append(option);
		drawRank(canvas, data, rank);
		return option;
	}

	mark() {
		for (const option of this.shown.values())
			option.setAttribute("aria-selected", Number(option.dataset.rank) === this.rank);
		if (this.rank >= 0 && document.getElementById(`rank-row-${this.rank}`))
			this.box.setAttribute("aria-activedescendant", `rank-row-${this.rank}`);
		else
			this.box.removeAttribute("aria-activedescendant");
	}

	/* Scrolls the chosen rank into the list's view. */
	reveal() {
		const top = this.ranks.indexOf(this.rank) * this.height;
		if (top < this.box.scrollTop)
			this.box.scrollTop = top;
		else if (top + this.height > this.box.scrollTop + this.box.clientHeight)
			this.box.scrollTop = top + this.height - this.box.clientHeight;
		this.draw();
	}

	choose(rank) {
		this.rank = rank;
		this.reveal();
		this.chosen(rank);
	}

	key(event) {
		const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1), last = this.ranks.length - 1;
		const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
		if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey)
			return;
		event.preventDefault();
		const place = this.ranks.indexOf(this.rank);
		const next = place < 0 ? (event.key === "End" ? last : 0) : Math.max(0, Math.min(last, place + moves[event.key]));
		this.choose(this.ranks[next]);
	}
}
