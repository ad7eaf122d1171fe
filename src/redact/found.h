/*
 * Finders: secrets and names in a line, known by their form or by the words around them. Each looks
 * at one place, at a bounded number of bytes around it, and adds what it finds.
 */
#pragma once

#include "redact/redact.h"
#include "redact/words.h"

struct od_forms;

struct od_found {
    size_t start, end;
    enum od_redact_kind kind;
    bool learn; /* a name, or a secret that was named: replaced in every place where it is a word of
                   its own */
};

typedef OD_VEC(struct od_found) od_finds;

enum { OD_RUN_MOST = 256, OD_VALUE_MOST = 4096, OD_COLUMNS_MOST = 4 };

/* Of a table: which word of its rows, and the bytes that its heading takes. */
struct od_column {
    unsigned index;
    size_t start, end;
    enum od_redact_kind kind;
};

/* What the lines before said of this one. */
struct od_before {
    enum od_named value_of; /* "name: DB_PASS": a line "value: ..." is its value */
    bool is_folded;         /* "password: >-", '"password":': all of the next line is */
    bool kubernetes;        /* "apiVersion:" or "kind: Secret" */
    bool secret_data;       /* within "data:" of a Secret */
    bool string_data;       /* which is not base64 */
    unsigned key_lines;     /* left of a private key */
    unsigned heading_words; /* of a table */
    unsigned ncolumns;      /* that its heading named */
    struct od_column columns[OD_COLUMNS_MOST];
};

struct od_search {
    struct od_words *words;
    const struct od_forms *forms;
    struct od_view text; /* a line */
    struct od_before *before;
    od_finds *finds;
    size_t base;      /* of the line in the text that finds are places of */
    size_t login_end; /* the @ after a login in a URL */
    size_t covered;   /* nothing before it is looked at again */
    bool names_only;  /* names that were learnt, nothing else */
};

/* A word: letters, digits and what is beyond ASCII. */
struct od_word {
    size_t start, end;
    uint32_t roles;
};

void od_found_add(struct od_search *s, struct od_found found);

/* A user, where the bytes may be one. */
bool od_found_add_user(struct od_search *s, size_t start, size_t end);

/* "user:password", "user%password": all of it is a secret; both are learnt. Returns true. */
bool od_found_add_login(struct od_search *s, size_t start, size_t end);

/* Who or what a word's place tells. True = something was added. */
bool od_find_assigned(struct od_search *s, struct od_word word);

/* A place of rules/words/places.yaml that the word begins, of commands or others. */
bool od_find_place(struct od_search *s, struct od_word word, bool commands);
/* The folder of a share that begins there: "/ifs/NAME/raw", "NAME/x". */
void od_found_add_share(struct od_search *s, size_t at);
bool od_find_key_block(struct od_search *s, size_t dash);
bool od_find_ipv4(struct od_search *s, size_t at);

/* A phone number, from the digits of its first group on. */
bool od_find_phone(struct od_search *s, size_t start, size_t end);

/* "hkn[0417-0418]", "[aurora-c3]:29500": the word before the bracket or in it. */
bool od_find_nodes(struct od_search *s, struct od_word word);
bool od_find_colons(struct od_search *s, size_t at);
bool od_find_domain(struct od_search *s, struct od_word word);
bool od_find_chance(struct od_search *s, struct od_word word);

/* "use hunter2! as the sudo password", "echo ana:hunter2! | chpasswd": what looks like a password,
 * in a line that names one. */
bool od_find_given(struct od_search *s, struct od_word word);

/* Client("4ufatniuJxo..."), Secret(value="..."): long, in quotes, and made by chance; from the
 * bracket on. */
bool od_find_opened(struct od_search *s, size_t open);

/* ("NAME", "PASSWORD"): both, from the bracket on. */
bool od_find_logins(struct od_search *s, size_t open);

/* Is the name that was registered one of a site that everybody names: "pytorch" of
 * "docs.pytorch.org", but "acme" of "gitlab.acme.co.uk"? */
bool od_is_site(const struct od_words *words, struct od_view name);

/* At a mark. */
bool od_find_email(struct od_search *s, size_t sign);
bool od_find_url_login(struct od_search *s, size_t colon);
bool od_find_home(struct od_search *s, size_t slash);
bool od_find_tilde(struct od_search *s, size_t tilde);
bool od_find_query(struct od_search *s, size_t mark);
bool od_find_crypt(struct od_search *s, size_t dollar);
bool od_find_option(struct od_search *s, size_t dash);

/* Of a whole line; a head at that byte, where a wrapper ends. Where the text goes on after another
 * wrapper; 0 = there is none. */
size_t od_find_log_head(struct od_search *s, size_t at);
void od_find_rows(struct od_search *s);
void od_find_block_line(struct od_search *s);

/* A value assigned to a name of that meaning, from the end of the name on. */
bool od_find_value(struct od_search *s, size_t name, size_t name_end, enum od_named named);

/* A value of that meaning at this byte, whose name stood in the line before. */
bool od_find_folded(struct od_search *s, size_t at, enum od_named named);

/* Does a text look made by chance? */
bool od_is_random(struct od_view text);

/* Letters and bytes of extra alone. */
bool od_is_letters(struct od_view text, const char *extra);

/* A text in the place of a value: "${SECRET}", "<password>", "***"; code that gives it; a word of
 * ours. */
bool od_is_placeholder(struct od_view text);
bool od_is_expression(struct od_view text);
bool od_is_replaced(struct od_view text);

/* Neither a number, nor a path, nor a plain word; words and a number ("tok_1234"); capitals beside
 * small letters, or marks that names do not have. */
bool od_is_mixed(struct od_view text, size_t least);
bool od_is_numbered(struct od_view text);
bool od_is_password(struct od_view text);

/* A password by its looks alone: letters, digits and a mark that no name has, or in no order. */
bool od_is_given(struct od_view text);

/* Does a text look like a machine's name? sure: something said that it is one. */
bool od_is_machine(const struct od_words *words, struct od_view name, bool sure);

/* Does it look like one by itself: letters that mean nothing, and a number of two digits or more as
 * clusters count theirs ("nid005471", "bw-c0231", "WS-RM-0131")? sure: also without a zero. */
bool od_is_counted(const struct od_words *words, struct od_view name, bool sure);

/* Words with dashes, of which one says that it is a machine, and no number: "srv-ml-kiruna". */
bool od_is_named_machine(const struct od_words *words, struct od_view name);

/* "de" of "Jan de Wit". */
bool od_is_particle(struct od_view word);

/* Where up to four words with capitals end that may be a person's name: "Ana Lund", "Jan de Wit";
 * how many they are. */
size_t od_names_end(const struct od_words *words, struct od_view text, size_t start,
                    unsigned *ret_words);

/* "Ana Lund", "Mr. Lund": words that mean nothing else. */
bool od_is_person(const struct od_words *words, struct od_view name);

/* A person's name: no common word, not digits alone. */
bool od_is_user(const struct od_words *words, struct od_view name);

/* Letters, digits, bytes beyond ASCII and those in extra, from at on; at most OD_RUN_MOST. */
size_t od_run(struct od_view text, size_t at, const char *extra);

/* The same of those before `at`; at most `most`. */
size_t od_run_back(struct od_view text, size_t at, const char *extra, size_t most);

enum { OD_LETTER_TEXT = 1, OD_LETTER_MARK = 2 };

/* Of each byte: letters, digits and what is beyond ASCII are text; marks may begin
 * a find or be within it (search.c). */
extern const uint8_t od_letters[256];

static inline bool od_is_text(char c)
{
    return od_letters[(unsigned char)c] & OD_LETTER_TEXT;
}

/* ---- eight bytes at once; what holds of one sets its highest bit ---- */

#define OD_EACH UINT64_C(0x0101010101010101)

static inline uint64_t od_eight(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Which of them, all below 128, are from `from` to `to`. */
static inline uint64_t od_eight_within(uint64_t v, unsigned char from, unsigned char to)
{
    return (v + OD_EACH * (128U - from)) & ~(v + OD_EACH * (127U - to)) & OD_EACH * 128;
}

/* od_is_text() of each. */
static inline uint64_t od_eight_text(uint64_t v)
{
    uint64_t low = v & OD_EACH * 127;
    return (v & OD_EACH * 128) | od_eight_within(low, '0', '9') |
           od_eight_within(low | OD_EACH * 32, 'a', 'z');
}

/* Not blank, nor below. */
static inline uint64_t od_eight_ink(uint64_t v)
{
    return (v | ((v & OD_EACH * 127) + OD_EACH * (127U - ' '))) & OD_EACH * 128;
}

/* How many of them have it, before one that has not. */
static inline size_t od_eight_run(uint64_t held)
{
    uint64_t none = ~held & OD_EACH * 128;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return none ? (size_t)__builtin_ctzll(none) / 8 : 8;
#else
    return none ? (size_t)__builtin_clzll(none) / 8 : 8;
#endif
}

/* Returns the end of the word that contains that byte. */
static inline size_t od_word_end(struct od_view text, size_t at)
{
    size_t n = 8;
    while (n == 8 && at + 8 <= text.n) {
        n = od_eight_run(od_eight_text(od_eight(text.p + at)));
        at += n;
    }
    while (n == 8 && at < text.n && od_is_text(text.p[at]))
        at++;
    return at;
}

/* The byte after lines of boxes (U+2500 to U+257F) that are drawn there. */
static inline size_t od_skip_drawn(struct od_view text, size_t at)
{
    while (at + 3 <= text.n && text.p[at] == '\xe2' && (text.p[at + 1] & '\xfe') == '\x94')
        at += 3;
    return at;
}

/* NUL after the end. */
static inline char od_byte(struct od_view text, size_t at)
{
    return at < text.n ? text.p[at] : '\0';
}

static inline struct od_view od_part(struct od_view text, size_t start, size_t end)
{
    return od_view_head(od_view_from(text, start), end - start);
}
