/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads numbers of seven bits per byte, as written by bytes_put() and base64_put_number(), from base64. */
"use strict";

class ByteReader {
	constructor(text) {
		this.bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0));
		this.at = 0;
	}

	get ended() {
		return this.at >= this.bytes.length;
	}

	next() {
		let number = 0;
		for (let scale = 1; !this.ended; scale *= 128) {
			const byte = this.bytes[this.at++];
			number += (byte & 127) * scale;
			if (byte < 128)
				break;
		}
		return number;
	}

	/* 0, -1, 1, -2, ... */
	nextSigned() {
		const number = this.next();
		return number % 2 ? -(number + 1) / 2 : number / 2;
	}
}
