/*
 * Writes the results of a comparison or a fleet: outputs and figures (--plots), redacted with
 * --share. Also the redaction of --share for every command.
 */
#pragma once

#include "cli/outputs.h"
#include "cli/plots.h"

#define OD_SHARE_OPTION                                       \
    {                                                         \
        "share", 0, NULL, "Replace secrets and personal data" \
    }

/* A redactor where wanted, else NULL. A session learns with it what its logs tell, and what is
 * written goes through it. */
struct od_redactor *od_share_start(bool wanted);

/* On stderr: how much it replaced. NULL says nothing. */
void od_share_say(const struct od_redactor *redactor);

struct od_shown {
    struct od_outputs outputs;
    struct od_plots plots;
    bool share;
};

/* Rows of a command's table that od_shown_take understands. */
#define OD_SHOWN_OPTIONS(formats) OD_OUTPUT_OPTIONS(formats), OD_PLOT_OPTIONS, OD_SHARE_OPTION

/* Takes one of these options; false when it is none of them. *ret_status is OD_EXIT_OK or
 * OD_EXIT_USAGE (already said on stderr). */
bool od_shown_take(struct od_shown *shown, const struct od_args *args, int option, int *ret_status);

/* Writes all of it, through the redactor if there is one. False, with a message on stderr, when one
 * could not be written. */
bool od_shown_write(const struct od_shown *shown, const struct od_other *other,
                    struct od_redactor *redactor);
