/*
 * The body of a posted form, urlencoded or multipart/form-data (RFC 7578, RFC 2046) -> its fields.
 * Ours, because no library that Debian keeps reads both in C. Read in place: names and values are
 * views into the body, whose bytes are overwritten where they were encoded, so that a form takes
 * no more memory than its body. Whatever the bytes are, it ends, in time linear in them.
 */
#pragma once

#include "base/base.h"

/* More fields, or longer names of fields or files, are no form of ours. */
enum { OD_FORM_FIELDS = 64, OD_FORM_NAME = 256 };

struct od_form_field {
    struct od_view name;
    struct od_view file;  /* as the browser calls it, without folders; empty: typed, not a file */
    bool is_file;         /* a file's field, maybe one left empty */
    struct od_view value; /* any bytes */
};

struct od_form {
    struct od_form_field fields[OD_FORM_FIELDS];
    size_t n;
};

/*
 * Reads a body of that Content-Type. NULL when it is well formed; else what is wrong with it, in
 * words of ours, and the form is not to be used. form is filled, the body outlives it.
 */
const char *od_form_parse(const char *type, char *body, size_t n, struct od_form *form);

/* Reads a query string ("a=1&b=2"), as the urlencoded body. */
const char *od_form_parse_query(char *query, size_t n, struct od_form *form);

/* The last typed value of that name, blanks around it cut; empty when there is none. */
struct od_view od_form_value(const struct od_form *form, const char *name);
