/*
 * Writes the results of a comparison or a fleet: outputs and figures (--plots), redacted with
 * --share. Also creates the redactor of --share for every command.
 */
#pragma once

#include "cli/outputs.h"
#include "cli/plots.h"

#define OD_SHARE_OPTION                                       \
    {                                                         \
        "share", 0, NULL, "Replace secrets and personal data" \
    }

/* Returns a redactor if wanted, else NULL. Pass it to the session, which learns names from its
 * logs, and to the outputs. */
struct od_redactor *od_share_start(bool wanted);

/* Prints the number of replacements to stderr; nothing for NULL. */
void od_share_say(const struct od_redactor *redactor);

struct od_shown {
    struct od_outputs outputs;
    struct od_plots plots;
    bool share;
};

/* Table rows for the options that od_shown_take accepts. */
#define OD_SHOWN_OPTIONS(formats) OD_OUTPUT_OPTIONS(formats), OD_PLOT_OPTIONS, OD_SHARE_OPTION

/* Takes one of these options; false for others. *ret_status is OD_EXIT_OK or OD_EXIT_USAGE (an
 * error was printed to stderr). */
bool od_shown_take(struct od_shown *shown, const struct od_args *args, int option, int *ret_status);

/* Writes everything, redacted if there is a redactor. False, with a message on stderr, if something
 * could not be written. */
bool od_shown_write(const struct od_shown *shown, const struct od_other *other,
                    struct od_redactor *redactor);
