/*
 * Redaction: text without what should not leave the house. Keys and tokens, passwords, e-mail
 * addresses, names of users and hosts, IP and MAC addresses are replaced, each by the same word
 * wherever it comes again: "user1", "host2", "secret3".
 *
 * The kind of a text follows from its form (forms.tsv), or from the text around it: a name
 * (HOSTNAME=, api_key:), a path (/home/), a program's arguments, a column. A text is read as it is
 * seen: without colors, and once more with each layer of escapes taken off (layers.h). A name that
 * was found once is replaced in every place where it is a word of its own; callers that can, first
 * learn from all of a text and then redact it. Numbers, versions, pointers, times and digests are
 * left as they are.
 *
 * Time is linear in the text. What it keeps is bounded: beyond OD_REDACT_NAMES names of a kind the
 * others share one word.
 */
#pragma once

#include "base/base.h"

/* X(constant, the word in the text, one, many) */
#define OD_REDACT_KINDS(X)                                                                  \
    X(SECRET, "secret", "secret", "secrets")                                                \
    X(EMAIL, "email", "e-mail address", "e-mail addresses")                                 \
    X(USER, "user", "user name", "user names")                                              \
    X(HOST, "host", "host name", "host names")                                              \
    X(IP, "ip", "IP address", "IP addresses")                                               \
    X(MAC, "mac", "MAC address", "MAC addresses")                                           \
    X(ORG, "org", "account, bucket or organization", "accounts, buckets and organizations") \
    X(PHONE, "phone", "phone number", "phone numbers")                                      \
    X(DEVICE, "device", "serial number", "serial numbers")

#define OD_REDACT_KIND(constant, word, one, many) OD_REDACT_##constant,
enum od_redact_kind { OD_REDACT_KINDS(OD_REDACT_KIND) OD_REDACT_END };
#undef OD_REDACT_KIND

enum { OD_REDACT_NAMES = 4096 };

struct od_redactor;

/* columns: a word takes as many bytes as the text that it replaces, where it can. */
struct od_redactor *od_redactor_new(bool columns);
void od_redactor_free(struct od_redactor *redactor);

/* Its texts are parts of a report, which says where they are cut: what a cut left of a word is left
 * out, too, and the `end` bytes after it (cut_words.h). */
void od_redact_expect_cuts(struct od_redactor *redactor, size_t end);

/* Learning: od_redact only notes the names that a text tells and appends it as it is, to NULL not
 * at all. Counts start from 0 again when it is set. */
void od_redact_learning(struct od_redactor *redactor, bool learning);

/* Learns from a text, of many or large ones, beside what is learnt of what is written. */
void od_redact_learn(struct od_redactor *redactor, struct od_view text);

/* Learns what another has learnt. */
void od_redact_join(struct od_redactor *redactor, const struct od_redactor *other);

/* Appends the text without what is replaced: a line, or several. What one line says of the next
 * is kept between calls. Who learns and then redacts the same pieces, of a KB or more, pays once
 * for those after the last name that was learnt. */
void od_redact(struct od_redactor *redactor, struct od_view text, struct od_buf *to);

/*
 * The same of a text that is shown in n parts, which are read as one with `between` between them
 * ("password" in one cell, its value in the next): puts part i into to[i], which is empty.
 */
void od_redact_parts(struct od_redactor *redactor, const struct od_view *parts, size_t n,
                     struct od_view between, struct od_buf *to);

/* Bytes that are looked at together, for tests; what is found may be half as long. */
void od_redact_set_window(struct od_redactor *redactor, size_t bytes);

/* How many times something of that kind was replaced. */
uint64_t od_redacted(const struct od_redactor *redactor, enum od_redact_kind kind);

/* "2 secrets, 14 user names"; "nothing". */
void od_redacted_words(const struct od_redactor *redactor, struct od_buf *to);
