/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A terminal as a screen of lines, and its keys. The control sequences are those of ECMA-48, which
 * all of today's terminals obey.
 */
#ifndef TERMINAL_SCREEN_H
#define TERMINAL_SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

struct screen {
	struct termios saved;
	int width, height;
	bool has_ended; /* the terminal is gone */
	FILE *out;
	int row; /* of the frame that is drawn, from 0 */
};

/* Characters are themselves. */
enum screen_key {
	KEY_NONE = 0,
	KEY_ENTER = '\n',
	KEY_ESCAPE = 27,
	KEY_BACKSPACE = 127,
	KEY_UP = 256,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_F1, /* to KEY_F1 + 9 for F10 */
	KEY_LAST = KEY_F1 + 9,
};

enum screen_style { STYLE_PLAIN, STYLE_BOLD, STYLE_REVERSE };

/* Returns whether input and output are a terminal that can be such a screen. */
bool screen_is_possible(void);

/* Takes the terminal; screen_close() gives it back as it was. False: it cannot. */
bool screen_open(struct screen *screen);
void screen_close(struct screen *screen);

/* Reads the size anew; returns whether it changed. */
bool screen_measure(struct screen *screen);

/* The next key, or KEY_NONE after so many milliseconds. */
int screen_key(struct screen *screen, int milliseconds);

/* A frame: begin, lines from the top, end. Lines beyond the last row are left out. */
void screen_begin(struct screen *screen);
void screen_put(struct screen *screen, enum screen_style style, const char *text);
void screen_end(struct screen *screen);

#endif
