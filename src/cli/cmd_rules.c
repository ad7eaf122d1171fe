/*
 * oomdoctor rules check [PACK...] | list | show ID | trace LOG[:LINE]
 */
#include "base/suggest.h"
#include "cli/command.h"
#include "cli/rules_trace.h"
#include "rules/load.h"
#include "rules/regex.h"
#include "rules/ruleset.h"
#include "scan/prove.h"

extern const struct od_command od_command_rules;

static int flush_text(struct od_buf *text, int status)
{
    bool good = od_write_all(od_buf_str(text), text->n);
    od_buf_done(text);
    return good ? status : OD_EXIT_INTERNAL;
}

static size_t count_shipped(void)
{
    size_t n = 0;
    while (od_shipped_packs[n])
        n++;
    return n;
}

/* check */

struct packs {
    const struct od_pack *const *items;
    size_t n;
};

static void print_pack(const struct od_pack *pack, struct od_buf *to)
{
    size_t samples = 0;
    size_t near_misses = 0;
    for (size_t i = 0; i < pack->nrules; i++) {
        samples += pack->rules[i].nsamples;
        near_misses += pack->rules[i].nnear_misses;
    }
    od_buf_printf(to, "%-16s %4zu rules %5zu samples %5zu near misses  ", pack->name, pack->nrules,
                  samples, near_misses);
    od_text_visible(od_view_of(pack->file), to);
    od_buf_add_char(to, '\n');
}

static void print_costs(const struct od_pack *pack, const uint64_t *rule_ns, size_t lines,
                        struct od_buf *to)
{
    for (size_t i = 0; i < pack->nrules; i++)
        od_buf_printf(to, "  %-54s %8llu ns a line\n", pack->rules[i].id,
                      (unsigned long long)(lines > 0 ? rule_ns[i] / lines : 0));
}

static int prove(const struct packs *packs, struct od_diags *diags, bool verbose)
{
    struct od_proof proof;
    enum od_err err = od_prove(packs->items, packs->n, diags, &proof);
    struct od_buf text = {0};
    const uint64_t *rule_ns = proof.rule_ns;
    for (size_t i = 0; i < packs->n; i++) {
        print_pack(packs->items[i], &text);
        if (verbose)
            print_costs(packs->items[i], rule_ns, proof.samples + proof.near_misses, &text);
        rule_ns += packs->items[i]->nrules;
    }
    od_mem_free(proof.rule_ns);
    if (err == OD_OK)
        od_buf_printf(&text, "%zu rules proved by %zu samples and %zu near misses\n", proof.rules,
                      proof.samples, proof.near_misses);
    return flush_text(&text, err == OD_OK ? OD_EXIT_OK : OD_EXIT_UNREADABLE);
}

static bool load_packs(char **names, size_t n, struct od_arena *arena, struct od_diags *diags,
                       struct packs *ret_packs)
{
    const struct od_pack **packs = OD_NEW_N(arena, n, const struct od_pack *);
    struct od_view yaml;
    bool good = true;
    for (size_t i = 0; i < n; i++)
        good = od_rule_text(NULL, names[i], arena, diags, &yaml) == OD_OK &&
               od_pack_load(yaml, names[i], arena, diags, &packs[i]) == OD_OK && good;
    *ret_packs = (struct packs){.items = packs, .n = n};
    return good;
}

static int run_check(char **names, size_t n, bool verbose)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct packs packs = {.items = od_shipped_packs, .n = count_shipped()};
    int status = OD_EXIT_UNREADABLE;
    if (n == 0 || load_packs(names, n, arena, diags, &packs))
        status = prove(&packs, diags, verbose);
    od_diags_flush(diags);
    od_diags_free(diags);
    od_arena_free(arena);
    return status;
}

/* list */

static int run_list(void)
{
    struct od_buf text = {0};
    for (size_t i = 0; od_shipped_packs[i]; i++) {
        const struct od_pack *pack = od_shipped_packs[i];
        for (size_t j = 0; j < pack->nrules; j++)
            od_buf_printf(&text, "%-46s %-16s %s\n", pack->rules[j].id,
                          od_event_kind_name(pack->rules[j].means), pack->name);
    }
    return flush_text(&text, OD_EXIT_OK);
}

/* show */

static void print_line(const char *label, const char *value, struct od_buf *to)
{
    od_buf_printf(to, "%-12s ", label);
    od_text_visible(od_view_of(value), to);
    od_buf_add_char(to, '\n');
}

static void print_texts(const char *label, const struct od_rule_text *texts, size_t n,
                        struct od_buf *to)
{
    for (size_t i = 0; i < n; i++) {
        od_buf_printf(to, "%-12s %s = ", i == 0 ? label : "", od_field_name(texts[i].field));
        od_text_visible(od_view_of(texts[i].text), to);
        od_buf_add_char(to, '\n');
    }
}

static void print_captures(const struct od_rule *rule, struct od_buf *to)
{
    struct od_regex *regex =
        od_regex_new(rule->pattern, &(struct od_regex_options){.no_jit = true}, NULL);
    const char *last = "";
    for (size_t i = 0; regex && i < od_regex_names(regex); i++) {
        const char *name = od_regex_name(regex, i).name;
        if (strcmp(name, last) == 0)
            continue;
        print_line(*last ? "" : "captures", name, to);
        last = name;
    }
    od_regex_free(regex);
}

static void print_rule(const struct od_pack *pack, const struct od_rule *rule, struct od_buf *to)
{
    od_buf_printf(to, "%s: %s, printed by %s\n", rule->id, od_event_kind_name(rule->means),
                  pack->producer);
    od_buf_printf(to, "%-12s %s:%u\n", "file", pack->file, rule->at);
    if (rule->note)
        print_line("note", rule->note, to);
    for (size_t i = 0; i < rule->nliterals; i++)
        print_line(i == 0 ? "literals" : "", rule->literals[i], to);
    if (rule->numbered)
        print_line("numbered", "only with a number shortly after the literal", to);
    print_line("match", rule->pattern, to);
    print_captures(rule, to);
    print_texts("set", rule->set, rule->nset, to);
    print_line("MB means", rule->unit_base == OD_UNIT_BINARY ? "1024 * 1024" : "1000 * 1000", to);
    if (rule->bare)
        print_line("bare sizes", rule->bare, to);
    if (rule->slow)
        print_line("slow", "tried on every line", to);
    if (rule->fallback)
        print_line("fallback", "only if no other rule found a failure", to);
    if (rule->printed)
        print_line("printed", "not from a comment, a statement of a program or a usage", to);
    if (rule->outright)
        print_line("outright", "not from a line that asks, warns, advises or supposes", to);
    for (size_t i = 0; i < rule->nsamples; i++) {
        print_line("sample", rule->samples[i].line, to);
        print_texts("  gives", rule->samples[i].gives, rule->samples[i].ngives, to);
    }
    for (size_t i = 0; i < rule->nnear_misses; i++)
        print_line("but not", rule->near_misses[i].line, to);
}

static int unknown_id(const char *id)
{
    OD_VEC(const char *) ids = {0};
    for (size_t i = 0; od_shipped_packs[i]; i++) {
        for (size_t j = 0; j < od_shipped_packs[i]->nrules; j++)
            od_vec_push(&ids, od_shipped_packs[i]->rules[j].id);
    }
    const char *near = od_suggest(id, ids.items, ids.n);
    od_vec_done(&ids);
    if (near)
        return od_usage_error(&od_command_rules, "no rule '%s'; did you mean '%s'?", id, near);
    return od_usage_error(&od_command_rules, "no rule '%s'; `oomdoctor rules list` names all", id);
}

static int run_show(const char *id)
{
    for (size_t i = 0; od_shipped_packs[i]; i++) {
        const struct od_pack *pack = od_shipped_packs[i];
        for (size_t j = 0; j < pack->nrules; j++) {
            if (strcmp(pack->rules[j].id, id) != 0)
                continue;
            struct od_buf text = {0};
            print_rule(pack, &pack->rules[j], &text);
            return flush_text(&text, OD_EXIT_OK);
        }
    }
    return unknown_id(id);
}

typedef OD_VEC(const char *) names;

static int run_words(char **words, size_t n, bool verbose, const names *packs)
{
    if (n == 0)
        return od_usage_error(&od_command_rules, "rules needs one of: check, list, show, trace");
    if (strcmp(words[0], "check") == 0)
        return run_check(words + 1, n - 1, verbose);
    if (strcmp(words[0], "list") == 0 && n == 1)
        return run_list();
    if (strcmp(words[0], "show") == 0 && n == 2)
        return run_show(words[1]);
    if (strcmp(words[0], "trace") == 0 && n == 2)
        return od_rules_trace(words[1], packs->items, packs->n);
    if (strcmp(words[0], "trace") == 0)
        return od_usage_error(&od_command_rules, "trace takes one log: trace LOG[:LINE]");
    return od_usage_error(&od_command_rules,
                          "'%s' is none of: check [PACK...], list, show ID, trace LOG[:LINE]",
                          words[0]);
}

static int run(int argc, char **argv)
{
    bool verbose = false;
    names packs = {0};
    struct od_args args = od_args_start(&od_command_rules, argc, argv);
    int option, status = OD_EXIT_USAGE;
    while ((option = od_args_next(&args)) >= 0) {
        verbose = verbose || od_args_is(&args, option, "verbose");
        if (od_args_is(&args, option, "rules"))
            od_vec_push(&packs, args.value);
    }
    if (option != OD_ARGS_MISUSED)
        status = run_words(argv + args.at, (size_t)(argc - args.at), verbose, &packs);
    od_vec_done(&packs);
    return status;
}

static const struct od_option options[] = {
    {"verbose", 'v', NULL, "check: print the cost of each rule"},
    {"rules", 0, "DIR", "trace: add rule packs, a file or a folder of *.yaml"},
    {0},
};

const struct od_command od_command_rules = {
    .name = "rules",
    .use = OD_USE_OTHER,
    .arguments = "check [PACK...] | list | show ID | trace LOG[:LINE]",
    .summary = "Check, list, show and trace rules",
    .details = OD_HELP_rules,
    .options = options,
    .run = run,
};
