/*
 * Redaction: removes secrets and personal data from text. Keys and tokens, passwords, e-mail
 * addresses, names of users and hosts, IP and MAC addresses are replaced, each by the same word
 * everywhere: "user1", "host2", "secret3".
 *
 * The kind of a text follows from its form (forms.tsv) or from the text around it: a name
 * (HOSTNAME=, api_key:), a path (/home/), a program's arguments, a column. A text is read as it is
 * displayed: without colors, and again with each layer of escapes decoded (layers.h). A name found
 * once is replaced wherever it is a separate word. Callers that can should learn from the whole
 * text first and then redact it. Numbers, versions, pointers, times and digests are not replaced.
 *
 * Time is linear in the text. Memory is bounded: after OD_REDACT_NAMES names of a kind, all others
 * share one word.
 */
#pragma once

#include "base/base.h"

/* X(constant, replacement word, singular, plural) */
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

/* columns: give replacement words the length of the replaced text if possible. */
struct od_redactor *od_redactor_new(bool columns);
void od_redactor_free(struct od_redactor *redactor);

/* Sets that texts are parts of a report with marked cuts: words halved by a cut are removed, and
 * the `end` bytes after it, too (cut_words.h). */
void od_redact_expect_cuts(struct od_redactor *redactor, size_t end);

/* Sets learning: od_redact then only learns names, and appends the text unchanged (or not at all if
 * `to` is NULL). Resets the counts. */
void od_redact_learning(struct od_redactor *redactor, bool learning);

/* Learns from a text, in addition to those that are written. Use it for many or large texts. */
void od_redact_learn(struct od_redactor *redactor, struct od_view text);

/* Learns all names that another redactor has learnt. */
void od_redact_join(struct od_redactor *redactor, const struct od_redactor *other);

/* Appends the redacted text: one or several lines. The effect of a line on the next one is kept
 * between calls. Callers that learn from pieces of a KB or more and then redact the same pieces:
 * those after the last learnt name are searched only once. */
void od_redact(struct od_redactor *redactor, struct od_view text, struct od_buf *to);

/*
 * Redacts a text that is displayed in n parts, as if they were joined with `between` ("password" in
 * one cell, its value in the next). Writes part i to to[i], which must be empty.
 */
void od_redact_parts(struct od_redactor *redactor, const struct od_view *parts, size_t n,
                     struct od_view between, struct od_buf *to);

/* Sets the number of bytes searched together, for tests. Finds can be half as long. */
void od_redact_set_window(struct od_redactor *redactor, size_t bytes);

/* Number of replacements of that kind. */
uint64_t od_redacted(const struct od_redactor *redactor, enum od_redact_kind kind);

/* Appends "2 secrets, 14 user names", or "nothing". */
void od_redacted_words(const struct od_redactor *redactor, struct od_buf *to);
