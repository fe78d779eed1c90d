/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of the timeline: one for each lane, and a heading over the lanes of each process, which opens and closes
 * them. A closed heading is a row that shows all of its lanes together.
 */
"use strict";

/* With more rows than this, processes are initially closed. */
const OPEN_ROWS_MAX = 80;

class RowTable {
	/* labels: the element with a child for each row; changed: called when the shown rows change. */
	constructor(data, lanes, labels, changed) {
		this.changed = changed;
		const spans = [...labels.children];
		const open = spans.length <= OPEN_ROWS_MAX;
		let lane = 0;
		this.items = [];
		while (lane < lanes.length) {
			const next = data.headings.find(([, first]) => first === lane);
			const heading = next ? this.addHeading(next[0], spans.shift(), lanes.slice(lane, lane + next[2]), open) : null;
			for (let i = next ? next[2] : 1; i > 0; i--, lane++)
				this.items.push({ name: data.labels[lane], lanes: [lanes[lane]], label: spans.shift(), heading });
		}
	}

	addHeading(name, label, lanes, open) {
		const button = document.createElement("button");
		const heading = { name, label, lanes: [], all: lanes, open, button };
		button.textContent = name;
		button.addEventListener("click", () => {
			heading.open = !heading.open;
			this.layOut();
		});
		label.replaceChildren(button);
		this.items.push(heading);
		return heading;
	}

	/* Determines the shown rows; each has a name and lanes, an open heading has no lanes. */
	layOut() {
		this.rows = this.items.filter(item => {
			if (item.button) {
				item.button.setAttribute("aria-expanded", item.open);
				item.lanes = item.open ? [] : item.all;
			}
			item.label.hidden = Boolean(item.heading && !item.heading.open);
			return !item.label.hidden;
		});
		this.changed();
	}

	/* Opens or closes the row's process; returns the index of the heading's row afterwards. */
	toggle(row) {
		const heading = this.rows[row].heading || this.rows[row];
		if (heading.button)
			heading.button.click();
		return Math.max(0, this.rows.indexOf(heading.button ? heading : this.rows[row]));
	}
}
