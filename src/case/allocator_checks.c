#include "case/allocator_parts.h"

static const char *const check_names[OD_CHECKS] = {
    [OD_CHECK_CHUNKS_SUM_TO_IN_USE] = "chunks_sum_to_in_use",
    [OD_CHECK_SUMMARY_SUMS_TO_IN_USE] = "summary_sums_to_in_use",
    [OD_CHECK_CHUNKS_TILE_REGIONS] = "chunks_tile_regions",
    [OD_CHECK_REGIONS_SUM_TO_POOL] = "regions_sum_to_pool",
    [OD_CHECK_BINS_MATCH] = "bins_match",
    [OD_CHECK_OCCUPANCY_MATCHES] = "occupancy_matches",
    [OD_CHECK_SIZES_MULTIPLY] = "sizes_multiply",
};

static const char *const result_names[] = {
    [OD_CHECK_SKIP] = "skip",
    [OD_CHECK_PASS] = "pass",
    [OD_CHECK_FAIL] = "fail",
};

const char *od_check_id_name(enum od_check_id id)
{
    return id < OD_CHECKS ? check_names[id] : NULL;
}

const char *od_check_result_name(enum od_check_result result)
{
    return result < OD_COUNT_OF(result_names) ? result_names[result] : NULL;
}

__attribute__((format(printf, 4, 5))) static struct od_check say(const struct od_parts *parts,
                                                                 enum od_check_result result,
                                                                 uint64_t line, const char *format,
                                                                 ...)
{
    va_list args;
    va_start(args, format);
    const char *text = od_arena_vprintf(parts->arena, format, args);
    va_end(args);
    if (result == OD_CHECK_SKIP && parts->missing)
        text = od_arena_printf(parts->arena, "%s (%s)", text, parts->missing);
    return (struct od_check){.result = result, .line = line, .detail = od_view_of(text)};
}

/* Compares a sum with a printed value. A smaller sum is no failure if chunks may be missing. */
static enum od_check_result compare(uint64_t sum, struct od_bytes printed, bool part_missing,
                                    bool mixed)
{
    if (od_bytes_same(od_bytes_exact(sum), printed) == OD_YES)
        return OD_CHECK_PASS;
    return mixed || (part_missing && sum < printed.lo) ? OD_CHECK_SKIP : OD_CHECK_FAIL;
}

static struct od_check chunks_sum_to_in_use(const struct od_parts *parts)
{
    const struct od_allocator *a = parts->a;
    bool stats = a->in_use.known;
    struct od_bytes printed = stats ? od_bytes_exact(a->in_use.n) : a->dump.sum_total;
    uint64_t line = stats ? a->dump.stats.line : a->dump.sum_total_line;
    if (!a->has_chunks)
        return say(parts, OD_CHECK_SKIP, 0, "no chunk list");
    if (!printed.known)
        return say(parts, OD_CHECK_SKIP, 0, "no sum is printed to compare with");
    enum od_check_result result =
        compare(a->in_use_bytes, printed, parts->missing != NULL, a->dump.interleaved);
    return say(parts, result, line, "%" PRIu64 " chunks in use make %" PRIu64 " bytes, %s %" PRIu64,
               a->in_use_count, a->in_use_bytes, stats ? "InUse is" : "the printed sum is about",
               printed.n);
}

/* Does the dump have all summary rows, from the first to the sum line below them? */
static bool summary_is_whole(const struct od_dump *dump)
{
    return dump->sum_total.known && (dump->chunks.n > 0 || dump->bins.n > 0);
}

static struct od_check summary_sums_to_in_use(const struct od_parts *parts)
{
    const struct od_allocator *a = parts->a;
    const struct od_dump *dump = &a->dump;
    struct od_bytes printed = dump->sum_total;
    const char *what = "the printed sum is about";
    uint64_t line = dump->sum_total_line;
    if (dump->summary.n == 0)
        return say(parts, OD_CHECK_SKIP, 0, "no summary");
    if (a->in_use.known) {
        printed = od_bytes_exact(a->in_use.n);
        what = "InUse is";
        line = dump->stats.line;
    } else if (a->has_chunks && !parts->missing) {
        printed = od_bytes_exact(a->in_use_bytes);
        what = "the chunks in use make";
    }
    if (!printed.known)
        return say(parts, OD_CHECK_SKIP, 0, "no sum is printed to compare with");
    enum od_check_result result =
        compare(parts->summary_sum, printed, !summary_is_whole(dump), dump->interleaved);
    const char *settled =
        a->settled.known
            ? od_arena_printf(parts->arena, ", with %" PRIu64 " chunks of %" PRIu64,
                              a->settled.count, dump->summary.items[a->settled.row].bytes)
            : "";
    return say(parts, result, line ? line : dump->summary.items[0].line,
               "%zu rows make %" PRIu64 " bytes%s, %s %" PRIu64, dump->summary.n,
               parts->summary_sum, settled, what, printed.n);
}

static struct od_check tiling_fault(const struct od_parts *parts)
{
    const struct od_tiling *t = &parts->tiling;
    const struct od_dump *dump = &parts->a->dump;
    bool lost = dump->interleaved || dump->chunks_lost > 0 || dump->chunk_limit_hit;
    bool cut = dump->cut_tail && t->at_end && t->fault == OD_TILING_GAP;
    enum od_check_result result = lost || cut ? OD_CHECK_SKIP : OD_CHECK_FAIL;
    if (t->fault == OD_TILING_STRAY)
        return say(parts, result, t->line, "chunks belong to no region");
    return say(parts, result, t->line, "%s: a chunk ends at 0x%" PRIx64 ", not at 0x%" PRIx64,
               t->fault == OD_TILING_GAP ? "gap" : "overlap", t->end, t->next);
}

static struct od_check chunks_tile_regions(const struct od_parts *parts)
{
    const struct od_dump *dump = &parts->a->dump;
    const struct od_tiling *t = &parts->tiling;
    if (!parts->a->has_chunks)
        return say(parts, OD_CHECK_SKIP, 0, "no chunk list");
    if (t->fault != OD_TILING_OK)
        return tiling_fault(parts);
    return say(parts, OD_CHECK_PASS, dump->regions.n > 0 ? dump->regions.items[0].line : 0,
               "%zu chunks tile %zu %s of %" PRIu64 " bytes%s", dump->chunks.n, dump->regions.n,
               dump->regions.n == 1 ? "region" : "regions", t->total,
               t->unsized > 0 ? ", borders taken from the addresses" : "");
}

static struct od_check regions_sum_to_pool(const struct od_parts *parts)
{
    const struct od_allocator *a = parts->a;
    const struct od_tiling *t = &parts->tiling;
    if (!a->pool.known)
        return say(parts, OD_CHECK_SKIP, 0, "no pool line");
    if (a->dump.regions.n == 0)
        return say(parts, OD_CHECK_SKIP, 0, "no regions listed");
    if (a->dump.family == OD_FAMILY_TORCH)
        return say(parts, OD_CHECK_SKIP, 0, "only the segments tell what the pool has");
    enum od_check_result result =
        compare(t->total, od_bytes_exact(a->pool.n), parts->missing != NULL, a->dump.interleaved);
    return say(parts, result, a->dump.pool_line,
               "%zu %s make %" PRIu64 " bytes, the pool has %" PRIu64, a->dump.regions.n,
               a->dump.regions.n == 1 ? "region" : "regions", t->total, a->pool.n);
}

/* The count and total that a printed row should have: of all chunks, or of free ones in old
 * versions. */
static struct od_bin tally_for(const struct od_bin *bin, bool free_only)
{
    struct od_bin tally = *bin;
    if (free_only) {
        tally.chunks -= bin->chunks_in_use;
        tally.bytes -= bin->bytes_in_use;
        tally.chunks_in_use = 0;
        tally.bytes_in_use = 0;
    }
    return tally;
}

static bool row_matches(const struct od_bin_row *row, const struct od_bin *tally)
{
    return row->min_bytes == tally->min_bytes && row->chunks == tally->chunks &&
           row->chunks_in_use == tally->chunks_in_use &&
           od_bytes_same(row->bytes, od_bytes_exact(tally->bytes)) != OD_NO &&
           od_bytes_same(row->bytes_in_use, od_bytes_exact(tally->bytes_in_use)) != OD_NO;
}

static struct od_check bins_match(const struct od_parts *parts)
{
    const struct od_allocator *a = parts->a;
    const struct od_dump *dump = &a->dump;
    if (dump->bins.n == 0)
        return say(parts, OD_CHECK_SKIP, 0, "no bin table");
    if (!a->has_chunks)
        return say(parts, OD_CHECK_SKIP, 0, "no chunk list");
    OD_FOR_EACH (const struct od_bin_row, row, dump->bins) {
        struct od_bin tally = tally_for(&a->bins[od_bin_of(row->min_bytes)], row->free_only);
        if (!row_matches(row, &tally))
            return say(parts, parts->missing ? OD_CHECK_SKIP : OD_CHECK_FAIL, row->line,
                       "bin %" PRIu64 " is printed with %" PRIu64 " chunks, %" PRIu64
                       " in use, about %" PRIu64 " bytes; the list makes %" PRIu64 ", %" PRIu64
                       " and %" PRIu64,
                       row->min_bytes, row->chunks, row->chunks_in_use, row->bytes.n, tally.chunks,
                       tally.chunks_in_use, tally.bytes);
    }
    return say(parts, OD_CHECK_PASS, dump->bins.items[0].line,
               "%zu bins as the chunk list makes them%s", dump->bins.n,
               parts->free_bins ? " (free chunks only)" : "");
}

/* Index of the first cell that differs, or the number of cells. */
static size_t first_difference(struct od_view printed, const char cells[OD_OCCUPANCY_CELLS])
{
    size_t i = 0;
    while (i < OD_OCCUPANCY_CELLS && cells[i] == (printed.p[i] == 'x' ? '*' : printed.p[i]))
        i++;
    return i;
}

static struct od_check occupancy_matches(const struct od_parts *parts)
{
    const struct od_dump *dump = &parts->a->dump;
    uint64_t line = dump->occupancy_line;
    char cells[OD_OCCUPANCY_CELLS];
    if (dump->occupancy.n == 0)
        return say(parts, OD_CHECK_SKIP, 0, "no occupancy line");
    if (!parts->a->has_chunks)
        return say(parts, OD_CHECK_SKIP, 0, "no chunk list");
    if (dump->occupancy.n != OD_OCCUPANCY_CELLS ||
        !od_occupancy_render(dump, parts->tiling.total, cells))
        return say(parts, OD_CHECK_SKIP, line, "the chunk list gives no picture");
    size_t i = first_difference(dump->occupancy, cells);
    if (i == OD_OCCUPANCY_CELLS)
        return say(parts, OD_CHECK_PASS, line, "all 100 cells as the chunk list makes them");
    bool known = !parts->missing && parts->tiling.unsized <= 1;
    return say(parts, known ? OD_CHECK_FAIL : OD_CHECK_SKIP, line,
               "cell %zu is printed '%c', the chunk list makes it '%c'", i + 1,
               dump->occupancy.p[i], cells[i]);
}

static struct od_check sizes_multiply(const struct od_parts *parts)
{
    const struct od_dump *dump = &parts->a->dump;
    size_t compared = 0;
    OD_FOR_EACH (const struct od_summary_row, row, dump->summary) {
        compared += row->total.known;
        if (od_row_contradicts(row))
            return say(parts, OD_CHECK_FAIL, row->line,
                       "%" PRIu64 " chunks of %" PRIu64 " bytes do not make the printed total of "
                       "about %" PRIu64,
                       row->count, row->bytes, row->total.n);
    }
    if (compared == 0)
        return (struct od_check){.result = OD_CHECK_SKIP, .detail = OD_VIEW("no summary")};
    return say(parts, OD_CHECK_PASS, dump->summary.items[0].line,
               "all %zu rows multiply to their totals", compared);
}

static struct od_check (*const checks[OD_CHECKS])(const struct od_parts *parts) = {
    [OD_CHECK_CHUNKS_SUM_TO_IN_USE] = chunks_sum_to_in_use,
    [OD_CHECK_SUMMARY_SUMS_TO_IN_USE] = summary_sums_to_in_use,
    [OD_CHECK_CHUNKS_TILE_REGIONS] = chunks_tile_regions,
    [OD_CHECK_REGIONS_SUM_TO_POOL] = regions_sum_to_pool,
    [OD_CHECK_BINS_MATCH] = bins_match,
    [OD_CHECK_OCCUPANCY_MATCHES] = occupancy_matches,
    [OD_CHECK_SIZES_MULTIPLY] = sizes_multiply,
};

/* Is the chunk list complete? Chunks cover their regions, which sum to the pool, and sum to a
 * printed number. */
static bool list_is_whole(const struct od_parts *parts)
{
    const struct od_allocator *a = parts->a;
    uint64_t tallied = parts->free_bins ? a->free_count : a->dump.chunks.n;
    bool bins_agree = a->dump.bins.n >= OD_BINS && !parts->free_bins &&
                      a->checks[OD_CHECK_BINS_MATCH].result == OD_CHECK_PASS;
    if (!a->has_chunks || parts->tiling.fault != OD_TILING_OK || a->dump.chunk_limit_hit ||
        a->dump.chunks_lost > 0)
        return false;
    /* PyTorch prints size and bytes in use for each segment. */
    if (a->dump.family == OD_FAMILY_TORCH && !a->in_use.known)
        return parts->tiling.unsized == 0;
    if (a->checks[OD_CHECK_CHUNKS_SUM_TO_IN_USE].result != OD_CHECK_PASS &&
        (a->in_use.known || !bins_agree))
        return false;
    if (a->pool.known && a->dump.family == OD_FAMILY_BFC)
        return a->checks[OD_CHECK_REGIONS_SUM_TO_POOL].result == OD_CHECK_PASS;
    return parts->tiling.unsized == 0 || tallied >= parts->shown_bins;
}

void od_checks_run(struct od_parts *parts)
{
    for (unsigned i = 0; i < OD_CHECKS; i++)
        parts->a->checks[i] = checks[i](parts);
    parts->a->chunks_complete = list_is_whole(parts);
}
