/*
 * Parsers for the bodies of single lines of a BFC allocator dump, after the first words of the
 * grammar (bfc_line.c). They return false if the text does not match; the record is then undefined.
 */
#pragma once

#include "readers/logs/bfc_line.h"

bool od_bfc_row_header(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_late(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_name(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_bin(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_bin_for(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_state(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_region(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_chunk(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_free(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_sizes(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_total(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_pool(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_stat(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_occupancy(struct od_view text, struct od_bfc_record *record);

/* Lines of which nothing but the first words matters, or that have no others. */
bool od_bfc_row_words(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_end(struct od_view text, struct od_bfc_record *record);
