#include "facts/event.h"

#include <assert.h>

struct field_row {
    const char *name;
    enum od_field_type type;
};

static const struct field_row fields[OD_F_END] = {
#define OD_EVENT_FIELD(constant, name, type) [OD_F_##constant] = {#name, OD_T_##type},
#include "facts/event_fields.def"
#undef OD_EVENT_FIELD
};

#define BIT(field) (UINT64_C(1) << (field))

/* Fields of every kind: which program printed it, where, and in which process. */
#define WHO (BIT(OD_F_PRODUCER) | BIT(OD_F_DEVICE) | BIT(OD_F_PID) | BIT(OD_F_RANK))
#define SIZES                                                                                      \
    (BIT(OD_F_REQUESTED) | BIT(OD_F_ROUNDED) | BIT(OD_F_CAPACITY) | BIT(OD_F_LIMIT) |              \
     BIT(OD_F_IN_USE) | BIT(OD_F_RESERVED) | BIT(OD_F_FREE) | BIT(OD_F_LARGEST) | BIT(OD_F_PEAK) | \
     BIT(OD_F_WANTED))
#define TENSOR (BIT(OD_F_SHAPE) | BIT(OD_F_DTYPE) | BIT(OD_F_OP))
#define ALLOC                                                                    \
    (WHO | SIZES | TENSOR | BIT(OD_F_RSS) | BIT(OD_F_HELD) | BIT(OD_F_SPACE) |   \
     BIT(OD_F_ALLOCATOR) | BIT(OD_F_COUNT) | BIT(OD_F_NEEDED) | BIT(OD_F_FITS) | \
     BIT(OD_F_COUNTED) | BIT(OD_F_MEASURED) | BIT(OD_F_THRESHOLD))

/* Fields of a line of progress or a measurement. */
#define MEASURED                                                                                  \
    (WHO | SIZES | BIT(OD_F_RSS) | BIT(OD_F_VIRTUAL) | BIT(OD_F_SPACE) | BIT(OD_F_PROCESS) |      \
     BIT(OD_F_GROUP) | BIT(OD_F_STEP) | BIT(OD_F_EPOCH) | BIT(OD_F_SECONDS) | BIT(OD_F_ELAPSED) | \
     BIT(OD_F_SHARE) | BIT(OD_F_PHASE) | BIT(OD_F_NAME))

#define KILLED                                                                                    \
    (WHO | SIZES | BIT(OD_F_RSS) | BIT(OD_F_VIRTUAL) | BIT(OD_F_PROCESS) | BIT(OD_F_GROUP) |      \
     BIT(OD_F_STATUS) | BIT(OD_F_SIGNAL) | BIT(OD_F_COUNT) | BIT(OD_F_NAME) | BIT(OD_F_MESSAGE) | \
     BIT(OD_F_PHASE) | BIT(OD_F_TRIGGER) | BIT(OD_F_SWAP) | BIT(OD_F_SWAP_FREE) |                 \
     BIT(OD_F_MEASURED) | BIT(OD_F_THRESHOLD))

struct kind_row {
    const char *name;
    uint64_t fields;
};

static const struct kind_row kinds[OD_EV_END] = {
#define OD_EVENT_KIND(kind, name, fields) [OD_EV_##kind] = {#name, fields},
#include "facts/event_kinds.def"
};

const char *od_event_kind_name(enum od_event_kind kind)
{
    return kind < OD_EV_END ? kinds[kind].name : NULL;
}

enum od_event_kind od_event_kind_find(struct od_view name)
{
    for (unsigned i = OD_EV_NONE + 1; i < OD_EV_END; i++) {
        if (od_view_eq_str(name, kinds[i].name))
            return (enum od_event_kind)i;
    }
    return OD_EV_NONE;
}

const char *od_field_name(enum od_field field)
{
    return field < OD_F_END ? fields[field].name : NULL;
}

enum od_field od_field_find(struct od_view name)
{
    for (unsigned i = OD_F_NONE + 1; i < OD_F_END; i++) {
        if (od_view_eq_str(name, fields[i].name))
            return (enum od_field)i;
    }
    return OD_F_NONE;
}

enum od_field_type od_field_type(enum od_field field)
{
    assert(field > OD_F_NONE && field < OD_F_END);
    return fields[field].type;
}

bool od_event_kind_is_trouble(enum od_event_kind kind)
{
    return (kind > OD_EV_NONE && kind <= OD_EV_KILLED) || kind == OD_EV_EXCEPTION ||
           kind == OD_EV_CRASH;
}

bool od_event_kind_has(enum od_event_kind kind, enum od_field field)
{
    return kind < OD_EV_END && field < OD_F_END && (kinds[kind].fields & BIT(field)) != 0;
}

static struct od_view recognized(const struct od_event *event)
{
    return event->excerpt.n > 0 || !event->line ? event->excerpt : event->line->text;
}

struct od_view od_event_evidence(const struct od_event *event, char room[static OD_EXCERPT])
{
    return od_excerpt_cut(recognized(event), OD_EXCERPT, room);
}

size_t od_event_keep_evidence(const struct od_event *event, char room[static OD_EXCERPT])
{
    return od_excerpt_keep(recognized(event), OD_EXCERPT, room);
}

void od_event_begin(struct od_event *ret_event, enum od_event_kind kind, const struct od_line *line,
                    const char *rule)
{
    struct od_event *e = ret_event;
    e->kind = kind;
    e->at = line->at;
    e->line = line;
    e->excerpt = (struct od_view){0};
    e->rule = rule;
    e->unit_guessed = false;
    e->dump = NULL;
    e->model = NULL;
    e->sign = NULL;
    e->has = 0;
    e->nfields = 0;
}

void od_event_copy(struct od_event *to, const struct od_event *from)
{
    size_t end = offsetof(struct od_event, fields) + from->nfields * sizeof *from->fields;
    memcpy(to, from, offsetof(struct od_event, shape));
    memcpy(&to->has, &from->has, end - offsetof(struct od_event, has));
}

static struct od_field_value *slot_of(struct od_event *event, enum od_field field)
{
    static_assert(OD_F_END <= 64, "a bit of has for each field");
    if (!(event->has >> field & 1)) {
        assert(event->nfields < OD_EVENT_FIELDS);
        event->has |= UINT64_C(1) << field;
        event->place[field] = (uint8_t)event->nfields;
        event->fields[event->nfields++].field = field;
    }
    return &event->fields[event->place[field]];
}

void od_event_set(struct od_event *event, const struct od_field_value *value)
{
    *slot_of(event, value->field) = *value;
}

void od_event_set_bytes(struct od_event *event, enum od_field field, struct od_bytes bytes)
{
    slot_of(event, field)->as.bytes = bytes;
}

void od_event_set_known(struct od_event *event, enum od_field field, struct od_bytes bytes)
{
    if (bytes.known)
        od_event_set_bytes(event, field, bytes);
}

void od_event_set_text(struct od_event *event, enum od_field field, struct od_view text)
{
    slot_of(event, field)->as.text = text;
}

void od_event_set_count(struct od_event *event, enum od_field field, uint64_t count)
{
    slot_of(event, field)->as.count = count;
}

void od_event_set_number(struct od_event *event, enum od_field field, double number)
{
    slot_of(event, field)->as.number = number;
}
