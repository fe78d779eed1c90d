/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The analysis in the page: the WebAssembly program (engine/engine.c) and the run that it analyses. It needs nothing
 * of the browser; calls of its C library to an operating system fail.
 */
"use strict";

const NOT_SUPPORTED = 58; /* WASI's errno */

function bytesOf(text) {
	return Uint8Array.from(atob(text), character => character.charCodeAt(0));
}

class Engine {
	/* null if the browser does not support it, or if the page has neither events nor sums. */
	static async open(run) {
		if (!engineCode || !run.definitions || !window.WebAssembly)
			return null;
		const module = await WebAssembly.compile(bytesOf(engineCode));
		const wasi = {};
		for (const { name } of WebAssembly.Module.imports(module))
			wasi[name] = () => NOT_SUPPORTED;
		wasi.proc_exit = status => {
			throw new Error(`the analysis ended with status ${status}`);
		};
		const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi });
		instance.exports._initialize();
		const engine = new Engine(instance.exports);
		return engine.take(run) ? engine : null;
	}

	constructor(calls) {
		this.calls = calls;
	}

	put(bytes) {
		const at = this.calls.room(bytes.length);
		new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
		return at;
	}

	take(run) {
		const definitions = bytesOf(run.definitions), data = bytesOf(run.events || run.sums);
		return this.calls[run.events ? "open" : "open_sums"](this.put(definitions), definitions.length, this.put(data), data.length);
	}

	/*
	 * Returns the sections as HTML, or null if no thread is selected. from, to: in ns, or in steps if there are
	 * sums; to null: the end.
	 */
	select({ from, to, thread, rank, region }) {
		const texts = new TextEncoder().encode([thread, rank, region, ""].map(text => text.replaceAll("\0", "")).join("\0"));
		const at = this.calls.select(from || 0, to === null ? -1 : to, this.put(texts));
		if (at === 0)
			return null;
		const memory = new Uint8Array(this.calls.memory.buffer);
		return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
	}
}
