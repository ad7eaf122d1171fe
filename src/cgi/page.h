/*
 * The pages: one style and one script for all of them, constant, so that one policy names what may
 * run. Whatever is not ours is escaped by the report's own writers.
 */
#pragma once

#include "cgi/request.h"
#include "report/doc.h"

/* The value of Content-Security-Policy. */
void od_page_policy(struct od_buf *to);

/* The page that asks. */
void od_page_ask(const struct od_cgi_settings *settings, struct od_buf *to);

/* The contents of <main>. */
void od_page_ask_parts(const struct od_cgi_settings *settings, struct od_buf *to);

/* A log we ship to be tried. */
struct od_page_example {
    const char *name;  /* as in ?example= */
    const char *file;  /* as the report calls it */
    const char *words; /* what happens in it */
    bool is_model;     /* for the planner */
    struct od_view bytes;
};

/* The i-th; false beyond the last. */
bool od_page_example_at(size_t i, struct od_page_example *ret_example);

/* The answer with a document in it, but for its end, which is for od_page_end. */
void od_page_document(const struct od_doc *doc, struct od_buf *to);

/*
 * Ends it. markdown and json are the same answer in those formats, for who has a script to copy or
 * keep them; both may be empty.
 */
void od_page_end(struct od_view markdown, struct od_view json, struct od_buf *to);

/* What went wrong: our words (why, one sentence, without its first capital), and maybe what to do,
 * which may hold the user's. */
struct od_page_problem {
    unsigned status;
    const char *why;
    const char *help; /* may be NULL */
};

void od_page_problem(const struct od_page_problem *problem, bool json, struct od_buf *to);

/* The words that go with a status: "Bad Request". */
const char *od_page_status(unsigned status);
