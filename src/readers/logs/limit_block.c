/*
 * Limits of containers in Kubernetes descriptions and manifests: "Limits:" or "limits:" with the
 * memory below. Requests are in a block of their own. "- name: GOMEMLIMIT" has its value below.
 */
#include "facts/setting.h"
#include "readers/reader.h"

enum { BLOCK_LINES = 6 };

struct block {
    unsigned left; /* remaining lines that may contain the memory; 0 = no block is open */
    bool variable; /* it is a variable with its value */
};

static const char *const openers[] = {"Limits:", "limits:", NULL};
static const char *const variables[] = {"- name: GOMEMLIMIT", "name: GOMEMLIMIT", NULL};
static const char *const literals[] = {"Limits:", "limits:", "name: GOMEMLIMIT", NULL};

static void put(enum od_setting_id id, struct od_view value, const struct od_line *line,
                const struct od_sink *sink)
{
    struct od_event event;
    od_event_begin(&event, OD_EV_SETTING, line, "limit_block");
    event.excerpt = od_view_trim(line->text);
    od_event_set_text(&event, OD_F_NAME, od_view_of(od_setting_name(id)));
    od_event_set_text(&event, OD_F_VALUE, value);
    od_sink_put(sink, &event);
}

/* "6Gi" without quotes. */
static struct od_view unquoted(struct od_view value)
{
    value = od_view_trim(value);
    if (value.n > 1 && (value.p[0] == '"' || value.p[0] == '\''))
        value = (struct od_view){value.p + 1, value.n - 2};
    return value;
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct block *block = state;
    struct od_view text = od_view_trim(line->text);
    struct od_bytes bytes;
    bool variable = od_view_eq_any(text, variables);
    if (variable || od_view_eq_any(text, openers)) {
        *block = (struct block){.left = variable ? 1 : BLOCK_LINES, .variable = variable};
        return OD_TAKE_SHARE;
    }
    if (block->left == 0)
        return OD_TAKE_NONE;
    block->left--;
    if (!od_view_take(&text, block->variable ? OD_VIEW("value:") : OD_VIEW("memory:"))) {
        if (od_view_ends(text, OD_VIEW(":"))) /* the next block */
            block->left = 0;
        return OD_TAKE_NONE;
    }
    block->left = 0;
    struct od_view value = unquoted(text);
    if (!od_bytes_parse(value, OD_UNIT_BINARY, &bytes))
        return OD_TAKE_NONE;
    put(block->variable ? OD_SETTING_HEAP_LIMIT : OD_SETTING_MEMORY_LIMIT, value, line, sink);
    return OD_TAKE_SHARE;
}

static bool is_open(const void *state)
{
    return ((const struct block *)state)->left > 0;
}

const struct od_reader od_reader_limit_block = {
    .name = "limit_block",
    .literals = literals,
    .state_size = sizeof(struct block),
    .foreign_max = BLOCK_LINES,
    .line = read_line,
    .is_open = is_open,
};
