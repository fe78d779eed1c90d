/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts a table when a column's head is clicked; a third click restores the initial order. */
"use strict";

/* A column is sorted by its cells' data-v if they have it, otherwise by their text. */
function valueOf(row, column) {
	const cell = row.cells[column];
	return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
}

function compare(one, other) {
	if (typeof one === "number" && typeof other === "number")
		return one - other;
	return String(one).localeCompare(String(other), undefined, { numeric: true });
}

/* By table: its rows in their initial order. */
const firstOrders = new WeakMap();

function sortBy(table, heading, column) {
	if (!firstOrders.has(table))
		firstOrders.set(table, [...table.tBodies[0].rows]);
	const names = typeof valueOf(table.tBodies[0].rows[0], column) === "string";
	const descending = heading.ariaSort ? heading.ariaSort === "ascending" : !names;
	const restores = heading.ariaSort === (names ? "descending" : "ascending");
	const rows = restores ? firstOrders.get(table) : [...table.tBodies[0].rows];
	if (!restores)
		rows.sort((one, other) => compare(valueOf(one, column), valueOf(other, column)) * (descending ? -1 : 1));
	for (const other of table.tHead.rows[0].cells)
		other.removeAttribute("aria-sort");
	if (!restores)
		heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
	table.classList.toggle("flat", !restores);
	table.tBodies[0].append(...rows);
	table.dispatchEvent(new Event("sorted"));
}

function addSorting(table) {
	[...table.tHead.rows[0].cells].forEach((heading, column) => {
		const button = document.createElement("button");
		button.textContent = heading.textContent;
		button.addEventListener("click", () => sortBy(table, heading, column));
		heading.replaceChildren(button);
	});
}

for (const table of document.querySelectorAll("table.sortable"))
	addSorting(table);
