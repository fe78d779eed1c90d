/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank: what it does over time, its times beside those of its group and of all ranks, and its threads. */
"use strict";

const THREADS_SHOWN = 64;

function element(tag, properties, ...content) {
	const made = Object.assign(document.createElement(tag), properties);
	made.append(...content);
	return made;
}

class RankDetails {
	/* step: called with 1 or -1 for the next or previous rank of the list. */
	constructor(data, step) {
		this.data = data;
		this.step = step;
		this.box = element("div", { className: "details" });
		this.box.setAttribute("role", "region");
		this.box.setAttribute("aria-label", `the chosen ${data.one}`);
		this.showNone();
		this.observer = new ResizeObserver(() => this.draw());
	}

	close() {
		this.observer.disconnect();
	}

	showNone() {
		this.box.replaceChildren(element("p", { className: "quiet" }, `Choose a ${this.data.one} to see its times and its threads.`));
	}

	/* all, group: of each part the mean, least and most of all ranks and of its group. */
	show(rank, all, group) {
		const { data } = this;
		this.rank = rank;
		this.canvas = element("canvas", {});
		this.observer.disconnect();
		this.box.replaceChildren(this.head(rank), this.canvas, this.axis(),
			element("div", { className: "wide" }, this.times(rank, all, group)), ...this.threads(rank), this.command(rank));
		this.canvas.setAttribute("role", "img");
		this.canvas.setAttribute("aria-label", `what ${data.nameOf(rank)} does over time`);
		this.observer.observe(this.canvas);
		this.draw();
	}

	draw() {
		if (this.canvas && this.canvas.clientWidth > 0)
			drawRank(this.canvas, this.data, this.rank);
	}

	head(rank) {
		const buttons = [["\u2039", "previous", -1], ["\u203a", "next", 1]].map(([text, word, step]) => {
			const button = element("button", { type: "button", title: `${word} ${this.data.one} of the list` }, text);
			button.setAttribute("aria-label", button.title);
			button.addEventListener("click", () => this.step(step));
			return button;
		});
		return element("p", { className: "find" }, element("strong", {}, this.data.nameOf(rank), " ",
			element("small", { className: "quiet" }, this.data.labelOf(rank))), ...buttons);
	}

	axis() {
		const { begin, length } = this.data;
		return element("div", { className: "row-axis" },
			...[0, 0.5, 1].map(place => element("span", {}, formatTime((begin + length * place) / 1e9, length / 1e12, (begin + length) / 1e9))));
	}

	/* The parts of its time, and on a scale from the least to the most of all ranks: where it is, and its group's mean. */
	times(rank, all, group) {
		const { data } = this, table = element("table", {}), body = element("tbody", {});
		const head = ["part", "time", "share", "group", "all", "least to most of all"];
		table.append(element("thead", {}, element("tr", {}, ...head.map(text => {
			const cell = element("th", { scope: "col" }, text);
			if (text === "time")
				cell.title = "the mean of its threads";
			return cell;
		}))), body);
		data.parts.forEach(([title, css], part) => {
			const share = data.shareOf(rank, part), { least, most } = all[part];
			const scale = element("span", { className: "scale" }), place = value => (value - least) / (most - least) * 100;
			scale.title = `${formatShare(least)} to ${formatShare(most)}`;
			for (const [name, value] of most > least ? [["of-group", group[part].mean], ["of-rank", share]] : []) {
				const mark = element("i", { className: name });
				mark.style.left = `${place(value)}%`;
				scale.append(mark);
			}
			body.append(element("tr", {}, element("th", { scope: "row" }, element("span", { className: `swatch ${css}` }), title),
				...[formatNanoseconds(data.timeOf(rank, part) / data.threads[rank]), formatShare(share), formatShare(group[part].mean),
					formatShare(all[part].mean)].map(text => element("td", {}, text)), element("td", {}, scale)));
		});
		return table;
	}

	threads(rank) {
		const { data } = this, count = data.threads[rank], parts = data.parts.length;
		if (count < 2 || !data.threadTimes)
			return [];
		const list = element("ol", { className: "threads", start: 0 });
		for (let thread = 0; thread < Math.min(count, THREADS_SHOWN); thread++) {
			const times = data.threadTimes.slice((data.firstThread[rank] + thread) * parts, (data.firstThread[rank] + thread + 1) * parts);
			const bar = element("span", { className: "stack" });
			times.forEach((time, part) => {
				const piece = element("i", { className: data.parts[part][1] });
				piece.style.width = `${time / data.wall * 100}%`;
				bar.append(piece);
			});
			const words = times.map((time, part) => [time, data.parts[part][0]]).filter(([time]) => time > 0)
				.sort(([one], [other]) => other - one).map(([time, title]) => `${title} ${formatNanoseconds(time)}`).join(", ");
			bar.title = words;
			bar.setAttribute("role", "img");
			bar.setAttribute("aria-label", words);
			list.append(element("li", {}, element("span", {}, `thread ${thread}`), bar));
		}
		const rest = count > THREADS_SHOWN ? [element("p", { className: "quiet" }, `and ${count - THREADS_SHOWN} threads more`)] : [];
		return [element("h3", {}, "Its threads"), list, ...rest];
	}

	command(rank) {
		const words = ["ompreport", "html", `--rank=${this.data.numbers[rank]}`, this.data.archive].map(quoteForShell).join(" ");
		return element("p", { className: "quiet" }, `The page of this ${this.data.one} alone, with its regions and a timeline to zoom into: `,
			element("code", {}, words));
	}
}
