/*
 * Functions that remove wrappers. Each removes one layer of one family of wrappers from a text, or
 * leaves the text unchanged. Data of the wrapper (stamp, host, process, pid, rank) is stored in the
 * od_peel; the innermost value wins.
 *
 * Each function checks the first bytes before anything else, so that a line without wrappers is
 * cheap. In doubt a text is left unchanged, so that no text of the program is lost.
 */
#pragma once

#include "input/input.h"

struct od_peel {
    struct od_view text;
    struct od_view stamp;
    struct od_view host;
    struct od_view process;
    struct od_count pid;
    struct od_count rank;
    enum od_block_prefixes labels;
    bool heading;           /* the line is the title of its source */
    bool overprinted;       /* see facts/line.h */
    struct od_view asked;   /* digits whose value affects unwrapping; empty = none */
    struct od_arena *arena; /* owns rewritten text; valid as long as the line */
};

/* unwrap.c: removes one layer of any kind. False if there is none. */
bool od_peel_one(struct od_peel *peel);

/* unwrap_ansi.c: escape sequences, and bytes at both ends that are not text. */
bool od_peel_nuls(struct od_peel *peel);
bool od_peel_ansi(struct od_peel *peel);

/* unwrap_json.c: objects that contain a message. */
bool od_peel_json(struct od_peel *peel);

/* unwrap_syslog.c: prefixes of syslog, journald, the kernel and services. */
bool od_peel_prefix(struct od_peel *peel);
bool od_peel_logfmt(struct od_peel *peel);
bool od_peel_iso(struct od_peel *peel);
bool od_peel_syslog(struct od_peel *peel);
bool od_peel_rfc5424(struct od_peel *peel);
bool od_peel_kernel(struct od_peel *peel);

/* unwrap_rank.c: labels of processes. */
bool od_peel_mpi(struct od_peel *peel);
bool od_peel_actor(struct od_peel *peel);
bool od_peel_block_prefix(struct od_peel *peel);

/* unwrap_quote.c: quotes, back-quotes, entities, repr(). */
bool od_peel_quote(struct od_peel *peel);
bool od_peel_backquotes(struct od_peel *peel);
bool od_peel_entities(struct od_peel *peel);
bool od_peel_repr(struct od_peel *peel);

/* Decodes escapes of a quoted string (\n \t \" \\ \xNN \uNNNN ...; \uD83D\uDE00 pairs) into the
 * arena and copies other text. The result is never longer than text. */
struct od_view od_peel_unescape(struct od_peel *peel, struct od_view text);

/* Length of a time of day "10:11:12" with an optional fraction; 0 = none. */
size_t od_time_length(struct od_view text);

/* Length of "2026-01-02", or 0. */
size_t od_date_length(struct od_view text);

/* Length of the letters, digits and bytes in `also` at the start of text. */
static inline size_t od_word_length(struct od_view text, struct od_view also)
{
    size_t n = 0;
    while (n < text.n && (od_is_digit(text.p[n]) || od_is_letter(text.p[n]) ||
                          od_view_find_char(also, text.p[n], 0) != OD_VIEW_NONE))
        n++;
    return n;
}
