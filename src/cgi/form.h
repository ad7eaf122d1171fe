/*
 * Parses the body of a posted form (urlencoded or multipart/form-data: RFC 7578, RFC 2046) into its
 * fields. No C library in Debian reads both. Names and values are views into the body, decoded in
 * place, so a form takes no more memory than its body. Parsing takes linear time for any bytes.
 */
#pragma once

#include "base/base.h"

/* Limits of a form: number of fields; length of field and file names. */
enum { OD_FORM_FIELDS = 64, OD_FORM_NAME = 256 };

struct od_form_field {
    struct od_view name;
    struct od_view
        file;     /* file name sent by the browser, without folders; empty = the field is text */
    bool is_file; /* a file field, which may have no file */
    struct od_view value; /* may contain any bytes */
};

struct od_form {
    struct od_form_field fields[OD_FORM_FIELDS];
    size_t n;
};

/*
 * Parses a body with that Content-Type. Returns NULL if it is well formed, otherwise an error
 * message in our own words; the form must not be used then. The body must outlive form.
 */
const char *od_form_parse(const char *type, char *body, size_t n, struct od_form *form);

/* Parses a query string ("a=1&b=2") like an urlencoded body. */
const char *od_form_parse_query(char *query, size_t n, struct od_form *form);

/* The last non-empty value with that name, without surrounding blanks; empty if there is none. */
struct od_view od_form_value(const struct od_form *form, const char *name);
