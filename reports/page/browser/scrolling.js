/* SPDX-License-Identifier: BSD-3-Clause */
/* Content wider or higher than its box can be scrolled by keys: the box can get the focus as long as it scrolls. */
"use strict";

function makeReachable(box) {
	const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
	const section = box.closest("section");
	if (scrolls && section) {
		box.tabIndex = 0;
		box.setAttribute("role", "group");
		box.setAttribute("aria-labelledby", section.getAttribute("aria-labelledby"));
	} else {
		for (const name of ["tabindex", "role", "aria-labelledby"])
			box.removeAttribute(name);
	}
}

const scrollObserver = new ResizeObserver(entries => {
	for (const entry of entries)
		makeReachable(entry.target.closest(".scroll, .multiples"));
});

function watchScrolling(root) {
	for (const box of root.querySelectorAll(".scroll, .multiples")) {
		scrollObserver.observe(box);
		for (const child of box.children)
			scrollObserver.observe(child);
	}
}

watchScrolling(document);
