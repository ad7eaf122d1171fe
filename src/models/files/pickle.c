#include "models/files/pickle.h"

#include <stdio.h>

enum { PROTOCOL_FIRST = 2, PROTOCOL_LAST = 5, NAME_SHOWN = 60 };

struct od_pickle {
    struct od_arena *arena; /* owns containers */
    struct od_pickle_value top;
    size_t used;
};

struct machine {
    struct od_arena *arena;
    struct od_view bytes;
    size_t at; /* position of the next byte */
    size_t op; /* position of the opcode */
    OD_VEC(struct od_pickle_value) stack;
    OD_VEC(size_t) marks;
    OD_VEC(struct od_pickle_value) memo;
    size_t values;
    bool stopped;
    struct od_pickle_fault *fault;
};

/* ---- errors: each has a reason and a position, and stops reading ---- */

static bool fail(struct machine *m, enum od_err err, const char *what)
{
    m->fault->err = err;
    (void)snprintf(m->fault->message, sizeof m->fault->message, "%s at byte %zu", what, m->op);
    return false;
}

static bool fail_damaged(struct machine *m)
{
    return fail(m, OD_LOST, "the pickle is damaged");
}

static bool fail_cut(struct machine *m)
{
    return fail(m, OD_LOST, "the pickle is cut: it ends inside the opcode");
}

static bool take(struct machine *m, uint64_t n, struct od_view *ret_bytes)
{
    if (n > m->bytes.n - m->at)
        return fail_cut(m);
    *ret_bytes = (struct od_view){.p = m->bytes.p + m->at, .n = (size_t)n};
    m->at += (size_t)n;
    return true;
}

static uint64_t little_endian(struct od_view bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes.n; i-- > 0;)
        value = value << 8 | (unsigned char)bytes.p[i];
    return value;
}

static bool take_number(struct machine *m, unsigned width, uint64_t *ret_value)
{
    struct od_view bytes;
    if (!take(m, width, &bytes))
        return false;
    *ret_value = little_endian(bytes);
    return true;
}

static bool count_value(struct machine *m)
{
    return m->values++ < OD_PICKLE_VALUES ||
           fail(m, OD_ELIMIT, "the pickle holds more values than are read");
}

static bool push(struct machine *m, struct od_pickle_value value)
{
    if (!count_value(m))
        return false;
    od_vec_push(&m->stack, value);
    return true;
}

/* Index of the first value above the last mark. Values below it must not be taken. */
static size_t floor_of(const struct machine *m)
{
    return m->marks.n > 0 ? m->marks.items[m->marks.n - 1] : 0;
}

static bool has(struct machine *m, size_t n)
{
    return m->stack.n - floor_of(m) >= n || fail_damaged(m);
}

/* Removes the last mark. *ret_first is the index of the first value above it. */
static bool pop_mark(struct machine *m, size_t *ret_first)
{
    if (m->marks.n == 0)
        return fail_damaged(m);
    *ret_first = m->marks.items[--m->marks.n];
    return true;
}

static struct od_pickle_value *top_of(struct machine *m)
{
    return &m->stack.items[m->stack.n - 1];
}

static void grow(struct machine *m, struct od_pickle_items *items, size_t need)
{
    size_t room = items->room > need / 2 ? items->room * 2 : need;
    struct od_pickle_value *fresh = OD_NEW_N(m->arena, room, struct od_pickle_value);
    if (items->n > 0)
        memcpy(fresh, items->items, items->n * sizeof *fresh);
    items->items = fresh;
    items->room = room;
}

static void move_top(struct machine *m, size_t first, struct od_pickle_items *items)
{
    size_t n = m->stack.n - first;
    if (n == 0)
        return;
    if (items->n + n > items->room)
        grow(m, items, items->n + n);
    memcpy(items->items + items->n, m->stack.items + first, n * sizeof *items->items);
    items->n += n;
    m->stack.n = first;
}

static bool push_container(struct machine *m, enum od_pickle_kind kind, size_t first)
{
    struct od_pickle_value value = {.kind = kind};
    value.as.items = OD_NEW(m->arena, struct od_pickle_items);
    move_top(m, first, value.as.items);
    return push(m, value);
}

/* Moves the values from `first` on to the container below them. */
static bool add_top(struct machine *m, enum od_pickle_kind kind, size_t first)
{
    if (first == floor_of(m) || m->stack.items[first - 1].kind != kind ||
        (kind == OD_PICKLE_DICT && (m->stack.n - first) % 2 != 0))
        return fail_damaged(m);
    move_top(m, first, m->stack.items[first - 1].as.items);
    return true;
}

/* ---- opcodes: `what` is the argument in the table below ---- */

static bool op_proto(struct machine *m, unsigned what)
{
    uint64_t protocol;
    (void)what;
    if (!take_number(m, 1, &protocol))
        return false;
    if (protocol < PROTOCOL_FIRST || protocol > PROTOCOL_LAST)
        return fail(m, OD_EINPUT, "the pickle is of a protocol that is not read");
    return true;
}

static bool op_frame(struct machine *m, unsigned what)
{
    uint64_t n;
    (void)what;
    /* only a hint for buffering: the opcodes in the frame follow as usual */
    return take_number(m, 8, &n) &&
           (n <= m->bytes.n - m->at ||
            fail(m, OD_LOST, "the pickle is cut: it ends inside the frame"));
}

static bool op_stop(struct machine *m, unsigned what)
{
    (void)what;
    m->stopped = true;
    return has(m, 1);
}

static bool op_mark(struct machine *m, unsigned what)
{
    (void)what;
    if (m->marks.n >= OD_PICKLE_DEPTH)
        return fail(m, OD_ELIMIT, "the pickle is nested deeper than is read");
    od_vec_push(&m->marks, m->stack.n);
    return true;
}

static bool op_pop(struct machine *m, unsigned what)
{
    (void)what;
    if (m->stack.n == floor_of(m) && m->marks.n > 0) {
        m->marks.n--;
        return true;
    }
    return has(m, 1) && m->stack.n-- > 0;
}

static bool op_pop_mark(struct machine *m, unsigned what)
{
    (void)what;
    return pop_mark(m, &m->stack.n);
}

static bool op_dup(struct machine *m, unsigned what)
{
    (void)what;
    return has(m, 1) && push(m, *top_of(m));
}

static bool op_none(struct machine *m, unsigned what)
{
    (void)what;
    return push(m, (struct od_pickle_value){.kind = OD_PICKLE_NONE});
}

static bool op_bool(struct machine *m, unsigned what)
{
    return push(m, (struct od_pickle_value){.kind = OD_PICKLE_BOOL, .as.truth = what == 1});
}

static struct od_pickle_value int_of(uint64_t bits)
{
    return (struct od_pickle_value){.kind = OD_PICKLE_INT, .as.i = (int64_t)bits};
}

/* what: size of the number in bytes. A number of four bytes is signed. */
static bool op_int(struct machine *m, unsigned what)
{
    uint64_t n;
    if (!take_number(m, what, &n))
        return false;
    return push(m, int_of(what == 4 && n > INT32_MAX ? n | ~(uint64_t)UINT32_MAX : n));
}

/* Converts a number in two's complement of any length. */
static struct od_pickle_value long_of(struct od_view bytes)
{
    bool negative = bytes.n > 0 && (unsigned char)bytes.p[bytes.n - 1] >= 0x80;
    while (bytes.n > 0 && bytes.p[bytes.n - 1] == (negative ? '\xff' : '\0'))
        bytes.n--;
    uint64_t n = little_endian(od_view_head(bytes, 8));
    bool top = bytes.n == 8 && n > INT64_MAX;
    if (bytes.n > 8 || (negative && bytes.n == 8 && !top))
        return (struct od_pickle_value){.kind = OD_PICKLE_LONG};
    if (top && !negative)
        return (struct od_pickle_value){.kind = OD_PICKLE_UINT, .as.u = n};
    if (negative && bytes.n < 8)
        n |= UINT64_MAX << (8 * bytes.n);
    return int_of(n);
}

/* Reads an integer of any length. what: size of its length field in bytes. */
static bool op_long(struct machine *m, unsigned what)
{
    uint64_t n;
    struct od_view bytes;
    return take_number(m, what, &n) && take(m, n, &bytes) && push(m, long_of(bytes));
}

static bool op_float(struct machine *m, unsigned what)
{
    struct od_view bytes;
    uint64_t bits = 0;
    struct od_pickle_value value = {.kind = OD_PICKLE_FLOAT};
    (void)what;
    if (!take(m, 8, &bytes))
        return false;
    for (size_t i = 0; i < bytes.n; i++)
        bits = bits << 8 | (unsigned char)bytes.p[i];
    memcpy(&value.as.f, &bits, sizeof bits);
    return push(m, value);
}

/* what: size of the length field in bytes. */
static bool op_text(struct machine *m, unsigned what)
{
    uint64_t n;
    struct od_view bytes;
    if (!take_number(m, what, &n) || !take(m, n, &bytes))
        return false;
    if (n > UINT32_MAX)
        return fail(m, OD_ELIMIT, "a text is longer than is read");
    return push(
        m, (struct od_pickle_value){.kind = OD_PICKLE_TEXT, .n = (uint32_t)n, .as.p = bytes.p});
}

static bool op_empty(struct machine *m, unsigned what)
{
    if (what == OD_PICKLE_TUPLE)
        return push(m, (struct od_pickle_value){.kind = OD_PICKLE_TUPLE});
    return push_container(m, (enum od_pickle_kind)what, m->stack.n);
}

static bool op_container(struct machine *m, unsigned what)
{
    size_t first;
    if (!pop_mark(m, &first))
        return false;
    if (what == OD_PICKLE_DICT && (m->stack.n - first) % 2 != 0)
        return fail_damaged(m);
    return push_container(m, (enum od_pickle_kind)what, first);
}

/* what: number of items in the tuple. */
static bool op_short_tuple(struct machine *m, unsigned what)
{
    return has(m, what) && push_container(m, OD_PICKLE_TUPLE, m->stack.n - what);
}

static bool op_add_one(struct machine *m, unsigned what)
{
    size_t n = what == OD_PICKLE_DICT ? 2 : 1;
    return has(m, n + 1) && add_top(m, (enum od_pickle_kind)what, m->stack.n - n);
}

static bool op_add_all(struct machine *m, unsigned what)
{
    size_t first;
    return pop_mark(m, &first) && add_top(m, (enum od_pickle_kind)what, first);
}

/* what: size of the number in bytes. */
static bool op_get(struct machine *m, unsigned what)
{
    uint64_t i;
    if (!take_number(m, what, &i))
        return false;
    return i < m->memo.n ? push(m, m->memo.items[i]) : fail_damaged(m);
}

/* what: size of the number in bytes; 0 = the next free number, as picklers count. */
static bool op_put(struct machine *m, unsigned what)
{
    uint64_t i = m->memo.n;
    if (!has(m, 1) || (what > 0 && !take_number(m, what, &i)))
        return false;
    if (i > m->memo.n)
        return fail_damaged(m);
    if (i < m->memo.n) {
        m->memo.items[i] = *top_of(m);
        return true;
    }
    if (!count_value(m))
        return false;
    od_vec_push(&m->memo, *top_of(m));
    return true;
}

/* Opcodes that make Python look up, create or call an object. */
static const char *const code_names[256] = {
    ['c'] = "GLOBAL",    [0x93] = "STACK_GLOBAL", ['R'] = "REDUCE",
    ['b'] = "BUILD",     ['i'] = "INST",          ['o'] = "OBJ",
    [0x81] = "NEWOBJ",   [0x92] = "NEWOBJ_EX",    [0x82] = "EXT1",
    [0x83] = "EXT2",     [0x84] = "EXT4",         ['P'] = "PERSID",
    ['Q'] = "BINPERSID", [0x97] = "NEXT_BUFFER",  [0x98] = "READONLY_BUFFER",
};

/* Prints the name of the object, "module.name", if it is known. */
static int print_name(const struct machine *m, unsigned char op, char *to, size_t room)
{
    struct od_view module = {0}, name = {0};
    size_t n = m->stack.n;
    if (op == 'c' || op == 'i') {
        struct od_view rest = od_view_from(m->bytes, m->at);
        (void)(od_view_cut(&rest, '\n', &module) && od_view_cut(&rest, '\n', &name));
    } else if (op == 0x93 && n >= 2) {
        module = od_pickle_text(&m->stack.items[n - 2]);
        name = od_pickle_text(&m->stack.items[n - 1]);
    }
    if (module.n == 0 || name.n == 0)
        return snprintf(to, room, "run code");
    module = od_view_head(module, NAME_SHOWN);
    name = od_view_head(name, NAME_SHOWN);
    return snprintf(to, room, "use %.*s.%.*s", (int)module.n, module.p, (int)name.n, name.p);
}

static bool refuse_code(struct machine *m, unsigned char op)
{
    char name[2 * NAME_SHOWN + 16];
    (void)print_name(m, op, name, sizeof name);
    m->fault->err = OD_EINPUT;
    (void)snprintf(m->fault->message, sizeof m->fault->message,
                   "the pickle is refused: it would have Python %s (%s at byte %zu)", name,
                   code_names[op], m->op);
    return false;
}

static const struct {
    bool (*run)(struct machine *m, unsigned what);
    unsigned what;
} ops[256] = {
    [0x80] = {op_proto, 0},
    [0x95] = {op_frame, 0},
    ['.'] = {op_stop, 0},
    ['('] = {op_mark, 0},
    ['0'] = {op_pop, 0},
    ['1'] = {op_pop_mark, 0},
    ['2'] = {op_dup, 0},
    ['N'] = {op_none, 0},
    [0x88] = {op_bool, 1},
    [0x89] = {op_bool, 0},
    ['K'] = {op_int, 1},
    ['M'] = {op_int, 2},
    ['J'] = {op_int, 4},
    [0x8a] = {op_long, 1},
    [0x8b] = {op_long, 4},
    ['G'] = {op_float, 0},
    [0x8c] = {op_text, 1}, /* texts */
    ['X'] = {op_text, 4},
    [0x8d] = {op_text, 8},
    ['U'] = {op_text, 1}, /* strings of Python 2 */
    ['T'] = {op_text, 4},
    ['C'] = {op_text, 1}, /* bytes */
    ['B'] = {op_text, 4},
    [0x8e] = {op_text, 8},
    [0x96] = {op_text, 8}, /* a bytearray */
    [']'] = {op_empty, OD_PICKLE_LIST},
    [')'] = {op_empty, OD_PICKLE_TUPLE},
    ['}'] = {op_empty, OD_PICKLE_DICT},
    ['l'] = {op_container, OD_PICKLE_LIST},
    ['t'] = {op_container, OD_PICKLE_TUPLE},
    ['d'] = {op_container, OD_PICKLE_DICT},
    [0x85] = {op_short_tuple, 1},
    [0x86] = {op_short_tuple, 2},
    [0x87] = {op_short_tuple, 3},
    ['a'] = {op_add_one, OD_PICKLE_LIST},
    ['s'] = {op_add_one, OD_PICKLE_DICT},
    ['e'] = {op_add_all, OD_PICKLE_LIST},
    ['u'] = {op_add_all, OD_PICKLE_DICT},
    ['h'] = {op_get, 1},
    ['j'] = {op_get, 4},
    ['q'] = {op_put, 1},
    ['r'] = {op_put, 4},
    [0x94] = {op_put, 0},
};

static bool run(struct machine *m)
{
    while (!m->stopped) {
        m->op = m->at;
        if (m->at == m->bytes.n)
            return fail(m, OD_LOST, "the pickle is cut: it ends without a STOP");
        unsigned char op = (unsigned char)m->bytes.p[m->at++];
        if (code_names[op])
            return refuse_code(m, op);
        if (!ops[op].run)
            return fail(m, OD_EINPUT, "the pickle has an opcode that plain data do not need");
        if (!ops[op].run(m, ops[op].what))
            return false;
    }
    return true;
}

struct od_pickle *od_pickle_read(struct od_view bytes, struct od_pickle_fault *ret_fault)
{
    struct machine m = {.arena = od_arena_new(), .bytes = bytes, .fault = ret_fault};
    struct od_pickle *pickle = NULL;
    if (run(&m)) {
        pickle = od_mem_alloc(1, sizeof *pickle);
        pickle->arena = m.arena;
        pickle->top = *top_of(&m);
        pickle->used = m.at;
    } else {
        od_arena_free(m.arena);
    }
    od_vec_done(&m.stack);
    od_vec_done(&m.marks);
    od_vec_done(&m.memo);
    return pickle;
}

void od_pickle_free(struct od_pickle *pickle)
{
    if (!pickle)
        return;
    od_arena_free(pickle->arena);
    od_mem_free(pickle);
}

size_t od_pickle_used(const struct od_pickle *pickle)
{
    return pickle->used;
}

const struct od_pickle_value *od_pickle_top(const struct od_pickle *pickle)
{
    return &pickle->top;
}
