/* Forms as browsers send them, and malformed ones. */
#include "base/buf.h"
#include "base/num.h"
#include "cgi/form.h"
#include "tests/unit/cgi/suites.h"
#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

#define URLENCODED "application/x-www-form-urlencoded"
#define MULTIPART "multipart/form-data; boundary=XX"
#define PART(name) "Content-Disposition: form-data; name=\"" name "\"\r\n\r\n"

struct row {
    const char *type, *body;
    const char *fields; /* "name=value|..", files "name@file=value"; NULL = refused */
};

static const struct row rows[] = {
    {URLENCODED, "", ""},
    {URLENCODED, "a=1&b=2", "a=1|b=2"},
    {URLENCODED "; charset=UTF-8", "a=1+2%203%2B%26%3d", "a=1 2 3+&="},
    {"Application/X-WWW-Form-URLencoded", "&&a=&b&=c&", "a=|b=|=c"},
    {URLENCODED, "a=%&b=%4&c=%zz&d=%4A", "a=%|b=%4|c=%zz|d=J"},
    {URLENCODED "x", "a=1", NULL},
    {"", "a=1", NULL},
    {"text/plain", "a=1", NULL},
    {MULTIPART, "--XX\r\n" PART("a") "1\r\n--XX--\r\n", "a=1"},
    {MULTIPART, "--XX\r\n" PART("a") "\r\n--XX\r\n" PART("b") "x\r\n--X\r\n\r\n--XX--",
     "a=|b=x\r\n--X\r\n"},
    {"multipart/form-data; charset=x; boundary=\"X X\"", "--X X\r\n" PART("a") "1\r\n--X X--\r\n",
     "a=1"},
    {MULTIPART, "words before\r\n--XX  \r\n" PART("a") "1\r\n--XX--\r\nwords behind", "a=1"},
    {MULTIPART,
     "--XX\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name=f; "
     "filename=\"C:\\logs\\a "
     "b.log\"\r\n\r\none\ntwo\r\n--XX--\r\n",
     "f@a b.log=one\ntwo"},
    {MULTIPART,
     "--XX\r\nContent-Disposition: form-data; name=\"f\"; "
     "filename=\"../../etc/passwd\"\r\n\r\nx\r\n--XX--",
     "f@passwd=x"},
    {MULTIPART,
     "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n\r\n\r\n--XX--\r\n",
     "f@="},
    {MULTIPART, "", NULL},
    {MULTIPART, "--XX", NULL},
    {MULTIPART, "--XX--", ""},
    {MULTIPART, "--XX\r\n" PART("a") "1\r\n--X", NULL},
    {MULTIPART, "--XX\r\n" PART("a") "1", NULL},
    {MULTIPART, "--XX\r\nContent-Disposition: form-data\r\n\r\n1\r\n--XX--", NULL},
    {MULTIPART, "--XX\r\nContent-Disposition: form-data; name=\"a\r\n\r\n1\r\n--XX--", NULL},
    {MULTIPART, "--XX\r\nno headers\r\n--XX--", NULL},
    {MULTIPART, "--XXYY\r\n" PART("a") "1\r\n--XX--", NULL},
    {"multipart/form-data", "--XX\r\n" PART("a") "1\r\n--XX--", NULL},
    {"multipart/form-data; boundary=", "--\r\n" PART("a") "1\r\n----", NULL},
};

static char *show(const struct od_form *form)
{
    struct od_buf text = {0};
    for (size_t i = 0; i < form->n; i++) {
        const struct od_form_field *f = &form->fields[i];
        od_buf_add_str(&text, i > 0 ? "|" : "");
        od_buf_add(&text, f->name);
        od_buf_add_str(&text, f->is_file ? "@" : "");
        od_buf_add(&text, f->file);
        od_buf_add_char(&text, '=');
        od_buf_add(&text, f->value);
    }
    char *copy = strdup(od_buf_str(&text));
    od_buf_done(&text);
    return copy;
}

START_TEST(test_form)
{
    const struct row *row = &rows[_i];
    struct od_form form;
    char *body = strdup(row->body);
    const char *why = od_form_parse(row->type, body, strlen(body), &form);
    if (!row->fields) {
        ck_assert_ptr_nonnull(why);
    } else {
        ck_assert_msg(!why, "row %d: %s", _i, why);
        char *shown = show(&form);
        ck_assert_str_eq(shown, row->fields);
        free(shown);
    }
    free(body);
}
END_TEST

START_TEST(test_many_fields)
{
    enum { FIELDS = 10000 };
    for (int multipart = 0; multipart < 2; multipart++) {
        struct od_buf body = {0};
        struct od_form form;
        for (int i = 0; i < FIELDS; i++)
            od_buf_add_str(&body, multipart ? "--XX\r\n" PART("a") "1\r\n" : "a=1&");
        od_buf_add_str(&body, multipart ? "--XX--" : "");
        ck_assert_ptr_nonnull(
            od_form_parse(multipart ? MULTIPART : URLENCODED, body.p, body.n, &form));
        od_buf_done(&body);
    }
}
END_TEST

START_TEST(test_value)
{
    struct od_form form;
    char query[] = "a=1&b=%203%20&a=2&c=";
    ck_assert_ptr_null(od_form_parse_query(query, strlen(query), &form));
    ck_assert(od_view_eq_str(od_form_value(&form, "a"), "2"));
    ck_assert(od_view_eq_str(od_form_value(&form, "b"), "3"));
    ck_assert_uint_eq(od_form_value(&form, "c").n, 0);
    ck_assert_uint_eq(od_form_value(&form, "d").n, 0);
}
END_TEST

/* Every cut of a whole body is refused or gives a part of it, and reads nothing beyond its end. */
START_TEST(test_cut)
{
    static const char whole[] =
        "--XX\r\n" PART("a") "1\r\n--XX\r\n" PART("log") "two\r\nlines\r\n--XX--\r\n";
    for (size_t n = 0; n < sizeof whole; n++) {
        struct od_form form;
        char *body = malloc(n + 1);
        memcpy(body, whole, n);
        const char *why = od_form_parse(MULTIPART, body, n, &form);
        ck_assert_int_eq(!why, n >= sizeof whole - 3);
        free(body);
    }
}
END_TEST

Suite *od_form_suite(void)
{
    Suite *suite = od_suite_loop("form", test_form, OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("whole");
    tcase_add_test(tcase, test_many_fields);
    tcase_add_test(tcase, test_value);
    tcase_add_test(tcase, test_cut);
    suite_add_tcase(suite, tcase);
    return suite;
}
