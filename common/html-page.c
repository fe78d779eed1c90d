/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame and the style that the small pages share. */
#include "common/html-page.h"

#include "common/html-text.h"

#include <limits.h>

static const char shared_style[] =
    ":root{color-scheme:light dark;--page:#f6f7f9;--sheet:#fff;--ink:#1a1f27;--quiet:#5d6673;"
    "--line:#dde1e7;--point:#2166ac;--gain:#37a065}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#12151a;--sheet:#1a1e25;--ink:#e6e9ee;"
    "--quiet:#9aa4b1;--line:#2e343e;--point:#6bb0ee;--gain:#50d096}}\n"
    "body{margin:0 auto;max-width:76rem;padding:1.5rem;background:var(--page);color:var(--ink);"
    "font:15px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;overflow-wrap:anywhere}\n"
    "section{overflow-x:auto;margin:1rem 0;padding:1rem;background:var(--sheet);"
    "border:1px solid var(--line);border-radius:10px}\n"
    "code{overflow-wrap:anywhere}\n"
    ".quiet{color:var(--quiet)}\n";

void html_page_begin(FILE *out, const char *kind, const char *name, const char *style)
{
	fprintf(out,
	    "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
	    "<meta name='viewport' content='width=device-width,initial-scale=1'><title>%s: ",
	    kind);
	html_page_put(out, name);
	fprintf(out, "</title><style>\n%s%s</style></head><body>\n<h1>", shared_style, style);
	html_page_put(out, name);
	fputs("</h1>\n", out);
}

void html_page_put(FILE *out, const char *text)
{
	html_put_text(out, text != NULL ? text : "", INT_MAX, false);
}

void html_page_end(FILE *out)
{
	fputs("</body></html>\n", out);
}
