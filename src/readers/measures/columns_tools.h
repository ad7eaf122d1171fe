/*
 * Which tool of the system prints which columns, and in which unit its bare numbers are:
 *   ps, smem: KiB. top, htop: KiB, or with m, g, t. sar: kb of 1024. dmon: MB of 1024 * 1024.
 *   psrecord: bytes / 1024 / 1024. systemd-cgtop: with K, M, G, raw in bytes. Ray: bytes / 1024^3.
 * free, vmstat: KiB unless an option said otherwise, so only where the numbers leave no doubt. Rows
 * that stand alone, as after grep, are told by their form.
 */
#pragma once

#include "facts/event.h"

enum { OD_COLUMNS_TOKENS = 48, OD_COLUMNS_MAX = 6 };

/* The words of a line. */
struct od_columns_words {
    struct od_view items[OD_COLUMNS_TOKENS];
    size_t n;
};

struct od_columns_tool {
    const char *must[3]; /* words of the heading */
    int shift;           /* rows have so many more words on the left */
    const char *row;     /* rows begin with this word; NULL = any */
    const char *unit;    /* of bare numbers; NULL = what they prove */
    const char *space;
    const char *process; /* all rows are of; NULL = they say it, or none */
    bool processes;      /* a row a process, or a group of them */
    struct {
        const char *heading;
        enum od_field field;
    } names[OD_COLUMNS_MAX];
};

void od_columns_split(struct od_view text, struct od_columns_words *to);

/* The tool that prints such a heading; NULL when none does. */
const struct od_columns_tool *od_columns_tool_of(const struct od_columns_words *heading);

/* The heading of a row that stands alone, and a heading of our words where the tool's own names
 * have blanks in them; NULL when it is neither. *ret_is_row: the line itself is a row. */
const char *od_columns_heading_for(const struct od_columns_words *line, bool *ret_is_row);

/* "1234" in that unit (NULL = unknown), "4.5g" of top, "12Gi" of free -h, "812K" of Slurm. */
struct od_bytes od_columns_size(struct od_view text, const char *unit);
