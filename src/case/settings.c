#include "case/builder.h"

#include "case/device.h"

enum { LOOK_BACK = 32 /* devices that a line is compared with */ };

static bool can_be_one(struct od_view a, struct od_view b)
{
    return a.n == 0 || b.n == 0 || od_view_eq(a, b);
}

static bool same_device(const struct od_device *known, const struct od_device *said)
{
    bool named = (known->device.n > 0 && od_view_eq(known->device, said->device)) ||
                 (known->name.n > 0 && od_view_eq(known->name, said->name));
    return named && can_be_one(known->device, said->device) &&
           can_be_one(known->name, said->name) &&
           od_bytes_same(known->capacity, said->capacity) != OD_NO &&
           od_bytes_same(known->limit, said->limit) != OD_NO &&
           od_bytes_same(known->free, said->free) != OD_NO;
}

static struct od_device *find_device(struct od_case *c, const struct od_device *said)
{
    for (size_t i = 0; i < LOOK_BACK && i < c->devices.n; i++) {
        struct od_device *known = &c->devices.items[c->devices.n - 1 - i];
        if (same_device(known, said))
            return known;
    }
    return NULL;
}

void od_fold_device(struct od_case_builder *b, const struct od_event *event)
{
    struct od_device said = {
        .name = od_event_text(event, OD_F_NAME),
        .device = od_device_normal(b->scratch, od_event_text(event, OD_F_DEVICE)),
        .capacity = od_event_bytes(event, OD_F_CAPACITY),
        .limit = od_event_bytes(event, OD_F_LIMIT),
        .free = od_event_bytes(event, OD_F_FREE),
    };
    if (od_view_eq_str(od_event_text(event, OD_F_SPACE), "host")) {
        b->on_cpu = od_case_copy(b, od_event_text(event, OD_F_PRODUCER));
        return;
    }
    struct od_device *known = find_device(b->c, &said);
    if (known) {
        od_fill_text(b, &known->name, said.name);
        od_fill_text(b, &known->device, said.device);
        od_fill_bytes(&known->capacity, said.capacity);
        od_fill_bytes(&known->limit, said.limit);
        od_fill_bytes(&known->free, said.free);
        return;
    }
    if (b->c->devices.n >= OD_DEVICES_MAX) {
        b->c->closed |= 1U << OD_LIST_DEVICES;
        return;
    }
    said.name = od_case_copy(b, said.name);
    said.device = od_case_copy(b, said.device);
    said.said = od_case_copy_evidence(b, event);
    od_vec_push(&b->c->devices, said);
}

void od_fold_setting(struct od_case_builder *b, const struct od_event *event)
{
    struct od_view name = od_view_head(od_event_text(event, OD_F_NAME), OD_NAME_MAX);
    struct od_view value =
        od_view_head(od_view_trim(od_event_text(event, OD_F_VALUE)), OD_NAME_MAX);
    if (name.n == 0)
        return;
    const uint64_t *latest = od_map_get(&b->settings, name);
    if (latest && od_view_eq(b->c->settings.items[*latest - 1].value, value))
        return;
    if (b->c->settings.n >= OD_SETTINGS_MAX) {
        b->c->closed |= 1U << OD_LIST_SETTINGS;
        return;
    }
    struct od_setting setting = {.name = od_case_copy(b, name),
                                 .id = od_setting_named(name),
                                 .value = od_case_copy(b, value)};
    setting.said = od_case_copy_evidence(b, event);
    od_vec_push(&b->c->settings, setting);
    *od_map_at(&b->settings, name) = b->c->settings.n;
}

struct od_view od_case_setting(const struct od_case *c, enum od_setting_id id)
{
    for (size_t i = c->settings.n; i-- > 0;) {
        if (c->settings.items[i].id == id)
            return c->settings.items[i].value;
    }
    return (struct od_view){0};
}

double od_setting_number_after(const struct od_setting *setting, const char *word)
{
    struct od_view text = setting->said.text;
    size_t at = od_view_find(text, od_view_of(word), 0);
    double number;
    if (at == OD_VIEW_NONE)
        return 0;
    text = od_view_from(text, at + strlen(word));
    text = od_view_from(text, od_past_any(text, 0, " =:'\"("));
    return od_num_parse_double(od_num_take_text(&text), &number) ? number : 0;
}

bool od_case_names_failure(const struct od_case *c)
{
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (od_view_starts(setting->name, OD_VIEW("failure_")))
            return true;
    return false;
}

bool od_case_sets_any(const struct od_case *c, const enum od_setting_id *ids)
{
    for (; *ids; ids++)
        if (od_case_setting(c, *ids).n > 0)
            return true;
    return false;
}

const struct od_setting *od_case_find_setting_at(const struct od_case *c, enum od_setting_id id,
                                                 const struct od_prov *at)
{
    const struct od_setting *before = NULL, *after = NULL, *last = NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        bool own = setting->said.at.source == at->source;
        if (setting->id != id)
            continue;
        last = setting;
        if (own ? setting->said.at.line <= at->line : setting->said.at.source < at->source)
            before = setting;
        else if (own && !after)
            after = setting;
    }
    bool own = before && before->said.at.source == at->source;
    const struct od_setting *found = after && !own ? after : before;
    return found ? found : last;
}

const struct od_memory_state *od_case_find_state(const struct od_case *c, const char *name)
{
    for (size_t i = c->states.n; i-- > 0;)
        if (od_view_eq_str(c->states.items[i].name, name))
            return &c->states.items[i];
    return NULL;
}

struct od_view od_case_setting_at(const struct od_case *c, enum od_setting_id id,
                                  const struct od_prov *at)
{
    const struct od_setting *found = od_case_find_setting_at(c, id, at);
    return found ? found->value : (struct od_view){0};
}

bool od_setting_size(const struct od_setting *setting, struct od_bytes *ret_size)
{
    bool megabytes = setting->id == OD_SETTING_HEAP_LIMIT ||
                     od_view_find(setting->said.text, OD_VIEW("mem_mb="), 0) != OD_VIEW_NONE;
    return setting->id == OD_SETTING_MACHINE_MEMORY
               ? od_bytes_parse(setting->value, OD_UNIT_BINARY, ret_size)
               : od_bytes_parse_option(setting->value, megabytes ? OD_VIEW("MiB") : OD_VIEW(""),
                                       ret_size);
}

/* A manifest or description of a pod has a line "memory: 2Gi" for each container. */
static bool is_of_container(const struct od_setting *setting)
{
    return setting->id == OD_SETTING_MEMORY_LIMIT &&
           od_view_starts(setting->said.text, OD_VIEW("memory:"));
}

const struct od_setting *od_case_limit_at(const struct od_case *c, const struct od_prov *at)
{
    enum { BLOCK = 16 }; /* most lines from the state of a container to its limits */
    const struct od_setting *found = od_case_find_setting_at(c, OD_SETTING_MEMORY_LIMIT, at),
                            *own = NULL;
    bool several = false;
    if (!found || !is_of_container(found))
        return found;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        if (!is_of_container(setting))
            continue;
        several = several || !od_view_eq(setting->value, found->value);
        if (!own && setting->said.at.source == at->source && setting->said.at.line >= at->line &&
            setting->said.at.line - at->line <= BLOCK)
            own = setting;
    }
    return several ? own : found;
}
