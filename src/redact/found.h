/*
 * Finders of secrets and names in a line, by their form or by the words around them. Each examines
 * one position and a bounded number of bytes around it, and adds its finds.
 */
#pragma once

#include "redact/redact.h"
#include "redact/words.h"

struct od_forms;

struct od_found {
    size_t start, end;
    enum od_redact_kind kind;
    /* learn the text, a name or a named secret, to replace it wherever it is a separate word */
    bool learn;
};

typedef OD_VEC(struct od_found) od_finds;

enum { OD_RUN_MOST = 256, OD_VALUE_MOST = 4096, OD_COLUMNS_MOST = 4 };

/* A column of a table: the index of its word in a row, and the position of its heading. */
struct od_column {
    unsigned index;
    size_t start, end;
    enum od_redact_kind kind;
};

/* State from previous lines that affects the current line. */
struct od_before {
    enum od_named value_of; /* kind of the next line's "value: ...", set by "name: DB_PASS" */
    bool is_folded;     /* the whole next line is the value of "password: >-" or '"password":' */
    bool kubernetes;    /* after "apiVersion:" or "kind: Secret" */
    bool secret_data;   /* within "data:" of a Secret */
    bool string_data;   /* within "stringData:", whose values are not base64 */
    uint32_t list_of;   /* roles of a list such as "users:", within its lines */
    size_t list_indent; /* indentation of that list */
    unsigned key_lines; /* remaining lines of a private key */
    unsigned heading_words; /* number of words in the table's heading */
    unsigned ncolumns;      /* number of columns named by the heading */
    struct od_column columns[OD_COLUMNS_MOST];
};

/* Rows of rules/words/places.yaml that can match at the start of a line: bit sets of rows by four
 * of its bytes. */
struct od_heads {
    struct od_heads_of {
        uint32_t key;
        uint64_t rows[3];
    } of[256];
};

struct od_search {
    struct od_heads *heads;
    struct od_words *words;
    const struct od_forms *forms;
    struct od_view text; /* the current line */
    struct od_before *before;
    od_finds *finds;
    size_t base;      /* offset of the line in the text; finds have offsets of the text */
    size_t login_end; /* offset of the @ after a login in a URL */
    size_t covered;   /* text before this offset is not searched again */
    bool names_only;  /* search only for learnt names */
};

/* A word: letters, digits and bytes beyond ASCII. */
struct od_word {
    size_t start, end;
    uint32_t roles;
};

void od_found_add(struct od_search *s, struct od_found found);

/* Adds a user name, if the bytes can be one. */
bool od_found_add_user(struct od_search *s, size_t start, size_t end);

/* Adds "user:password" or "user%password" as a secret and learns both parts. Returns true. */
bool od_found_add_login(struct od_search *s, size_t start, size_t end);

/* Finds names and secrets by the words around `word`. True = a find was added. */
bool od_find_assigned(struct od_search *s, struct od_word word);

/* Tries the rows of rules/words/places.yaml that begin with this word: only those of commands, or
 * only the others. */
bool od_find_place(struct od_search *s, struct od_word word, bool commands);
/* Adds the user's folder of a network share that begins here: "/ifs/NAME/raw", "NAME/x". */
void od_found_add_share(struct od_search *s, size_t at);
bool od_find_key_block(struct od_search *s, size_t dash);
bool od_find_ipv4(struct od_search *s, size_t at);

/* Finds a phone number. Called with the digits of its first group. */
bool od_find_phone(struct od_search *s, size_t start, size_t end);

/* Finds lists of nodes: "hkn[0417-0418]", "[aurora-c3]:29500". Called with the word before or
 * within the bracket. */
bool od_find_nodes(struct od_search *s, struct od_word word);
bool od_find_colons(struct od_search *s, size_t at);
bool od_find_domain(struct od_search *s, struct od_word word);
bool od_find_chance(struct od_search *s, struct od_word word);

/* Finds a password by its look in a line that mentions one: "use hunter2! as the sudo password",
 * "echo ana:hunter2! | chpasswd". */
bool od_find_given(struct od_search *s, struct od_word word);

/* Finds a long, random, quoted argument: Client("4ufatniuJxo..."), Secret(value="..."). Called at
 * the bracket. */
bool od_find_opened(struct od_search *s, size_t open);

/* Finds ("NAME", "PASSWORD") and adds both. Called at the bracket. */
bool od_find_logins(struct od_search *s, size_t open);

/* The registered label of a full name: "acme" of "gitlab.acme.co.uk". */
struct od_view od_registered(struct od_view name);

/* Is the name of a public site that anyone may mention? Yes for "docs.pytorch.org", no for
 * "gitlab.acme.co.uk". */
bool od_is_site(const struct od_words *words, struct od_view name);

/* The next finders are called at a mark. */
bool od_find_email(struct od_search *s, size_t sign);
bool od_find_url_login(struct od_search *s, size_t colon);
bool od_find_home(struct od_search *s, size_t slash);
bool od_find_tilde(struct od_search *s, size_t tilde);
bool od_find_query(struct od_search *s, size_t mark);
bool od_find_crypt(struct od_search *s, size_t dollar);
bool od_find_option(struct od_search *s, size_t dash);

/* Finds names in the head of a log line at `at`. Called once for a line and after each wrapper.
 * Returns where the text after another wrapper continues; 0 = none. */
size_t od_find_log_head(struct od_search *s, size_t at);
void od_find_rows(struct od_search *s);
void od_find_block_line(struct od_search *s);

/* Finds the value of a name of that kind, from the end of the name on. */
bool od_find_value(struct od_search *s, size_t name, size_t name_end, enum od_named named);

/* Finds a value at `at` whose name is on the previous line. */
bool od_find_folded(struct od_search *s, size_t at, enum od_named named);

bool od_is_random(struct od_view text);

/* Does the text have only letters and bytes of extra? */
bool od_is_letters(struct od_view text, const char *extra);

/* Is the text a placeholder: "${SECRET}", "<password>", "***", an expression, or one of our
 * replacement words? */
bool od_is_placeholder(struct od_view text);
bool od_is_expression(struct od_view text);
bool od_is_replaced(struct od_view text);

/* Is it a mix of characters? Not a number, path or plain word, but words and a number ("tok_1234"),
 * upper and lower case, or marks that names do not have. */
bool od_is_mixed(struct od_view text, size_t least);
bool od_is_numbered(struct od_view text);
bool od_is_password(struct od_view text);

/* Does it look like a password: letters, digits and a mark that names lack, or random text? */
bool od_is_given(struct od_view text);

/* Does the name look like a machine's? sure: the words around it mark a machine. */
bool od_is_machine(const struct od_words *words, struct od_view name, bool sure);

/* Does the name alone look like a machine's? Also accepts a chosen name with a dash. */
bool od_is_machine_or_own(const struct od_words *words, struct od_view name);

/* Is it a particle of a name, "de" in "Jan de Wit"? */
bool od_is_particle(struct od_view word);

/* End of up to four capitalized words that may be a person's name, "Ana Lund", "Jan de Wit";
 * *ret_words is their number. */
size_t od_names_end(const struct od_words *words, struct od_view text, size_t start,
                    unsigned *ret_words);

/* Is it a person's name, "Ana Lund" or "Mr. Lund", of words that are not common? */
bool od_is_person(const struct od_words *words, struct od_view name);

bool od_is_everyday(const struct od_words *words, struct od_view word);

/* Has the name an uncommon word (rules/words/everyday.txt) of four letters or more? */
bool od_is_strange(const struct od_words *words, struct od_view name);

/* Is it a first and a last name: "Sven Olsson"? */
bool od_is_full_name(struct od_view name);

/* Was the name chosen by a person: a word that is not common, letters and a number ("hxz5012",
 * "fk27"), "Sven Olsson"? */
bool od_is_own(const struct od_words *words, struct od_view name);

/* Can it be a user's name: not a common word, not only digits? */
bool od_is_user(const struct od_words *words, struct od_view name);

/* Number of letters, digits, non-ASCII bytes and bytes of extra from `at` on, up to OD_RUN_MOST. */
size_t od_run(struct od_view text, size_t at, const char *extra);

/* Number of bytes of these classes directly before `at`, up to `most`. */
size_t od_run_back(struct od_view text, size_t at, const char *extra, size_t most);

enum { OD_LETTER_TEXT = 1, OD_LETTER_MARK = 2 };

/* Class of each byte: letters, digits and non-ASCII bytes are text; marks may begin a find or be
 * within it (search.c). */
extern const uint8_t od_letters[256];

static inline bool od_is_text(char c)
{
    return od_letters[(unsigned char)c] & OD_LETTER_TEXT;
}

/* ---- tests on eight bytes at once; the result is each byte's highest bit ---- */

#define OD_EACH UINT64_C(0x0101010101010101)

static inline uint64_t od_eight(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Bytes between `from` and `to`, all below 128. */
static inline uint64_t od_eight_within(uint64_t v, unsigned char from, unsigned char to)
{
    return (v + OD_EACH * (128U - from)) & ~(v + OD_EACH * (127U - to)) & OD_EACH * 128;
}

/* Bytes for which od_is_text() is true. */
static inline uint64_t od_eight_text(uint64_t v)
{
    uint64_t low = v & OD_EACH * 127;
    return (v & OD_EACH * 128) | od_eight_within(low, '0', '9') |
           od_eight_within(low | OD_EACH * 32, 'a', 'z');
}

/* Number of leading bytes whose bit is set. */
static inline size_t od_eight_run(uint64_t held)
{
    uint64_t none = ~held & OD_EACH * 128;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return none ? (size_t)__builtin_ctzll(none) / 8 : 8;
#else
    return none ? (size_t)__builtin_clzll(none) / 8 : 8;
#endif
}

/* End of the word that contains the byte at `at`. */
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

/* Offset after the box-drawing characters (U+2500 to U+257F) at `at`. */
static inline size_t od_skip_drawn(struct od_view text, size_t at)
{
    while (at + 3 <= text.n && text.p[at] == '\xe2' && (text.p[at + 1] & '\xfe') == '\x94')
        at += 3;
    return at;
}
