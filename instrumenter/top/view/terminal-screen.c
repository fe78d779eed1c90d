/* SPDX-License-Identifier: BSD-3-Clause */
/* Each frame overwrites the one before, line by line, so that nothing flickers. */
#include "terminal-screen.h"

#include "common/terminal-text.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ENTER_SCREEN  "\033[?1049h\033[?25l\033[2J"
#define LEAVE_SCREEN  "\033[?25h\033[?1049l"
#define TO_FIRST_LINE "\033[H"
#define CLEAR_LINE    "\033[K"
#define CLEAR_BELOW   "\033[J"

enum { WIDTH_DEFAULT = 80, HEIGHT_DEFAULT = 24, WIDTH_MIN = 40, WIDTH_MOST = 512, HEIGHT_MIN = 5 };

bool screen_is_possible(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal != NULL &&
	       terminal[0] != '\0' && strcmp(terminal, "dumb") != 0;
}

static int within(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

bool screen_measure(struct screen *screen)
{
	struct winsize size = {.ws_row = 0};
	int width = screen->width, height = screen->height;

	screen->width = WIDTH_DEFAULT;
	screen->height = HEIGHT_DEFAULT;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) {
		screen->width = within(size.ws_col, WIDTH_MIN, WIDTH_MOST);
		screen->height = within(size.ws_row, HEIGHT_MIN, WIDTH_MOST);
	}
	return width != screen->width || height != screen->height;
}

bool screen_open(struct screen *screen)
{
	*screen = (struct screen){.out = stdout};
	if (tcgetattr(STDIN_FILENO, &screen->saved) != 0)
		return false;
	struct termios raw = screen->saved;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	raw.c_cc[VSUSP] =
	    _POSIX_VDISABLE; /* a stopped program would leave the terminal like this */
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0)
		return false;
	screen_measure(screen);
	fputs(ENTER_SCREEN, screen->out);
	fflush(screen->out);
	return true;
}

void screen_close(struct screen *screen)
{
	fputs(LEAVE_SCREEN, screen->out);
	fflush(screen->out);
	tcsetattr(STDIN_FILENO, TCSANOW, &screen->saved);
}

/* What keys send behind the escape character; the others are ignored. */
static const struct {
	const char *sequence;
	int key;
} sequences[] = {
    {"[A", KEY_UP},
    {"OA", KEY_UP},
    {"[B", KEY_DOWN},
    {"OB", KEY_DOWN},
    {"[C", KEY_RIGHT},
    {"OC", KEY_RIGHT},
    {"[D", KEY_LEFT},
    {"OD", KEY_LEFT},
    {"[5~", KEY_PAGE_UP},
    {"[6~", KEY_PAGE_DOWN},
    {"[H", KEY_HOME},
    {"OH", KEY_HOME},
    {"[1~", KEY_HOME},
    {"[F", KEY_END},
    {"OF", KEY_END},
    {"[4~", KEY_END},
    {"OP", KEY_F1},
    {"[11~", KEY_F1},
    {"[[A", KEY_F1},
    {"OR", KEY_F1 + 2},
    {"[13~", KEY_F1 + 2},
    {"[[C", KEY_F1 + 2},
    {"OS", KEY_F1 + 3},
    {"[14~", KEY_F1 + 3},
    {"[[D", KEY_F1 + 3},
    {"[17~", KEY_F1 + 5},
    {"[21~", KEY_F1 + 9},
};

/* One byte, or -1: there is none now. */
static int read_byte(struct screen *screen, int milliseconds)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	unsigned char byte;

	if (poll(&input, 1, milliseconds) <= 0)
		return -1;
	ssize_t got = read(STDIN_FILENO, &byte, 1);
	if (got == 1)
		return byte;
	screen->has_ended = got == 0 || (errno != EINTR && errno != EAGAIN);
	return -1;
}

/* A sequence ends with a letter or '~'; a second '[' is part of one. */
static int read_sequence(struct screen *screen)
{
	char text[8] = "";
	size_t length = 0;
	int byte;

	while (length + 1 < sizeof text && (byte = read_byte(screen, 20)) >= 0) {
		text[length++] = (char)byte;
		text[length] = '\0';
		if (length > 1 && ((byte >= 'A' && byte <= 'Z') || byte == '~'))
			break;
	}
	if (length == 0)
		return KEY_ESCAPE;
	for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++)
		if (strcmp(sequences[i].sequence, text) == 0)
			return sequences[i].key;
	return KEY_NONE;
}

int screen_key(struct screen *screen, int milliseconds)
{
	int byte = read_byte(screen, milliseconds);

	if (byte == KEY_ESCAPE)
		return read_sequence(screen);
	if (byte == '\r')
		return KEY_ENTER;
	if (byte == '\b')
		return KEY_BACKSPACE;
	return byte > 0 ? byte : KEY_NONE;
}

void screen_begin(struct screen *screen)
{
	screen->row = 0;
	fputs(TO_FIRST_LINE, screen->out);
}

void screen_put(struct screen *screen, enum screen_style style, const char *text)
{
	static const char *const styles[] = {
	    [STYLE_PLAIN] = "", [STYLE_BOLD] = "\033[1m", [STYLE_REVERSE] = "\033[7m"};

	if (screen->row >= screen->height)
		return;
	if (screen->row++ > 0)
		fputs("\r\n", screen->out);
	fputs(styles[style], screen->out);
	text_print_fitted(screen->out, text, screen->width - 1, 1);
	if (style != STYLE_PLAIN)
		fputs("\033[0m", screen->out);
	fputs(CLEAR_LINE, screen->out);
}

void screen_end(struct screen *screen)
{
	fputs(CLEAR_BELOW, screen->out);
	if (fflush(screen->out) != 0)
		screen->has_ended = true;
}
