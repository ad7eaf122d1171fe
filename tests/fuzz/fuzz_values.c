/* Sizes, shapes, types, numbers, versions as logs print them. */
#include "base/bytes.h"
#include "base/num.h"
#include "base/version.h"
#include "facts/shape.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

static void sizes(struct od_view text)
{
    char print[OD_BYTES_TEXT];
    struct od_bytes b;
    if (!od_bytes_parse(text, OD_UNIT_BINARY, &b))
        return;
    if (b.known && (b.lo > b.n || b.n > b.hi))
        abort();
    (void)od_bytes_print(b, print);
    (void)od_bytes_add(b, b);
    (void)od_bytes_sub(b, od_bytes_exact(1));
}

static void shapes(struct od_view text)
{
    struct od_shape shape;
    uint64_t elements;
    enum od_dtype dtype = od_dtype_parse(text);
    (void)od_dtype_name(dtype);
    if (!od_shape_parse(text, &shape))
        return;
    (void)od_shape_elements(&shape, &elements);
    (void)od_shape_bytes(&shape, dtype);
}

static void numbers(struct od_view text)
{
    struct od_view v = text;
    uint64_t u;
    double d;
    (void)od_num_take_u64(&v, &u);
    v = text;
    (void)od_num_take_hex(&v, &u);
    (void)od_num_parse_u64(text, &u);
    if (od_num_parse_double(text, &d) && isnan(d))
        abort();
}

static void values(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    sizes(bytes);
    shapes(bytes);
    numbers(bytes);
    (void)od_version_at_least(bytes, "2.1");
}

const struct od_fuzz od_fuzz_values = {.name = "values", .one = values};
