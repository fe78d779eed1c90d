/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Links a region's row to its stretches in the timeline. Choosing the row (click, Enter or Space on it) underlines
 * its stretches and moves the timeline to its longest wait (to its longest stretch if threads did not wait there).
 * Choosing a stretch marks the row and does not scroll the page; a button leads to the row.
 */
"use strict";

class Marks {
	/* barLayer: of the timeline, or null if the page has no events. */
	constructor(timeline, table, barLayer) {
		this.timeline = timeline;
		this.table = table;
		this.barLayer = barLayer;
		this.construct = -1;
		this.stretches = [];
		this.changed = () => {};
		/* Whether the lane, between the two times, belongs to the selection. */
		this.isSelected = () => true;
		this.status = document.createElement("p");
		this.status.className = "status";
		this.status.setAttribute("role", "status");
		this.addRowButton();
		timeline.view.closest("section").querySelector(".controls").after(this.status);
		timeline.overlays.push(this);
		timeline.view.addEventListener("click", event => this.choosePoint(event));
		timeline.view.addEventListener("keydown", event => {
			if (event.key !== " ")
				return;
			event.preventDefault();
			this.chooseStretch();
		});
		this.addRows();
	}

	/*
	 * Makes each row reachable by keys: Tab reaches one row, other keys the rest. Called again for other rows.
	 */
	addRows() {
		const rows = this.rows;
		rows.forEach((row, place) => {
			row.tabIndex = place === 0 ? 0 : -1;
			row.classList.add("region");
		});
		if (this.listens === this.table.tBodies[0])
			return;
		this.listens = this.table.tBodies[0];
		this.listens.addEventListener("click", event => {
			if (!event.target.closest("a, button") && getSelection().isCollapsed)
				this.chooseRow(event.target.closest("tr"));
		});
		this.listens.addEventListener("keydown", event => this.handleKey(event));
		this.showRow();
	}

	get rows() {
		return [...this.table.tBodies[0].rows].filter(row => row.dataset.construct !== undefined);
	}

	handleKey(event) {
		const row = event.target.closest("tr");
		if (event.target !== row || event.ctrlKey || event.altKey || event.metaKey)
			return;
		const shown = this.rows.filter(other => !other.hidden), place = shown.indexOf(row);
		if (event.key === "Enter" || event.key === " ")
			this.chooseRow(row);
		else if (event.key === "ArrowDown" || event.key === "ArrowUp")
			this.focusRow(shown[place + (event.key === "ArrowDown" ? 1 : -1)]);
		else if (event.key === "Escape")
			this.clear();
		else
			return;
		event.preventDefault();
	}

	/* The Tab key will reach the table at this row. */
	enterAt(row) {
		for (const other of this.rows)
			other.tabIndex = other === row ? 0 : -1;
	}

	focusRow(row) {
		if (!row)
			return;
		this.enterAt(row);
		row.focus();
	}

	/* Marks the row's region, or removes the mark if it is already marked. */
	chooseRow(row) {
		const construct = row ? Number(row.dataset.construct) : NaN;
		if (!Number.isInteger(construct))
			return;
		if (construct === this.construct) {
			this.clear();
			return;
		}
		this.mark(construct);
		this.jump();
		this.changed();
	}

	clear() {
		this.mark(-1);
		this.changed();
	}

	/* Marks the construct's stretches and its row. */
	mark(construct) {
		this.construct = construct;
		this.stretches = construct < 0 ? [] : this.timeline.lanes.map(lane => this.stretchesOf(lane, construct));
		this.timeline.keepPlace(() => {
			this.say(construct < 0 ? "" : `Marked: ${this.nameOf(construct)}, ${this.countText()}`);
			this.showRow();
			this.timeline.draw();
		});
	}

	/* Shows what is marked, with a link to its row. */
	say(text) {
		this.text = text;
		this.status.textContent = text;
		if (text)
			this.status.append(" ", this.rowButton);
	}

	addRowButton() {
		this.rowButton = document.createElement("button");
		this.rowButton.type = "button";
		this.rowButton.textContent = "go to its row";
		this.rowButton.addEventListener("click", () => {
			const row = this.rowOf(this.construct);
			row.scrollIntoView({ block: "center" });
			this.focusRow(row);
		});
	}

	nameOf(construct) {
		const row = this.rowOf(construct);
		const used = this.timeline.data.indices.indexOf(construct);
		return row ? row.cells[0].textContent : used < 0 ? "a region without a row" : this.timeline.data.constructs[used];
	}

	countText() {
		const count = this.stretches.reduce((sum, { begins }) => sum + begins.length, 0);
		return count === 1 ? "1 stretch" : `${count} stretches`;
	}

	/* All visits if these are known; otherwise the runs of which it takes most of the time. */
	stretchesOf(lane, construct) {
		const found = { begins: [], ends: [] }, number = this.timeline.data.indices.indexOf(construct);

		function add(begin, end) {
			const last = found.ends.length - 1;
			if (last >= 0 && found.ends[last] >= begin) {
				found.ends[last] = Math.max(found.ends[last], end);
				return;
			}
			found.begins.push(begin);
			found.ends.push(end);
		}

		if (this.barLayer) {
			const visits = [];
			this.barLayer.bars.forEach(lane.index, -1, this.timeline.data.units, (begin, end, other) => {
				if (other === construct)
					visits.push([begin, end]);
			});
			visits.sort(([one], [other]) => one - other).forEach(([begin, end]) => add(begin, end));
		} else {
			lane.constructs.forEach((other, run) => {
				if (other === number && number >= 0)
					add(lane.begins[run], lane.begins[run + 1]);
			});
		}
		return found;
	}

	rowOf(construct) {
		return this.rows.find(row => row.dataset.construct === String(construct));
	}

	showRow() {
		this.rowButton.hidden = !this.rowOf(this.construct);
		for (const row of this.rows) {
			const marked = row.dataset.construct === String(this.construct);
			row.classList.toggle("marked", marked);
			if (marked)
				row.setAttribute("aria-current", "true");
			else
				row.removeAttribute("aria-current");
		}
		this.table.dispatchEvent(new Event("sorted"));
	}

	/*
	 * The longest wait in the construct within the selection; for runs with shares, the one with most waiting.
	 * If there is none, the construct's longest stretch.
	 */
	findWorst() {
		const { data, lanes } = this.timeline;
		const number = data.indices.indexOf(this.construct);
		let worst = null, longest = null;
		for (const lane of lanes) {
			const waits = lane.mixes.tables.map(table => data.waits.reduce((sum, activity) => sum + table[activity], 0));
			lane.constructs.forEach((construct, run) => {
				const begin = lane.begins[run], end = lane.begins[run + 1];
				const wait = (end - begin) * waits[lane.numbers[run]];
				if (construct === number && number >= 0 && wait > (worst ? worst.wait : 0) && this.isSelected(lane, begin, end))
					worst = { lane, begin, end, wait };
			});
			const { begins, ends } = this.stretches[lane.index];
			begins.forEach((begin, i) => {
				if ((!longest || ends[i] - begin > longest.end - longest.begin) && this.isSelected(lane, begin, ends[i]))
					longest = { lane, begin, end: ends[i] };
			});
		}
		return worst || longest;
	}

	/* Shows the worst stretch with an equal amount of time on both sides. */
	jump() {
		const worst = this.findWorst();
		const { timeline } = this;
		if (!worst)
			return;
		const length = worst.end - worst.begin;
		timeline.show(worst.begin - length, worst.end + length);
		const seconds = length * timeline.data.unit;
		this.say(this.text + `; here its ${worst.wait ? "longest wait" : "longest stretch"}: ` +
			`${timeline.data.labels[worst.lane.index]} for ${formatTime(seconds, seconds / 1000)}`);
		timeline.pointAt(worst.lane, worst.begin);
	}

	/* Chooses the bar, or else the lane, under the pointer. */
	choosePoint(event) {
		this.timeline.point(event.clientX, event.clientY);
		this.chooseStretch();
	}

	/* Chooses what is at the cursor. The page does not scroll. */
	chooseStretch() {
		const { timeline } = this;
		const [lane, run] = timeline.runThere();
		if (!lane)
			return;
		const bar = this.barLayer && this.barLayer.bars.find(lane.index, timeline.time);
		const number = lane.constructs[run];
		const construct = number >= 0 ? timeline.data.indices[number] : bar ? bar.construct : -1;
		if (construct !== this.construct) {
			this.mark(construct);
			this.changed();
		}
		const row = this.rowOf(construct);
		if (row)
			this.enterAt(row);
	}

	/* Draws a line below the lanes for the marked stretches. */
	draw(timeline, pen, from, to, dense) {
		if (this.construct < 0)
			return;
		const height = pen.canvas.height / timeline.rows.length, scale = pen.canvas.width / (to - from);
		pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
		timeline.rows.forEach(({ lanes }, row) => {
			const bottom = Math.round(row * height) + timeline.laneHeight(dense);
			for (const { index } of lanes) {
				const { begins, ends } = this.stretches[index];
				let drawn = -1;
				for (let i = firstAfter(ends, from); i < begins.length && begins[i] < to; i++) {
					const left = Math.max(drawn, Math.floor((begins[i] - from) * scale));
					const right = Math.ceil((ends[i] - from) * scale);
					if (right > left)
						pen.fillRect(left, bottom, right - left, 2 * dense);
					drawn = Math.max(drawn, right);
				}
			}
		});
	}
}
