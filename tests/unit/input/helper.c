#include "tests/unit/input/helper.h"

#include <check.h>
#include <string.h>

void reading_new(struct reading *reading, const struct od_input_limits *limits, size_t block)
{
    *reading = (struct reading){.diags = od_diags_new()};
    reading->input = od_input_new(limits, reading->diags);
    if (block > 0)
        od_input_set_block(reading->input, block);
}

static void keep_line(struct reading *reading, const struct od_raw_line *line)
{
    od_buf_add(&reading->text, line->bytes);
    od_buf_add_char(&reading->text, '\n');
    od_buf_printf(&reading->places, "%u:%llu+%u@%llu\n", line->at.source,
                  (unsigned long long)line->at.line, line->at.nlines,
                  (unsigned long long)line->at.offset);
    reading->lines++;
    if (line->bytes.n > reading->longest)
        reading->longest = line->bytes.n;
}

void reading_run(struct reading *reading)
{
    struct od_block block;
    while (od_input_next(reading->input, &block)) {
        ck_assert_uint_gt(block.bytes.n, 0);
        struct od_cursor cursor = od_cursor_start(&block);
        struct od_raw_line line;
        while (od_cursor_next(&cursor, &line)) {
            /* Another cursor that jumps into this line finds the same place. */
            struct od_cursor jump = od_cursor_start(&block);
            struct od_raw_line again;
            od_cursor_skip_to(&jump, (size_t)(line.bytes.p - block.bytes.p) + line.bytes.n / 2);
            ck_assert(od_cursor_next(&jump, &again));
            ck_assert_ptr_eq(again.bytes.p, line.bytes.p);
            ck_assert_uint_eq(again.at.line, line.at.line);
            ck_assert_uint_eq(again.at.offset, line.at.offset);
            keep_line(reading, &line);
        }
    }
}

void reading_done(struct reading *reading)
{
    od_buf_done(&reading->text);
    od_buf_done(&reading->places);
    od_input_free(reading->input);
    od_diags_free(reading->diags);
}

void reading_of(struct reading *reading, struct od_view bytes, size_t block)
{
    reading_new(reading, NULL, block);
    ck_assert_int_eq(od_input_add_bytes(reading->input, "memory", bytes), OD_OK);
    reading_run(reading);
}

bool reading_said(const struct reading *reading, const char *text)
{
    for (size_t i = 0; i < od_diags_count(reading->diags); i++)
        if (strstr(od_diags_at(reading->diags, i)->message, text))
            return true;
    return false;
}
