/*
 * Parsers for the bodies of single lines of a BFC allocator dump, starting at the first word of the
 * grammar. They return false if the text does not match; the record is then undefined.
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
bool od_bfc_row_summary(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_sizes(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_total(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_pool(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_memory(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_stats(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_stat(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_occupancy(struct od_view text, struct od_bfc_record *record);
bool od_bfc_row_hint(struct od_view text, struct od_bfc_record *record);
