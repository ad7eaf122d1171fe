#include "facts/cause.h"
#include "rules/loader.h"
#include "rules/topics.h"

static void check_causes(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct od_topic *topic = to;
    for (const char *const *cause = topic->causes; cause && *cause; cause++)
        if (od_cause_named(*cause) == OD_CAUSE_END)
            od_loader_error(loader, node, "R0604", NULL, "'%s' is not a cause", *cause);
}

#define EFFECT(key) OD_KEY(struct od_topic_effect, #key, OD_MUST, OD_LINE, key)
static const struct od_loader_key effect_keys[] = {
    EFFECT(step), EFFECT(tensor), EFFECT(pool), EFFECT(driver), EFFECT(rss),
};
static const struct od_loader_map effect_map =
    OD_MAP("an effect", struct od_topic_effect, effect_keys);

#define TOPIC(...) OD_KEY(struct od_topic, __VA_ARGS__)
static const struct od_loader_key topic_keys[] = {
    OD_KEY_SCHEMA,
    TOPIC("topic", OD_MUST, OD_LINE, topic),
    TOPIC("title", OD_MUST, OD_LINE, title),
    TOPIC("questions", OD_MUST, OD_TEXTS, questions),
    TOPIC("say", OD_MUST, OD_BLOCK, say),
    OD_KEYS(struct od_topic, "effects", OD_MAY, OD_ROWS, effects, .rows = &effect_map),
    TOPIC("code", OD_MAY, OD_BLOCK, code),
    TOPIC("causes", OD_MUST, OD_TEXTS, causes),
    TOPIC("source", OD_MUST, OD_LINE, source),
};
const struct od_loader_map od_topic_map =
    OD_MAP("a topic", struct od_topic, topic_keys, .check = check_causes);

enum od_err od_topic_load_file(const char *root, const char *name, struct od_arena *arena,
                               struct od_diags *diags, const struct od_topic **ret_topic)
{
    struct od_topic *topic = OD_NEW(arena, struct od_topic);
    struct od_loading loading = {name, arena, diags, &od_topic_map, topic};
    enum od_err err = od_loader_read_file(&loading, root);
    if (err == OD_OK)
        *ret_topic = topic;
    return err;
}
