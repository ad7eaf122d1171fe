/*
 * tablec: what the program would compute at each start, as constant tables in C, when it is built.
 *   tablec literals | kernels      writes the file to standard output
 * Not installed. The literals are those of the shipped packs, which it is linked with.
 */
#include "attribute/kernels.h"
#include "base/diag.h"
#include "estimate/known_nets.h"
#include "lib/packs.h"
#include "rules/words.h"
#include "scan/literals.h"

#include <stdio.h>

static void begin(const char *type, const char *name)
{
    printf("static const %s %s[] = {", type, name);
}

static void put(uint64_t value, size_t i)
{
    printf("%s%#" PRIx64 ",", i % 8 == 0 ? "\n    " : " ", value);
}

static void end(void)
{
    puts("\n};");
}

static void put_chars(const char *name, const char *chars, size_t n)
{
    begin("char", name);
    for (size_t i = 0; i < n; i++)
        printf("%s%d,", i % 16 == 0 ? "\n    " : " ", chars[i]);
    end();
}

static void put_16(const char *name, const uint16_t *values, size_t n)
{
    begin("uint16_t", name);
    for (size_t i = 0; i < n; i++)
        put(values[i], i);
    end();
}

static void put_32(const char *name, const uint32_t *values, size_t n)
{
    begin("uint32_t", name);
    for (size_t i = 0; i < n; i++)
        put(values[i], i);
    end();
}

static void put_64(const char *name, const uint64_t *values, size_t n)
{
    begin("uint64_t", name);
    for (size_t i = 0; i < n; i++)
        put(values[i], i);
    end();
}

static size_t put_entries(const struct od_filter_index *index)
{
    size_t texts = 0;
    begin("struct od_window_entry", "entries");
    OD_FOR_EACH_OF (const struct od_window_entry, e, index->entries, index->n) {
        printf("\n    {%#" PRIx64 ", %#" PRIx64 ", %#" PRIx64 ", %u, %u, %u, %u, %u},", e->key,
               e->probe, e->mask, e->id, e->text, e->n, e->at, e->probe_at);
        texts = e->text + e->n > texts ? e->text + e->n : texts;
    }
    end();
    return texts;
}

static void put_index(const struct od_filter_index *index)
{
    put_32("far_grams", index->far_grams.bits, ((size_t)1 << (32 - index->far_grams.shift)) / 32);
    put_32("near_grams", index->near_grams.bits,
           ((size_t)1 << (32 - index->near_grams.shift)) / 32);
    put_64("far", index->far.bits, ((size_t)1 << (64 - index->far.shift)) / 64);
    put_64("near", index->near.bits, ((size_t)1 << (64 - index->near.shift)) / 64);
    put_64("pairs", index->pairs, OD_PAIR_WORDS);
    put_32("buckets", index->first, ((size_t)1 << OD_WINDOW_BUCKETS) + 1);
    put_chars("folded", index->texts, put_entries(index));
}

static void put_list(const struct od_literals *literals)
{
    size_t texts = 0;
    begin("struct od_literal", "list");
    OD_FOR_EACH_OF (const struct od_literal, l, literals->list, literals->n) {
        printf("\n    {%u, %u, %d, %d},", l->at, l->n, l->numbered, l->exact);
        texts = l->at + l->n;
    }
    end();
    put_chars("texts", literals->texts, texts);
}

static void put_literals(const struct od_literals *literals)
{
    const struct od_filter_index *index = &literals->index;
    puts("#include \"scan/literals.h\"\n");
    put_list(literals);
    put_32("first", literals->first, literals->n + 1);
    put_16("owners", literals->owners, literals->first[literals->n]);
    put_64("always", literals->always, od_literals_words(literals));
    put_64("fallbacks", literals->fallbacks, od_literals_words(literals));
    put_index(index);
    printf("const struct od_literals od_shipped_literals = {texts, list, %zu, first, owners, %zu, "
           "%zu, always, fallbacks,\n    {{far_grams, %u}, {near_grams, %u}, {far, %u}, {near, "
           "%u}, pairs, entries, %zu, buckets, folded}};\n",
           literals->n, literals->nrules, literals->nreaders, index->far_grams.shift,
           index->near_grams.shift, index->far.shift, index->near.shift, index->n);
}

static void literals(struct od_arena *arena)
{
    struct od_diags *diags = od_diags_new();
    struct od_packs *packs = od_packs_new(NULL, 0, diags);
    struct od_ruleset *rules = od_ruleset_new(od_packs_list(packs), od_packs_count(packs));
    od_ruleset_set_lexicon(rules, &od_shipped_lexicon);
    struct od_literals made = od_literals_new(rules, od_shipped_signs, arena);
    put_literals(&made);
    od_ruleset_free(rules);
    od_packs_free(packs);
    od_diags_free(diags);
}

static void kernels(struct od_arena *arena)
{
    const struct od_kernels *all = od_kernels_of_all(arena);
    puts("#include \"attribute/kernels.h\"\n");
    for (size_t which = 0; which < od_net_count(); which++) {
        printf("static const struct od_kernel_kind of_%zu[] = {", which);
        for (size_t i = 0; i < all[which].n; i++) {
            const struct od_kernel_kind *kind = &all[which].kinds[i];
            printf("%s{%" PRIu64 ", %u, %d},", i % 4 == 0 ? "\n    " : " ", kind->bytes,
                   kind->layers, kind->is_vector);
        }
        end();
    }
    puts("const struct od_kernels od_known_kernels[] = {");
    for (size_t which = 0; which < od_net_count(); which++)
        printf("    {of_%zu, %zu},\n", which, all[which].n);
    puts("};");
}

int main(int argc, char **argv)
{
    bool of_literals = argc == 2 && strcmp(argv[1], "literals") == 0;
    if (!of_literals && (argc != 2 || strcmp(argv[1], "kernels") != 0)) {
        fputs("usage: tablec literals | kernels\n", stderr);
        return 2;
    }
    struct od_arena *arena = od_arena_new();
    puts("/* Made by tablec; not to be edited. */");
    if (of_literals)
        literals(arena);
    else
        kernels(arena);
    od_arena_free(arena);
    return fflush(stdout) == 0 ? 0 : 3;
}
