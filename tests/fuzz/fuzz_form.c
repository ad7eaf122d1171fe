/* Posted forms. The first line is the Content-Type; without one it is multipart with a boundary
 * that a fuzzer finds. What comes out must lie in what went in. */
#include "base/mem.h"
#include "cgi/form.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void inside(struct od_view part, const char *body, size_t n)
{
    if (part.n > 0 && (part.p < body || part.n > n || part.p > body + n - part.n))
        abort();
}

static void parse(const char *type, struct od_view bytes)
{
    struct od_form form;
    char *body = od_mem_alloc(bytes.n + 1, 1);
    if (bytes.n > 0)
        memcpy(body, bytes.p, bytes.n);
    if (!od_form_parse(type, body, bytes.n, &form)) {
        for (size_t i = 0; i < form.n; i++) {
            inside(form.fields[i].name, body, bytes.n);
            inside(form.fields[i].file, body, bytes.n);
            inside(form.fields[i].value, body, bytes.n);
        }
        (void)od_form_value(&form, "batch");
    }
    od_mem_free(body);
}

static void form(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    struct od_view rest = bytes, line;
    char type[256];
    parse("multipart/form-data; boundary=XX", bytes);
    parse("application/x-www-form-urlencoded", bytes);
    if (od_view_cut(&rest, '\n', &line) && line.n < sizeof type) {
        memcpy(type, line.p, line.n);
        type[line.n] = '\0';
        parse(type, rest);
    }
}

const struct od_fuzz od_fuzz_form = {.name = "form", .one = form};
