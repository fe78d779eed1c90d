/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of groups with a script: a click on a group opens the list of its ranks, and a click on one of these, or on
 * a group's fastest or slowest, shows the rank. The address has the chosen rank after its "#", as in #rank=17.
 */
"use strict";

class RankGroups {
	constructor(table, data) {
		this.table = table;
		this.data = data;
		this.members = [];
		data.groups.forEach((group, rank) => (this.members[group] = this.members[group] || []).push(rank));
		this.all = data.parts.map((_, part) => data.rangeOf(data.groups.map((_, rank) => rank), part));
		this.ranges = this.members.map(ranks => data.parts.map((_, part) => data.rangeOf(ranks, part)));
		this.group = -1;
		this.rows = [...table.tBodies[0].rows];
		this.rows.forEach((row, group) => this.addButtons(row, group));
		this.addFinder();
		table.addEventListener("keydown", event => {
			if (event.key === "Escape" && this.group >= 0)
				this.close(true);
		});
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
		window.addEventListener("hashchange", () => this.apply());
		this.apply();
	}

	addButtons(row, group) {
		const details = row.querySelector("details"), button = element("button", { type: "button" }, details.querySelector("summary").textContent);
		button.setAttribute("aria-expanded", false);
		button.addEventListener("click", () => this.group === group ? this.close(false) : this.open(group));
		details.replaceWith(button);
		row.querySelector(".over-time").addEventListener("click", () => button.click());
		for (const cell of row.querySelectorAll("[data-rank]")) {
			const name = cell.querySelector("span"), end = element("button", { type: "button" }, name.textContent);
			end.addEventListener("click", () => this.show(Number(cell.dataset.rank)));
			name.replaceWith(end);
		}
	}

	addFinder() {
		const { data } = this, output = element("output", {}), input = element("input", { type: "search", placeholder: "number" });
		input.inputMode = "numeric";
		input.setAttribute("aria-label", `find a ${data.one}`);
		input.addEventListener("input", () => {
			const text = input.value.trim(), rank = /^\d+$/.test(text) ? data.index.get(Number(text)) : undefined;
			output.value = text === "" || rank !== undefined ? "" : `no ${data.one} ${text}`;
			if (rank !== undefined)
				this.show(rank);
		});
		this.table.parentElement.before(element("p", { className: "find" }, element("label", {}, `find a ${data.one} `, input), output));
	}

	buttonOf(group) {
		return this.rows[group].querySelector("th button");
	}

	close(focuses) {
		if (this.group < 0)
			return;
		const button = this.buttonOf(this.group);
		button.setAttribute("aria-expanded", false);
		this.list.close();
		this.details.close();
		this.panel.remove();
		this.group = -1;
		this.note(-1);
		if (focuses)
			button.focus();
	}

	open(group) {
		if (this.group === group)
			return;
		this.close(false);
		const { data } = this, ranks = this.members[group], columns = this.columnsOf(group);
		this.group = group;
		this.details = new RankDetails(data, step => this.list.key(new KeyboardEvent("keydown", { key: step > 0 ? "ArrowDown" : "ArrowUp" })));
		this.list = new RankList(data, ranks, columns, rank => this.showDetails(rank));
		const order = this.addOrder(ranks);
		const heads = element("p", { className: "heads" }, element("span", {}, data.one), element("span", {}, "over time"),
			...columns.map(part => element("span", { className: "figure" }, data.parts[part][0])));
		heads.setAttribute("aria-hidden", true);
		const cell = element("td", { colSpan: this.table.tHead.rows[0].cells.length },
			element("div", { className: "members" }, element("div", { className: "list" }, order, heads, this.list.box), this.details.box));
		this.panel = element("tr", { className: "opened" }, cell);
		this.rows[group].after(this.panel);
		this.buttonOf(group).setAttribute("aria-expanded", true);
		this.list.redraw();
	}

	/* The parts that the list has figures of: computation, and the part in which the group's ranks differ most. */
	columnsOf(group) {
		const ranges = this.ranges[group];
		let widest = this.data.pace || Math.min(1, this.data.parts.length - 1);
		ranges.forEach(({ least, most }, part) => {
			if (part > 0 && most - least > ranges[widest].most - ranges[widest].least)
				widest = part;
		});
		return [...new Set([0, widest])];
	}

	addOrder(ranks) {
		const { data } = this, select = element("select", {}, element("option", { value: "" }, "by number"),
			...data.parts.map(([title], part) => element("option", { value: part }, `most ${title} first`)));
		select.addEventListener("change", () => {
			const part = Number(select.value);
			this.list.order(select.value === "" ? ranks : [...ranks].sort((one, other) => data.shareOf(other, part) - data.shareOf(one, part) || one - other));
		});
		return element("p", { className: "find" }, element("label", {}, "order ", select));
	}

	/* Opens the rank's group and shows the rank. */
	show(rank) {
		this.open(this.data.groups[rank]);
		this.list.choose(rank);
		this.reveal();
	}

	/* Scrolls the open group into view, and never sideways. */
	reveal() {
		const { top, bottom } = this.panel.getBoundingClientRect();
		if (top < 0 || bottom > innerHeight)
			scrollBy(0, Math.min(top - 60, Math.max(0, bottom - innerHeight + 10)));
	}

	showDetails(rank) {
		this.details.show(rank, this.all, this.ranges[this.group]);
		this.note(rank);
	}

	redraw() {
		if (this.group < 0)
			return;
		this.list.redraw();
		this.details.draw();
	}

	/* The chosen rank in the address, without a step for "back". */
	note(rank) {
		const hash = rank < 0 ? "" : `#rank=${this.data.numbers[rank]}`;
		if (location.hash !== hash && (rank >= 0 || location.hash.startsWith("#rank=")))
			history.replaceState(null, "", hash || location.pathname + location.search);
	}

	apply() {
		const number = /^#rank=(\d{1,9})$/.exec(location.hash), rank = number ? this.data.index.get(Number(number[1])) : undefined;
		if (rank !== undefined)
			this.show(rank);
	}
}

function startGroups() {
	const table = document.querySelector("table.groups"), data = parseBlock("rank-data");
	return table && data ? new RankGroups(table, new RankData(data)) : null;
}

const rankGroups = startGroups();
