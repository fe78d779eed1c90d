/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables with many rows show the first ones, a button for all rows, and a box that searches the first column.
 * Without JavaScript all rows are shown.
 */
"use strict";

const FIRST_ROWS = 20;

class LongTable {
	constructor(table) {
		this.table = table;
		this.all = false;
		this.box = document.createElement("input");
		this.box.type = "search";
		this.box.setAttribute("aria-label", `find in ${table.tHead.rows[0].cells[0].textContent}s`);
		this.box.placeholder = "find";
		this.count = document.createElement("output");
		this.button = document.createElement("button");
		this.button.type = "button";
		const head = document.createElement("p");
		head.className = "find";
		head.append(this.box, this.count);
		const foot = document.createElement("p");
		foot.className = "find";
		foot.append(this.button);
		table.parentElement.before(head);
		table.parentElement.after(foot);
		this.box.addEventListener("input", () => this.update());
		this.button.addEventListener("click", () => {
			this.all = !this.all;
			this.update();
		});
		table.addEventListener("sorted", () => this.update());
		this.update();
	}

	/* Rows that match the search are shown wherever they are. */
	update() {
		const words = this.box.value.toLowerCase().split(/\s+/).filter(Boolean);
		const rows = [...this.table.tBodies[0].rows];
		let found = 0;
		rows.forEach((row, place) => {
			const name = row.cells[0].textContent.toLowerCase();
			const fits = words.every(word => name.includes(word));
			found += fits;
			row.hidden = !fits || (!words.length && !this.all && place >= FIRST_ROWS && !row.classList.contains("marked"));
		});
		this.count.value = words.length ? `${found} of ${rows.length}` : "";
		this.button.textContent = this.all ? `show the first ${FIRST_ROWS}` : `show all ${rows.length}`;
		this.button.hidden = words.length > 0;
	}
}

function shorten(table) {
	if (table.tBodies[0].rows.length > FIRST_ROWS)
		new LongTable(table);
}

for (const table of document.querySelectorAll("table.sortable"))
	shorten(table);
