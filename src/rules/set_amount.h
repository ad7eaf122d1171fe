/*
 * What a program may take by its settings in the text: a limit of its own, or a size for each of
 * many threads, connections or processes ("-@ 8 -m 4G"). For these the row of the size in the
 * catalogue gives the setting that counts them (per: threads), or the row of a program that starts
 * others says what counts their copies (copies: true).
 */
#pragma once

#include "facts/assigned.h"
#include "rules/software.h"

enum { OD_SET_BESIDE_MOST = 3 };

struct od_set_amount {
    const struct od_software *software;
    const struct od_knob *knob; /* the size, or how often a command that sets it runs */
    const struct od_assigned *size, *count;
    const struct od_assigned *also[OD_SET_BESIDE_MOST]; /* sizes in addition, and their sum */
    uint64_t beside;
    uint64_t times;        /* 1 for a size that the program takes once */
    struct od_bytes bytes; /* of all together */
};

/* Does a line that the text has around its failures switch it on: of a configuration, printed or
 * pasted, or as an argument? */
bool od_knob_is_switched_on(const struct od_knob *knob, const struct od_around *around,
                            uint32_t source);

/* The number that the text gives to that setting of the program, or of the runtime that it runs on
 * ("-Xmx4g" is a setting of Java, so of every program that Java runs): the last one above
 * the error; if there is none the first one below it, where the command is often shown. The error's
 * own line may propose another value. list may be NULL. */
const struct od_assigned *od_assigned_of_knob(const struct od_assigned_list *list,
                                              const struct od_software *software, const char *name,
                                              const struct od_prov *error);

/* Is that form of a setting ("--threads N") its name? NULL = no. */
bool od_assigned_has_form(const struct od_assigned *assigned, const char *form);

/* Its bytes, in the unit of that setting if none is written. */
struct od_bytes od_assigned_size(const struct od_assigned *assigned, const struct od_knob *knob);

/* Is it what that form of a setting sets, too ("NODE_OPTIONS=--max-old-space-size=N")? */
bool od_assigned_is_in(const struct od_assigned *assigned, const char *form);

/* Is it a size of which what was reached is half at most? Then another limit was reached. */
bool od_assigned_is_far(const struct od_assigned *assigned, const struct od_knob *knob,
                        double reached);

/* "-Xmx4g", as the text writes it. */
const char *od_assigned_written(const struct od_assigned *assigned, struct od_arena *arena);

/* Takes the largest amount that settings of that program give, if it is larger than *best; products
 * and sums alone if `once` is false. */
void od_set_amount_take(const struct od_assigned_list *list, const struct od_software *software,
                        bool once, struct od_set_amount *best);

/* "8 x 4G (-@ 8, -m 4G)", "%Mem=64GB": settings as the text writes them. */
const char *od_set_amount_words(const struct od_set_amount *amount, struct od_arena *arena);
