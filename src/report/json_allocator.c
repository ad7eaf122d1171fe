/* One allocator dump as JSON: what was printed, what follows from its chunks, the checks. */
#include "report/json_parts.h"
#include "report/rows.h"

enum { HOLDERS_MOST = 100 };

/* Bytes of a region: as announced, else the sum of its chunks once its last one was seen. */
static struct od_count region_bytes(const struct od_dump *dump, const struct od_region *region)
{
    if (region->announced.known)
        return od_count_of(region->announced.n);
    if (!region->ended || region->first_chunk > dump->chunks.n ||
        region->nchunks > dump->chunks.n - region->first_chunk)
        return (struct od_count){0};
    uint64_t sum = 0;
    for (size_t i = 0; i < region->nchunks; i++) {
        if (ckd_add(&sum, sum, dump->chunks.items[region->first_chunk + i].bytes))
            return (struct od_count){0};
    }
    return od_count_of(sum);
}

static void add_regions(struct od_json *json, const struct od_dump *dump)
{
    od_json_array(json, "regions");
    OD_FOR_EACH (const struct od_region, region, dump->regions) {
        od_json_object_inline(json, NULL);
        od_json_u64(json, "address", region->address);
        od_json_count(json, "bytes", region_bytes(dump, region));
        od_json_u64(json, "chunks", region->nchunks);
        od_json_end(json);
    }
    od_json_end(json);
}

static struct od_count if_known(bool known, uint64_t n)
{
    return known ? od_count_of(n) : (struct od_count){0};
}

static void add_tally(struct od_json *json, const struct od_allocator *a, bool known)
{
    uint64_t count = 0;
    bool counted = !ckd_add(&count, a->in_use_count, a->free_count);
    od_json_count(json, "count", if_known(known && counted, count));
    od_json_count(json, "in_use", if_known(known, a->in_use_count));
    od_json_count(json, "free", if_known(known, a->free_count));
    od_json_count(json, "in_use_bytes", if_known(known, a->in_use_bytes));
    od_json_count(json, "free_bytes", if_known(known, a->free_bytes));
    od_json_count(json, "largest_free_bytes", if_known(known, a->largest_free_bytes));
}

/* The totals of an incomplete list are unknown; the sums of the part that was read are in "seen".
 */
static void add_chunks(struct od_json *json, const struct od_allocator *a)
{
    bool cut = a->has_chunks && !a->chunks_complete;
    od_json_object(json, "chunks");
    add_tally(json, a, a->has_chunks && a->chunks_complete);
    if (cut) {
        od_json_object_inline(json, "seen");
        add_tally(json, a, true);
        od_json_end(json);
    } else {
        od_json_null(json, "seen");
    }
    od_json_u64(json, "lost", a->dump.chunks_lost);
    od_json_end(json);
}

static void add_fragmentation(struct od_json *json, const struct od_allocator *a)
{
    if (!a->has_chunks || !a->chunks_complete || a->free_bytes == 0)
        od_json_null(json, "fragmentation");
    else
        od_json_double(json, "fragmentation",
                       1.0 - (double)a->largest_free_bytes / (double)a->free_bytes);
}

static void add_bins(struct od_json *json, const struct od_allocator *a)
{
    if (od_json_null_if(json, "bins", !a->has_chunks || a->dump.family != OD_FAMILY_BFC))
        return;
    od_json_array(json, "bins");
    for (uint64_t i = 0; i < OD_BINS; i++) {
        const struct od_bin *bin = &a->bins[i];
        od_json_object_inline(json, NULL);
        od_json_u64(json, "index", i);
        od_json_u64(json, "min_bytes", bin->min_bytes);
        od_json_u64(json, "chunks", bin->chunks);
        od_json_u64(json, "chunks_in_use", bin->chunks_in_use);
        od_json_u64(json, "bytes", bin->bytes);
        od_json_u64(json, "bytes_in_use", bin->bytes_in_use);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_candidates(struct od_json *json, const struct od_size_candidates *candidates)
{
    od_json_array(json, "candidates");
    OD_FOR_EACH_OF (const struct od_candidate, candidate, candidates->list, candidates->n) {
        od_json_object_inline(json, NULL);
        od_json_shape(json, "shape", &candidate->shape);
        od_json_str(json, "dtype", od_dtype_name(candidate->dtype));
        od_json_count(json, "batch", candidate->batch);
        od_json_text_or_null(json, "label", candidate->label);
        od_json_str(json, "role", od_role_name(candidate->role));
        od_json_str(json, "certainty", od_certainty_name(candidate->certainty));
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_sizes(struct od_json_report *out, const struct od_allocator *a)
{
    static const struct od_size_candidates none = {0};
    struct od_json *json = &out->json;
    const struct od_holding *holding = od_holding_of(out->report->attribution, a);
    od_json_array(json, "sizes");
    for (size_t i = 0; i < a->nsizes; i++) {
        od_json_object_inline(json, NULL);
        struct od_row_size row = od_row_of_size(&a->sizes[i]);
        od_json_row(json, od_fields_size, &row);
        add_candidates(json, holding ? &holding->sizes[i] : &none);
        od_json_end(json);
    }
    od_json_end(json);
}

/* Who holds what is in use, by role; the sum is what the chunks in use sum to. */
static void add_holding(struct od_json_report *out, const struct od_allocator *a)
{
    struct od_json *json = &out->json;
    const struct od_holding *holding = od_holding_of(out->report->attribution, a);
    if (od_json_null_if(json, "holding", !holding))
        return;
    od_json_object(json, "holding");
    od_json_bytes(json, "fixed_bytes", holding->fixed);
    od_json_bytes(json, "per_sample_bytes", holding->per_sample);
    od_json_count(json, "optimizer_copies", holding->optimizer_copies);
    od_json_str(json, "basis", holding->basis);
    od_json_array(json, "roles");
    for (unsigned role = 0; role < OD_ROLES; role++) {
        if (holding->bytes_by_role[role] == 0)
            continue;
        od_json_object_inline(json, NULL);
        od_json_str(json, "role", od_role_name((enum od_role)role));
        od_json_u64(json, "bytes", holding->bytes_by_role[role]);
        od_json_end(json);
    }
    od_json_end(json);
    od_json_end(json);
}

/* Only where chunks name their operation or place. */
static void add_holders(struct od_json *json, const struct od_allocator *a)
{
    if (a->nholders == 0)
        return;
    od_json_array(json, "holders");
    for (size_t i = 0; i < a->nholders && i < HOLDERS_MOST; i++) {
        od_json_object_inline(json, NULL);
        od_json_text_or_null(json, "op", a->holders[i].op);
        od_json_u64(json, "count", a->holders[i].count);
        od_json_u64(json, "total_bytes", a->holders[i].bytes);
        od_json_end(json);
    }
    od_json_end(json);
}

/* Only where its events were recorded. */
static void add_history(struct od_json *json, const struct od_dump *dump)
{
    if (dump->history.n == 0)
        return;
    od_json_object(json, "history");
    od_json_u64(json, "events", dump->history_events);
    od_json_array(json, "places");
    for (size_t i = 0; i < OD_HISTORY_PLACES && dump->history_places[i].n > 0; i++)
        od_json_text(json, NULL, dump->history_places[i]);
    od_json_end(json);
    od_json_array(json, "points");
    OD_FOR_EACH (const struct od_history_point, p, dump->history) {
        od_json_array_inline(json, NULL);
        od_json_u64(json, NULL, p->event);
        od_json_u64(json, NULL, p->allocated);
        od_json_u64(json, NULL, p->reserved);
        for (size_t k = 0; k < OD_HISTORY_PLACES && dump->history_places[k].n > 0; k++)
            od_json_u64(json, NULL, p->held[k]);
        od_json_end(json);
    }
    od_json_end(json);
    od_json_end(json);
}

/* Only where stacks were recorded. */
static void add_largest(struct od_json *json, const struct od_dump *dump)
{
    if (dump->blocks.n == 0)
        return;
    od_json_array(json, "largest_blocks");
    OD_FOR_EACH (const struct od_large_block, block, dump->blocks) {
        od_json_object(json, NULL);
        od_json_u64(json, "bytes", block->bytes);
        od_json_u64(json, "address", block->address);
        od_json_array(json, "stack");
        for (size_t k = 0; k < block->ncalls; k++) {
            const struct od_call *call = &dump->calls.items[block->first_call + k];
            od_json_object_inline(json, NULL);
            od_json_text_or_null(json, "file", call->file);
            od_json_count(json, "line", call->line);
            od_json_text_or_null(json, "function", call->function);
            od_json_end(json);
        }
        od_json_end(json);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_checks(struct od_json_report *out, const struct od_allocator *a)
{
    struct od_json *json = &out->json;
    od_json_array(json, "checks");
    for (unsigned i = 0; i < OD_CHECKS; i++) {
        const struct od_check *check = &a->checks[i];
        struct od_prov at = {.source = a->dump.at.source, .line = check->line};
        od_json_object(json, NULL);
        od_json_str(json, "id", od_check_id_name((enum od_check_id)i));
        od_json_str(json, "result", od_check_result_name(check->result));
        od_json_text_or_null(json, "detail", check->detail);
        od_json_line(out, at);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_chunk(struct od_json *json, const struct od_dump *dump,
                      const struct od_chunk *chunk)
{
    struct od_chunk_details details = {0};
    if (chunk->details > 0 && chunk->details <= dump->details.n)
        details = dump->details.items[chunk->details - 1];
    od_json_object_inline(json, NULL);
    od_json_u64(json, "address", chunk->address);
    od_json_u64(json, "bytes", chunk->bytes);
    od_json_bool(json, "in_use", chunk->in_use);
    od_json_count(json, "requested_bytes", if_known(details.requested > 0, details.requested));
    od_json_text_or_null(json, "op", details.op);
    od_json_count(json, "step", details.step);
    od_json_end(json);
}

/* null: there was a list, and it was not kept. */
static void add_chunk_list(struct od_json *json, const struct od_allocator *a)
{
    const struct od_dump *dump = &a->dump;
    if (od_json_null_if(json, "chunk_list", a->has_chunks && dump->chunks.n == 0))
        return;
    od_json_array(json, "chunk_list");
    for (size_t i = 0; i < dump->chunks.n; i++)
        add_chunk(json, dump, &dump->chunks.items[i]);
    od_json_end(json);
}

static void add_lines(struct od_json_report *out, struct od_prov at)
{
    struct od_json *json = &out->json;
    bool known = at.line > 0;
    uint64_t last = at.line + (at.nlines > 0 ? at.nlines - 1 : 0);
    od_json_count(json, "line_first", if_known(known, at.line));
    od_json_count(json, "line_last", if_known(known, last));
    od_json_source(out, at);
}

void od_json_allocator(struct od_json_report *out, const struct od_allocator *a)
{
    struct od_json *json = &out->json;
    od_json_object(json, NULL);
    od_json_text_or_null(json, "name", a->name);
    od_json_text_or_null(json, "device", a->device);
    add_lines(out, a->dump.at);
    od_json_bool(json, "complete", a->complete);
    od_json_bool(json, "interleaved", a->dump.interleaved);
    od_json_bytes(json, "requested_bytes", a->requested);
    od_json_bytes(json, "rounded_bytes", a->need);
    od_json_text_or_null(json, "op", a->dump.op);
    od_json_str(json, "verdict", od_verdict_name(a->verdict));
    struct od_row_stats stats = od_row_of_stats(a);
    od_json_object(json, "stats");
    od_json_row(json, od_fields_stats, &stats);
    od_json_end(json);
    od_json_count(json, "pool_bytes", a->pool);
    add_regions(json, &a->dump);
    add_chunks(json, a);
    add_fragmentation(json, a);
    add_bins(json, a);
    add_sizes(out, a);
    add_holding(out, a);
    add_holders(json, a);
    add_largest(json, &a->dump);
    add_history(json, &a->dump);
    add_checks(out, a);
    if (out->chunks)
        add_chunk_list(json, a);
    od_json_end(json);
}
