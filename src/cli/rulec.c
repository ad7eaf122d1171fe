/*
 * rulec: proves rule packs, advice and the catalogue of software, and writes them as C tables when
 * the project is built.
 *   rulec [--root DIR] -o FILE --words LEXICON PACK... LISTS    prove, then write FILE
 *   rulec --check PACK... LISTS                                prove only
 * LISTS are --meanings FILE..., --advice FILE..., --causes FILE..., --topics FILE..., --invariants
 * FILE, --software FILE.... Not installed; `oomdoctor rules check` is for users.
 */
#include "base/diag.h"
#include "rules/advice.h"
#include "rules/emit.h"
#include "rules/load.h"
#include "rules/words.h"
#include "scan/prove.h"

#include <stdio.h>

struct job {
    const char *root;
    const char *output; /* NULL: check only */
    const char *words;  /* the lexicon; NULL: none */
    char **names;       /* names of packs */
    size_t n;
    char **meanings;
    size_t nmeanings;
    char **advice;
    size_t nadvice;
    char **causes;
    size_t ncauses;
    char **topics;
    size_t ntopics;
    char **invariants; /* one file, or none */
    size_t ninvariants;
    char **software;
    size_t nsoftware;
};

/* The names after an option, up to the next option. */
static char **take_names(int argc, char **argv, const char *option, size_t *ret_n)
{
    int i = 1;
    while (i < argc && strcmp(argv[i], option) != 0)
        i++;
    char **names = argv + (i < argc ? i + 1 : argc);
    while (i + 1 < argc && argv[i + 1][0] != '-') {
        ++*ret_n;
        i++;
    }
    return names;
}

static bool parse(struct job *job, int argc, char **argv)
{
    bool check = false;
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--check") == 0)
            check = true;
        else if (strcmp(argv[i], "--root") == 0 && i + 1 < argc)
            job->root = argv[++i];
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            job->output = argv[++i];
        else if (strcmp(argv[i], "--words") == 0 && i + 1 < argc)
            job->words = argv[++i];
        else
            return false;
    }
    job->names = argv + i;
    for (; i < argc && argv[i][0] != '-'; i++)
        job->n++;
    job->meanings = take_names(argc, argv, "--meanings", &job->nmeanings);
    job->advice = take_names(argc, argv, "--advice", &job->nadvice);
    job->causes = take_names(argc, argv, "--causes", &job->ncauses);
    job->topics = take_names(argc, argv, "--topics", &job->ntopics);
    job->invariants = take_names(argc, argv, "--invariants", &job->ninvariants);
    job->software = take_names(argc, argv, "--software", &job->nsoftware);
    return check == (job->output == NULL) && check == (job->words == NULL) && job->n > 0;
}

static void print_diags(const struct od_diags *diags)
{
    struct od_buf buf = {0};
    for (size_t i = 0; i < od_diags_count(diags); i++)
        od_diag_print(od_diags_at(diags, i), &buf);
    fputs(od_buf_str(&buf), stderr);
    od_buf_done(&buf);
}

static bool write_file(const char *name, const struct od_buf *text)
{
    FILE *file = fopen(name, "wb");
    bool good = file && fwrite(text->p, 1, text->n, file) == text->n;
    good = file && fclose(file) == 0 && good;
    if (!good)
        perror(name);
    return good;
}

static bool emit(const struct job *job, const struct od_shipped *product)
{
    struct od_buf text = {0};
    od_shipped_emit(product, &text);
    bool good = write_file(job->output, &text);
    od_buf_done(&text);
    return good;
}

static bool load_packs(const struct job *job, struct od_arena *arena, struct od_diags *diags,
                       const struct od_pack **packs)
{
    bool good = true;
    struct od_view yaml;
    for (size_t i = 0; i < job->n; i++)
        good = od_rule_text(job->root, job->names[i], arena, diags, &yaml) == OD_OK &&
               od_pack_load(yaml, job->names[i], arena, diags, &packs[i]) == OD_OK && good;
    return good;
}

static bool load_advice(const struct job *job, struct od_arena *arena, struct od_diags *diags,
                        const struct od_advice **advice)
{
    bool good = true;
    struct od_view yaml;
    for (size_t i = 0; i < job->nadvice; i++)
        good = od_rule_text(job->root, job->advice[i], arena, diags, &yaml) == OD_OK &&
               od_advice_load(yaml, job->advice[i], arena, diags, &advice[i]) == OD_OK && good;
    if (!good || (job->nadvice == 0 && !job->output))
        return good;
    return od_advice_join(advice, job->nadvice, arena, diags) == OD_OK &&
           od_advice_check_all(advice, job->nadvice, diags) == OD_OK;
}

static bool load_causes(const struct job *job, struct od_arena *arena, struct od_diags *diags,
                        const struct od_cause_row **causes)
{
    bool good = true;
    struct od_view yaml;
    for (size_t i = 0; i < job->ncauses; i++)
        good = od_rule_text(job->root, job->causes[i], arena, diags, &yaml) == OD_OK &&
               od_cause_row_load(yaml, job->causes[i], arena, diags, &causes[i]) == OD_OK && good;
    return good;
}

static bool load_topics(const struct job *job, struct od_arena *arena, struct od_diags *diags,
                        const struct od_topic **topics)
{
    bool good = true;
    for (size_t i = 0; i < job->ntopics; i++)
        if (od_topic_load_file(job->root, job->topics[i], arena, diags, &topics[i]) != OD_OK)
            good = false;
    return good;
}

static bool load_invariants(const struct job *job, struct od_arena *arena, struct od_diags *diags,
                            const struct od_invariants **ret_invariants)
{
    *ret_invariants = OD_NEW(arena, struct od_invariants);
    return job->ninvariants == 0 || od_invariants_load_file(job->root, job->invariants[0], arena,
                                                            diags, ret_invariants) == OD_OK;
}

static bool load_words(const struct job *job, struct od_arena *arena, struct od_diags *diags,
                       const struct od_lexicon **ret_lexicon)
{
    return !job->words ||
           (od_words_load_file(job->root, job->words, arena, diags, ret_lexicon) == OD_OK &&
            od_prove_words(*ret_lexicon, diags) == OD_OK);
}

static bool load_meanings(const struct job *job, struct od_arena *arena, struct od_diags *diags,
                          struct od_meanings *meanings)
{
    bool good = true;
    for (size_t i = 0; i < job->nmeanings; i++)
        if (od_meanings_load_file(job->root, job->meanings[i], arena, diags, meanings) != OD_OK)
            good = false;
    return good;
}

static bool load_software(const struct job *job, struct od_arena *arena, struct od_diags *diags,
                          struct od_software_list *list)
{
    bool good = true;
    struct od_view yaml;
    for (size_t i = 0; i < job->nsoftware; i++)
        good = od_rule_text(job->root, job->software[i], arena, diags, &yaml) == OD_OK &&
               od_software_load(yaml, job->software[i], arena, diags, list) == OD_OK && good;
    return good && od_software_check_all(list, diags) == OD_OK;
}

static bool work(const struct job *job, struct od_arena *arena, struct od_diags *diags)
{
    struct od_meanings meanings[OD_SUBJECT_END] = {0};
    struct od_software_list software = {0};
    struct od_shipped product = {
        .packs = OD_NEW_N(arena, job->n + 1, const struct od_pack *),
        .advice = OD_NEW_N(arena, job->nadvice + 1, const struct od_advice *),
        .causes = OD_NEW_N(arena, job->ncauses + 1, const struct od_cause_row *),
        .topics = OD_NEW_N(arena, job->ntopics + 1, const struct od_topic *),
        .meanings = meanings,
        .software = &software,
    };
    struct od_proof proof = {0};
    bool good = load_packs(job, arena, diags, product.packs);
    good = load_advice(job, arena, diags, product.advice) && good;
    good = load_causes(job, arena, diags, product.causes) && good;
    good = load_topics(job, arena, diags, product.topics) && good;
    good = load_invariants(job, arena, diags, &product.invariants) && good;
    good = load_words(job, arena, diags, &product.lexicon) && good;
    good = load_meanings(job, arena, diags, meanings) && good;
    good = load_software(job, arena, diags, &software) && good;
    good = good && (job->nadvice == 0 ||
                    od_advice_check_names(product.advice, job->nadvice, &software, diags) == OD_OK);
    good = good && od_prove(product.packs, job->n, diags, &proof) == OD_OK;
    od_mem_free(proof.rule_ns);
    print_diags(diags);
    if (!good)
        return false;
    if (job->output)
        return emit(job, &product);
    printf("%zu rules, %zu samples, %zu near misses: proved\n", proof.rules, proof.samples,
           proof.near_misses);
    return true;
}

int main(int argc, char **argv)
{
    struct job job = {0};
    if (!parse(&job, argc, argv)) {
        fputs("usage: rulec [--root DIR] -o FILE --words LEXICON PACK... LISTS | "
              "rulec --check PACK... LISTS\n"
              "LISTS: --meanings FILE... --advice FILE... --causes FILE... --topics FILE... "
              "--invariants FILE "
              "--software FILE...\n",
              stderr);
        return 2;
    }
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    bool good = work(&job, arena, diags);
    od_diags_free(diags);
    od_arena_free(arena);
    return good ? 0 : 3;
}
