/*
 * What a comparison or a fleet leaves behind: outputs, figures (--plots), and both fit to be shared
 * (--share). And for every command what --share puts around its writing.
 */
#pragma once

#include "cli/outputs.h"
#include "cli/plots.h"

#define OD_SHARE_OPTION                                       \
    {                                                         \
        "share", 0, NULL, "Replace secrets and personal data" \
    }

/* Gives options a redactor where wanted; the end says on stderr how much it replaced. */
void od_share_start(bool wanted, struct od_report_options *options);
void od_share_end(struct od_report_options *options);

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

/* Writes all of it. False, with a message on stderr, when one could not be written. */
bool od_shown_write(const struct od_shown *shown, const struct od_other *other);
