/* Networks written down as their kernels: the sizes of their variables and of their maps must tell
 * them again. */
#include "fit/rebuild.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include <stdlib.h>

enum { LAYERS = 12, PIECES = 512, BATCH = 48 };

/* skip: of the kernel whose map is joined, 0 = none; map: side of the output. */
struct layer {
    uint64_t side, in, out;
    unsigned skip;
    uint64_t map;
};

static const struct {
    const char *name;
    uint64_t images, copies;
    struct layer layers[LAYERS];
} nets[] = {
    {"joined to earlier maps",
     128,
     3,
     {{3, 1, 16, 0, 128},
      {3, 16, 16, 0, 128},
      {3, 16, 32, 0, 64},
      {3, 32, 32, 0, 64},
      {3, 32, 64, 0, 32},
      {2, 64, 32, 0, 64},
      {3, 64, 32, 3, 64},
      {2, 32, 16, 0, 128},
      {3, 32, 16, 1, 128},
      {1, 16, 1, 0, 128}}},
};

struct scene {
    struct od_piece pieces[PIECES];
    struct od_size sizes[PIECES];
    struct od_allocator dump;
    struct od_sequence sequence;
};

static void put(struct scene *s, uint64_t bytes)
{
    size_t k = 0;
    bytes = (bytes + 255) / 256 * 256;
    ck_assert_uint_lt(s->sequence.n, PIECES);
    while (k < s->dump.nsizes && s->sizes[k].bytes != bytes)
        k++;
    if (k == s->dump.nsizes)
        s->sizes[s->dump.nsizes++].bytes = bytes;
    s->sizes[k].count++;
    s->sizes[k].total += bytes;
    s->pieces[s->sequence.n++] = (struct od_piece){.bytes = bytes, .size = (uint32_t)k};
}

/* Constants, then the variables and so many copies of them, then a step. */
static struct scene *scene_of(int which)
{
    struct scene *s = calloc(1, sizeof *s);
    const struct layer *layers = nets[which].layers;
    ck_assert_ptr_nonnull(s);
    s->dump.sizes = s->sizes;
    s->sequence = (struct od_sequence){.items = s->pieces, .ordered = true};
    put(s, 1028);
    for (int i = 0; i < 12; i++)
        put(s, 4);
    for (uint64_t copy = 0; copy < nets[which].copies; copy++) {
        for (size_t i = 0; i < LAYERS && layers[i].out > 0; i++) {
            const struct layer *l = &layers[i];
            put(s, l->side * l->side * l->in * l->out * 4);
            put(s, l->out * 4);
        }
    }
    put(s, nets[which].images * nets[which].images * layers[0].in * 4 * BATCH);
    for (size_t i = 0; i < LAYERS && layers[i].map > 0; i++)
        put(s, layers[i].map * layers[i].map * layers[i].out * 4 * BATCH);
    return s;
}

static size_t count_layers(int which)
{
    size_t n = 0;
    while (n < LAYERS && nets[which].layers[n].out > 0)
        n++;
    return n;
}

START_TEST(sizes_tell_kernels)
{
    struct scene *s = scene_of(_i);
    struct od_chain chain;
    ck_assert_msg(od_chain_read(&s->sequence, &s->dump, &chain), "%s", nets[_i].name);
    for (size_t i = 0; i < chain.n; i++) {
        const struct layer *want = &nets[_i].layers[i];
        ck_assert_uint_eq(chain.list[i].side, want->side);
        ck_assert_uint_eq(chain.list[i].in, want->in);
        ck_assert_uint_eq(chain.list[i].out, want->out);
        ck_assert_uint_eq(chain.list[i].skip, want->skip > 0 ? want->skip : OD_NO_SKIP);
    }
    ck_assert_uint_eq(chain.n, count_layers(_i));
    ck_assert_uint_eq(chain.copies, nets[_i].copies);
    free(s);
}
END_TEST

START_TEST(sizes_tell_maps)
{
    struct scene *s = scene_of(_i);
    struct od_arena *arena = od_arena_new();
    struct od_chain chain;
    struct od_maps maps;
    struct od_maps_question question = {
        .chain = &chain, .dump = &s->dump, .batch = BATCH, .width = 4};
    ck_assert(od_chain_read(&s->sequence, &s->dump, &chain));
    ck_assert_msg(od_maps_find(&question, &maps), "%s", nets[_i].name);
    ck_assert_uint_eq(maps.input, nets[_i].images);
    for (size_t i = 0; i < chain.n; i++)
        ck_assert_uint_eq(maps.list[i].side, nets[_i].layers[i].map);
    const struct od_model *model = od_rebuild_model(&chain, &maps, false, arena);
    ck_assert_uint_gt(model->layers.n, chain.n);
    for (size_t i = 0; i < model->layers.n; i++)
        for (uint32_t k = 0; k < model->layers.items[i].ninputs; k++)
            ck_assert_uint_lt(model->inputs.items[model->layers.items[i].first_input + k], i);
    od_arena_free(arena);
    free(s);
}
END_TEST

static unsigned count_type(const struct od_model *model, const char *type)
{
    unsigned n = 0;
    for (size_t i = 0; i < model->layers.n; i++)
        n += od_view_eq_str(model->layers.items[i].type, type);
    return n;
}

START_TEST(transposed)
{
    enum { JOINED = 0 };
    struct scene *s = scene_of(JOINED);
    struct od_arena *arena = od_arena_new();
    struct od_chain chain;
    struct od_maps maps;
    struct od_maps_question question = {
        .chain = &chain, .dump = &s->dump, .batch = BATCH, .width = 4};
    ck_assert(od_chain_read(&s->sequence, &s->dump, &chain));
    ck_assert(od_maps_find(&question, &maps));
    for (size_t i = 0; i < chain.n; i++)
        if (maps.list[i].before == OD_MAP_TRANSPOSED)
            maps.list[i].before = OD_MAP_UP;
    const struct od_model *model = od_rebuild_model(&chain, &maps, false, arena);
    unsigned ups = count_type(model, "UpSampling2D");
    ck_assert_uint_gt(ups, 0);
    ck_assert_uint_eq(count_type(model, "Conv2DTranspose"), 0);
    model = od_rebuild_model(&chain, &maps, true, arena);
    ck_assert_uint_lt(count_type(model, "UpSampling2D"), ups);
    ck_assert_uint_gt(count_type(model, "Conv2DTranspose"), 0);
    od_arena_free(arena);
    free(s);
}
END_TEST

/* --- recurrent layers --- */

static void put_layer(struct scene *s, uint64_t gates, uint64_t biases, uint64_t in, uint64_t units)
{
    put(s, gates * units * in * 4);
    put(s, gates * units * units * 4);
    put(s, gates * units * biases * 4);
}

/* In a pool that grows, the order shows nothing: copies of the table are in larger chunks, and the
 * call packs its weights. */
START_TEST(recurrent_layers)
{
    enum { STEPS = 200, IN = 128, UNITS = 256, WORDS = 20000 };
    struct scene *s = calloc(1, sizeof *s);
    struct od_recurrents r = {0};
    ck_assert_ptr_nonnull(s);
    s->dump.sizes = s->sizes;
    s->sequence = (struct od_sequence){.items = s->pieces};
    for (int copy = 0; copy < 3; copy++)
        put_layer(s, 4, 1, IN, UNITS);
    put(s, UINT64_C(4) * WORDS * IN);
    put(s, UINT64_C(4) * WORDS * IN * 5 / 4);
    put(s, UINT64_C(4) * WORDS * IN * 3 / 2);
    put(s, UINT64_C(16) * UNITS * (IN + UNITS + 1));
    put(s, UINT64_C(4) * BATCH * STEPS * IN);
    put(s, UINT64_C(4) * BATCH * STEPS * UNITS);
    ck_assert(od_recurrents_read(&s->dump, &r));
    ck_assert_uint_eq(r.vocabulary, WORDS);
    ck_assert_uint_eq(r.list[0].features, IN);
    ck_assert(od_recurrents_batch(&r, &s->dump, UINT64_C(26) * BATCH * STEPS * UNITS,
                                  od_count_of(BATCH)));
    ck_assert_uint_eq(r.steps, STEPS);
    free(s);
}
END_TEST

Suite *od_rebuild_suite(void)
{
    Suite *suite = suite_create("rebuild");
    TCase *tcase = tcase_create("rebuild");
    tcase_add_loop_test(tcase, sizes_tell_kernels, 0, (int)OD_COUNT_OF(nets));
    tcase_add_loop_test(tcase, sizes_tell_maps, 0, (int)OD_COUNT_OF(nets));
    tcase_add_test(tcase, transposed);
    tcase_add_test(tcase, recurrent_layers);
    suite_add_tcase(suite, tcase);
    return suite;
}
