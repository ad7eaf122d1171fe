/* Public vision models by name: each row is whole, each name finds its row, and no other name does;
 * what they keep at other sizes of images. */
#include "suites.h"

#include "../suite.h"
#include "base/num.h"
#include "estimate/estimate.h"
#include "models/public_vision.h"

enum { MODELS_LEAST = 1400 };

START_TEST(rows)
{
    size_t n;
    const struct od_public_vision *rows_ = od_public_visions(&n);
    ck_assert_uint_ge(n, MODELS_LEAST);
    for (size_t i = 0; i < n; i++) {
        const struct od_public_vision *row = &rows_[i];
        struct od_view names = od_view_of(row->names), name;
        ck_assert_msg(row->parameters > 0 && row->height > 0 && row->width > 0, "%s", row->names);
        for (size_t k = 0; k < OD_MEASURED_WIDTHS; k++)
            ck_assert_msg(row->fused[k] > 0 && row->eager[k] > 0, "%s", row->names);
        /* group norms make float32 of 16-bit maps: both are kept */
        ck_assert_msg(row->fused[1] < row->fused[0] / 2 * 3, "%s at 16 bit", row->names);
        while (od_view_cut(&names, ' ', &name)) {
            const struct od_public_vision *found = od_public_vision_find(name);
            ck_assert_msg(found && (found == row || found->library != row->library),
                          "%.*s is taken for %s", (int)name.n, name.p,
                          found ? found->names : "none");
        }
    }
}
END_TEST

static const struct {
    uint64_t parameters, activations;
    const char *found; /* NULL = none */
    uint64_t side;
} counts[] = {
    {25557032, 11114984, "resnet50", 0},
    {25560000, 11110000, "resnet50", 0}, /* as printed in millions */
    {25560000, 18370000, "resnet50", 288},
    {25560000, 14000000, NULL, 0}, /* at no size of images */
    {25557033, 11114984, NULL, 0}, /* nothing is rounded: another model */
    {88590000, 25100000, NULL, 0}, /* parameters alone are not enough */
    {0, 0, NULL, 0},
};

START_TEST(counted)
{
    uint64_t side = 0;
    const struct od_public_vision *row =
        od_public_vision_counted(counts[_i].parameters, counts[_i].activations, &side);
    if (!counts[_i].found) {
        ck_assert_msg(!row, "%s", row ? row->names : "");
        return;
    }
    ck_assert_ptr_nonnull(row);
    ck_assert(od_view_starts(od_view_of(row->names), od_view_of(counts[_i].found)));
    ck_assert_uint_eq(side, counts[_i].side);
}
END_TEST

static const struct {
    const char *asked, *found; /* NULL = no known model has this name */
    const char *library;
} names[] = {
    {"resnet50", "resnet50", "timm"},
    {"ResNet-50", "resnet50", "timm"},
    {" resnet_50 ", "resnet50", "timm"},
    {"timm/resnet50.a1_in1k", "resnet50", "timm"},
    {"torchvision/resnet50", "resnet50", "torchvision"},
    {"squeezenet1.1", "squeezenet1_1", "torchvision"},
    {"vit_base_patch16_224.augreg_in21k", "vit_base_patch16_224", "timm"},
    {"convnext_small_in22ft1k", "convnext_small", "timm"},
    {"r3d_18", "r3d_18", "torchvision"},
    {"regnet_x_1_6gf", "regnet_x_1_6gf", "torchvision"},
    {"regnet_x_16gf", "regnet_x_16gf", "torchvision"},
    {"resnet5", NULL, NULL},
    {"resnet500", NULL, NULL},
    {"my_resnet50", NULL, NULL},
    {"someone/resnet50", NULL, NULL},
    {"torchvision/vit_base_patch16_224", NULL, NULL},
    {"resnet50.pth/x", NULL, NULL},
    {"", NULL, NULL},
    {".", NULL, NULL},
    {"/", NULL, NULL},
};

START_TEST(asked)
{
    const struct od_public_vision *found = od_public_vision_find(od_view_of(names[_i].asked));
    ck_assert_msg((found != NULL) == (names[_i].found != NULL), "%s", names[_i].asked);
    if (!found)
        return;
    struct od_model model = od_public_vision_model(found);
    ck_assert(od_view_eq_str(model.name, names[_i].found));
    ck_assert(od_view_starts(model.measured.library, od_view_of(names[_i].library)));
}
END_TEST

static const struct {
    const char *name;
    enum od_precision precision;
    uint64_t side;
    uint64_t least, most; /* the range spans both */
    uint64_t says;        /* within 1 % */
    enum od_checkpointing checkpointing;
} kept[] = {
    /* counted storage by storage on a CPU */
    {"resnet50", OD_PREC_FLOAT32, 0, 85913512, 85913512, 85913512, OD_CKPT_NONE},
    {"resnet50", OD_PREC_AMP_FP16, 0, 43761576, 43761576, 43761576, OD_CKPT_NONE},
    /* asked at the size of its evaluation, its own is held for possible; at another it is not */
    {"convnext_xlarge", OD_PREC_FLOAT32, 288, 463240136, 765764306, 765764306, OD_CKPT_NONE},
    {"convnext_xlarge", OD_PREC_FLOAT32, 256, 605048340, 605048340, 605048340, OD_CKPT_NONE},
    /* area alone */
    {"resnet50", OD_PREC_FLOAT32, 448, 343654048, 343654048, 343654048, OD_CKPT_NONE},
    /* attention written out keeps 12 x 197 x 197 scores twice in each of 12 blocks */
    {"vit_base_patch16_224", OD_PREC_FLOAT32, 0, 118180336, 140405200, 118180336, OD_CKPT_NONE},
    {"vit_base_patch16_224", OD_PREC_FLOAT32, 448, 470000000, 824000000, 472721344, OD_CKPT_NONE},
    /* timm's own segments; what checkpoints leave of torchvision's was not measured */
    {"timm/resnet50", OD_PREC_FLOAT32, 0, 33592183, 33592183, 33592183, OD_CKPT_FULL},
    {"torchvision/resnet50", OD_PREC_FLOAT32, 0, 8591351, 85913512, 85913512, OD_CKPT_FULL},
};

START_TEST(keeps)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_model model =
        od_public_vision_model(od_public_vision_find(od_view_of(kept[_i].name)));
    struct od_workload workload = od_workload_defaults(&model);
    struct od_estimate estimate;
    workload.precision = kept[_i].precision;
    workload.checkpointing = kept[_i].checkpointing;
    workload.image_h = workload.image_w = kept[_i].side;
    ck_assert(od_estimate(&workload, arena, diags, &estimate));
    struct od_bytes saved = estimate.saved_per_sample;
    ck_assert_uint_le(saved.lo, kept[_i].least);
    ck_assert_uint_ge(saved.hi, kept[_i].most);
    if (kept[_i].least == kept[_i].says)
        ck_assert_uint_ge(saved.lo, kept[_i].says / 100 * 85);
    ck_assert_uint_ge(saved.n, kept[_i].says / 100 * 99);
    ck_assert_uint_le(saved.n, kept[_i].says / 100 * 101);
    ck_assert_uint_eq(estimate.parameters, model.parameters.n);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* A printed network of two rows: its body and its classifier, which reads 512 features. */
static const struct {
    const char *name;
    uint64_t body, classes, batch, image_bytes, frozen;
    const char *found;
} printed[] = {
    {"ResNet", 11176512, 1000, 1, 602112, 0, "resnet18"},
    {"Net", 11176512, 1000, 1, 602112, 0, "resnet18"},  /* exactly as many, whatever it is called */
    {"ResNet", 11176512, 10, 1, 602112, 0, "resnet18"}, /* another classifier on it */
    {"ResNet", 11176512, 1000, 8, 4816896, 0, "resnet18"},
    {"ResNet", 11176000, 1000, 1, 602112, 0, NULL}, /* nearly */
    {"ResNet", 11176512, 1000, 1, 196608, 0, NULL}, /* of other images */
    /* no module prints a transformer's positions, nor a class token */
    {"ViT", 86415592 - 513000, 1000, 1, 602112, 0, "vit_base_patch16_224"},
    {"ResNet", 11176512, 1000, 1, 602112, 9408, NULL},
};

START_TEST(recognised)
{
    struct od_layer layers[2] = {od_layer_blank(), od_layer_blank()};
    uint64_t classifier = 513 * printed[_i].classes, all = printed[_i].body + classifier;
    layers[0].parameters = od_count_of(printed[_i].body);
    layers[1].kind = OD_LAYER_LINEAR;
    layers[1].out_features = od_count_of(printed[_i].classes);
    layers[1].parameters = od_count_of(classifier);
    struct od_model model = {.name = od_view_of(printed[_i].name),
                             .format = OD_MODEL_TORCHINFO,
                             .framework = OD_VIEW("pytorch"),
                             .layers = {.items = layers, .n = 2},
                             .parameters = od_count_of(all),
                             .trainable = od_count_of(all - printed[_i].frozen),
                             .batch = od_count_of(printed[_i].batch),
                             .input_bytes = od_bytes_exact(printed[_i].image_bytes)};
    od_public_vision_recognise(&model);
    ck_assert_int_eq(model.measured.known, printed[_i].found != NULL);
    if (printed[_i].found)
        ck_assert(od_view_starts(model.measured.recognised, od_view_of(printed[_i].found)));
}
END_TEST

START_TEST(suggestions)
{
    struct od_arena *arena = od_arena_new();
    ck_assert_str_eq(od_public_vision_suggest(OD_VIEW("mobilenetv3_lrge_100"), arena),
                     "mobilenetv3_large_100");
    ck_assert_ptr_null(od_public_vision_suggest(OD_VIEW("nothing-like-any-of-them"), arena));
    od_arena_free(arena);
}
END_TEST

Suite *od_public_vision_suite(void)
{
    Suite *suite = suite_create("public vision models");
    TCase *tests = tcase_create("public vision models");
    tcase_add_test(tests, rows);
    tcase_add_loop_test(tests, asked, 0, (int)OD_COUNT_OF(names));
    tcase_add_loop_test(tests, keeps, 0, (int)OD_COUNT_OF(kept));
    tcase_add_loop_test(tests, counted, 0, (int)OD_COUNT_OF(counts));
    tcase_add_loop_test(tests, recognised, 0, (int)OD_COUNT_OF(printed));
    tcase_add_test(tests, suggestions);
    suite_add_tcase(suite, tests);
    return suite;
}
