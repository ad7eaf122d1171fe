#include "advise/room.h"

#include "advise/slots.h"

#include <math.h>

double od_room_of_machine(const struct od_advise_question *question)
{
    const struct od_incident *ended = question->diagnosis->failure->run.ended;
    struct od_bytes has = {0};
    OD_FOR_EACH (const struct od_setting, setting, question->c->settings) {
        if (setting->id == OD_SETTING_MACHINE_MEMORY)
            (void)od_bytes_parse(setting->value, OD_UNIT_BINARY, &has);
    }
    double room = (double)has.n;
    if (ended && od_incident_kind_is_host(ended->kind))
        room = fmax(room, (double)ended->capacity.n);
    OD_FOR_EACH (const struct od_series, s, question->c->series) {
        bool used = s->metric == OD_SERIES_HOST_USED && s->process.n == 0;
        if ((used || s->metric == OD_SERIES_HOST_FREE) && s->limit_known)
            room = fmax(room, s->limit);
    }
    return room;
}

double od_room_of_host(const struct od_advise_question *question)
{
    const struct od_failure *failure = question->diagnosis->failure;
    const struct od_account *account = &failure->account;
    bool group = od_account_is_of_group(account) || account->scope == OD_SCOPE_ADDRESSES;
    if (failure->stated_limit.known && !group)
        return (double)failure->stated_limit.lo;
    return group && account->limit.bytes.known && !account->conflict
               ? (double)account->limit.bytes.lo
               : od_room_of_machine(question);
}

struct od_bytes od_room_of_container(const struct od_advise_question *question)
{
    return od_first_cause(question->diagnosis) == OD_CAUSE_RUNTIME_LIMIT
               ? question->diagnosis->failure->stated_limit
               : (struct od_bytes){0};
}

/* The largest request that the device can serve; 0 = not known. */
static double room_on_device(const struct od_advise_question *q, bool with_weights)
{
    const struct od_failure *failure = q->diagnosis->failure;
    const struct od_bytes whole[] = {failure->free_at_start, failure->usable, failure->capacity,
                                     failure->rated};
    if (with_weights && failure->run.ended->free.known)
        return (double)failure->run.ended->free.lo;
    struct od_bytes weights = od_failure_buffers(q->c, failure->run.ended, "model buffer");
    for (size_t i = 0; i < OD_COUNT_OF(whole); i++)
        if (whole[i].known)
            return fmax((double)whole[i].lo - (double)weights.lo, 0);
    return 0;
}

/* Bytes of the scores of attention in llama.cpp, which computes them for n_ubatch tokens at a time,
 * in float32, unless a fused kernel is on. Their buffer grows with the context like the cache. */
static double scores_of(const struct od_advise_question *question)
{
    enum { FLOAT = 4 };
    const struct od_incident *ended = question->diagnosis->failure->run.ended;
    const struct od_case *c = question->c;
    struct od_count heads = od_failure_setting(c, OD_SETTING_HEADS, &ended->at);
    struct od_count rows = od_failure_setting(c, OD_SETTING_UBATCH, &ended->at);
    struct od_count length = od_failure_setting(c, OD_SETTING_SEQUENCE_LENGTH, &ended->at);
    bool fused = od_case_setting(c, OD_SETTING_ATTENTION).n > 0;
    return fused ? 0 : (double)heads.n * (double)rows.n * (double)length.n * FLOAT;
}

/* Layers on the device in proportion to its memory. The cache and the compute buffers, which are
 * allocated after the weights, get the rest: with a context of 4,096 tokens they take 1 to 2 of 12
 * GiB. */
static double room_for_layers(const struct od_advise_question *question)
{
    static const double most = 0.85;
    const struct od_incident *ended = question->diagnosis->failure->run.ended;
    if (od_first_cause(question->diagnosis) != OD_CAUSE_MODEL_TOO_LARGE || !ended ||
        !ended->requested.known || od_incident_kind_is_host(ended->kind))
        return 0;
    double share = most * room_on_device(question, false) / (double)ended->requested.hi;
    return share < most ? share : 0;
}

double od_room_for_request(const struct od_advise_question *question, const char *knob)
{
    static const char *const lengths[] = {"context_length", "sequence_length", NULL};
    if (strcmp(knob, "gpu_layers") == 0)
        return room_for_layers(question);
    static const double fixed = 0.03; /* share of the request that does not depend on the setting */
    static const double least = 1.0 / 14;
    const struct od_failure *failure = question->diagnosis->failure;
    const struct od_incident *ended = failure->run.ended;
    const struct od_diagnosis *diagnosis = question->diagnosis;
    bool stated = diagnosis->findings.n > 0 && /* the message gives the length that fits */
                  od_slots_number(diagnosis->findings.items, OD_VIEW("tokens_count"));
    if (!ended || !od_is_among(knob, lengths) || !ended->requested.known || stated ||
        od_incident_kind_is_host(ended->kind))
        return 0;
    double room =
        room_on_device(question, od_first_cause(question->diagnosis) == OD_CAUSE_KV_CACHE);
    if (room <= 0)
        return od_beyond_devices(ended->requested) ? OD_ROOM_NONE : 0;
    /* the cache is as long as the sequence */
    struct od_bytes cache = od_failure_buffers(question->c, ended, "KV buffer");
    double share = room / ((double)ended->requested.hi + (double)cache.lo + scores_of(question));
    if (share >= 1)
        return 0;
    return share < least ? OD_ROOM_NONE : share - fixed * (1 - share);
}

/* The layers that the program says it puts on the device; "-ngl 99" asks for more than there are.
 */
static uint64_t layers_placed(const struct od_advise_question *question, uint64_t asked)
{
    uint64_t n = asked;
    OD_FOR_EACH (const struct od_setting, setting, question->c->settings) {
        struct od_view value = setting->value;
        if (od_view_eq_str(setting->name, "gpu_layers"))
            (void)od_num_take_u64(&value, &n);
    }
    return n < asked ? n : asked;
}

uint64_t od_room_shorten(const struct od_advise_question *question, const char *knob,
                         uint64_t length, double share)
{
    enum { TOKENS = 16 }; /* vLLM's default for the tokens in a block */
    bool layers = strcmp(knob, "gpu_layers") == 0;
    if (!(share > 0 && share < 1))
        return 0;
    if (layers)
        return (uint64_t)((double)layers_placed(question, length) * share);
    return (uint64_t)((double)length * share) / TOKENS * TOKENS;
}
