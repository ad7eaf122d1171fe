/*
 * The HTML pages. All have the same constant style and script, so that one content policy allows
 * exactly these. The writers of report/ escape untrusted text.
 */
#pragma once

#include "cgi/request.h"
#include "report/doc.h"

/* Appends the value of Content-Security-Policy. */
void od_page_policy(struct od_buf *to);

/* Appends the page with the form. */
void od_page_ask(const struct od_cgi_settings *settings, struct od_buf *to);

/* Appends the contents of the form's <main>. */
void od_page_ask_parts(const struct od_cgi_settings *settings, struct od_buf *to);

/* A shipped example log. */
struct od_page_example {
    const char *name;  /* name in ?example= */
    const char *file;  /* file name in the report */
    const char *words; /* description of the failure */
    bool is_model;     /* the example is a model for the planner, not a log */
    struct od_view bytes;
};

/* Gets the i-th example; false beyond the last. */
bool od_page_example_at(size_t i, struct od_page_example *ret_example);

/* Appends the answer with its document. od_page_end appends the end. */
void od_page_document(const struct od_doc *doc, struct od_buf *to);

/*
 * Appends the end of the answer. markdown and json are the same answer in these formats, which the
 * page's script can copy or save; both may be empty.
 */
void od_page_end(struct od_view markdown, struct od_view json, struct od_buf *to);

/* An error page. why: our own words, one sentence, starting in lower case. help: may contain text
 * of the user. */
struct od_page_problem {
    unsigned status;
    const char *why;
    const char *help; /* may be NULL */
};

void od_page_problem(const struct od_page_problem *problem, bool json, struct od_buf *to);

/* The reason phrase of a status: "Bad Request". */
const char *od_page_status(unsigned status);
