#include "base/code_line.h"
#include "readers/logs/sentence.h"
#include "rules/value.h"
#include "scan/prove.h"

struct proof {
    const struct od_lexicon *lexicon;
    struct od_diags *diags;
    struct od_arena *arena;
    bool failed;
};

static void say(struct proof *proof, const struct od_sentence_sample *sample, const char *code,
                const char *message)
{
    proof->failed = true;
    od_diags_add(proof->diags, &(struct od_diag){.severity = OD_ERROR,
                                                 .code = code,
                                                 .message = message,
                                                 .file = proof->lexicon->file,
                                                 .line = sample->at,
                                                 .snippet = sample->line});
}

static bool has_literal(const struct od_lexicon *lexicon, struct od_view text)
{
    for (size_t i = 0; i < lexicon->nliterals; i++) {
        if (od_view_has(text, od_view_of(lexicon->literals[i])))
            return true;
    }
    return false;
}

static void prove_fact(struct proof *proof, const struct od_sentence_sample *sample,
                       const struct od_sentence_fact *fact, const struct od_event *event)
{
    struct od_shape room;
    struct od_value_text text = {
        .field = fact->field, .text = od_view_of(fact->text), .room = &room};
    struct od_field_value wanted;
    const struct od_field_value *given = od_event_get(event, fact->field);
    if (!od_value_parse(&text, &wanted) || !given || !od_value_same(&wanted, given))
        say(proof, sample, "R0404",
            od_arena_printf(proof->arena, "the sentence does not give %s: '%s'",
                            od_field_name(fact->field), fact->text));
}

static void prove_sample(struct proof *proof, const struct od_sentence_sample *sample)
{
    const struct od_line line = {.text = od_view_of(sample->line)};
    struct od_sentence sentence = {.kind = OD_EV_NONE};
    if (has_literal(proof->lexicon, line.text) && !od_is_code_line(line.text))
        sentence = od_sentence_read(proof->lexicon, line.text);
    if (sentence.kind != sample->kind) {
        say(proof, sample, "R0403",
            od_arena_printf(proof->arena, "the sentence is read as %s",
                            sentence.kind == OD_EV_NONE ? "no failure"
                                                        : od_event_kind_name(sentence.kind)));
        return;
    }
    struct od_event event = od_sentence_event(&sentence, &line);
    for (size_t i = 0; i < sample->nfacts; i++)
        prove_fact(proof, sample, &sample->facts[i], &event);
}

enum od_err od_prove_words(const struct od_lexicon *lexicon, struct od_diags *diags)
{
    struct proof proof = {.lexicon = lexicon, .diags = diags, .arena = od_arena_new()};
    for (size_t i = 0; i < lexicon->nsamples; i++)
        prove_sample(&proof, &lexicon->samples[i]);
    od_arena_free(proof.arena);
    return proof.failed ? OD_ERULE : OD_OK;
}
