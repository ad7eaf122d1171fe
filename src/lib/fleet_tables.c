#include "lib/fleet_tables.h"

#include "host/duckdb.h"
#include "report/record.h"

#include <fcntl.h>
#include <unistd.h>

enum od_fleet_table od_fleet_table_of(struct od_view head)
{
    enum { DUCKDB_AT = 8 }; /* offset of DuckDB's magic number, after a checksum */
    if (od_view_starts(head, OD_VIEW("PAR1")))
        return OD_FLEET_PARQUET;
    if (head.n > DUCKDB_AT && od_view_starts(od_view_from(head, DUCKDB_AT), OD_VIEW("DUCK")))
        return OD_FLEET_DUCKDB;
    return OD_FLEET_NO_TABLE;
}

bool od_fleet_add_table(struct od_fleet *fleet, enum od_fleet_table sort, const char *name,
                        struct od_diags *diags)
{
    struct od_arena *arena = od_arena_new();
    struct od_buf sql = {0}, json = {0};
    if (sort == OD_FLEET_DUCKDB) {
        od_buf_add_str(&sql, "ATTACH ");
        od_duckdb_quote(name, &sql);
        od_buf_add_str(&sql, " AS fleet (READ_ONLY); ");
    }
    od_buf_add_str(&sql, "COPY (SELECT 'oomdoctor.fleet/1' AS schema, list(run) AS members FROM ");
    if (sort == OD_FLEET_PARQUET) {
        od_buf_add_str(&sql, "read_parquet([");
        od_duckdb_quote(name, &sql);
        od_buf_add_str(&sql, "])");
    } else {
        od_buf_add_str(&sql, "fleet.runs");
    }
    od_buf_add_str(&sql, " AS run) TO '/dev/stdout' (FORMAT json)");
    const char *why = od_duckdb_run(od_buf_str(&sql), (struct od_view){0}, arena, &json);
    if (why)
        od_diags_say(diags, OD_ERROR, "%s: %s", name, why);
    bool ok = !why && od_fleet_add_json(fleet, od_buf_view(&json), name, diags);
    od_buf_done(&sql);
    od_buf_done(&json);
    od_arena_free(arena);
    return ok;
}

static const char *type_of(const struct od_row_field *field)
{
    if (strcmp(field->key, "date") == 0)
        return "DATE";
    return field->kind == OD_KIND_COUNT ? "BIGINT" : "VARCHAR";
}

/* Appends SQL that selects the runs from standard input, lines of JSON. */
static void select_runs(struct od_buf *sql)
{
    od_buf_add_str(sql, "SELECT *, date_trunc('week', date)::DATE AS week "
                        "FROM read_json('/dev/stdin', format='newline_delimited', columns={");
    for (const struct od_row_field *field = od_fields_member; field->key; field++)
        od_buf_printf(sql, "%s%s: '%s'", field == od_fields_member ? "" : ", ", field->key,
                      type_of(field));
    od_buf_add_str(sql, "})");
}

static const char failures_by_week[] =
    "CREATE VIEW failures_by_week AS SELECT week, coalesce(program, producer) AS program, cause, "
    "count(*) AS failures, sum(gpu_seconds) / 3600.0 AS gpu_hours FROM runs "
    "WHERE outcome = 'memory_failure' GROUP BY ALL ORDER BY ALL";

static const char *read_file(const char *name, struct od_buf *to)
{
    enum { PIECE = 1 << 16 };
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0) {
        n = read(fd, od_buf_reserve(to, PIECE), PIECE);
        to->n += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        (void)close(fd);
    return n < 0 ? "the database cannot be read again" : NULL;
}

static const char *write_database(const char *file, struct od_view runs, struct od_arena *arena,
                                  struct od_buf *to)
{
    struct od_buf sql = {0}, out = {0};
    od_buf_add_str(&sql, "ATTACH ");
    od_duckdb_quote(file, &sql);
    od_buf_add_str(&sql, " AS fleet; USE fleet; CREATE TABLE runs AS ");
    select_runs(&sql);
    od_buf_printf(&sql, "; %s; USE memory; DETACH fleet", failures_by_week);
    const char *why = od_duckdb_run(od_buf_str(&sql), runs, arena, &out);
    why = why ? why : read_file(file, to);
    od_buf_done(&sql);
    od_buf_done(&out);
    return why;
}

/* Runs DuckDB in a new folder, because it creates a database only where no file exists. */
static const char *in_folder(struct od_view runs, struct od_arena *arena, struct od_buf *to)
{
    const char *place = getenv("TMPDIR");
    char *folder = od_arena_printf(arena, "%s/oomdoctor.XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(folder))
        return od_arena_printf(arena, "%s cannot be made", folder);
    const char *file = od_arena_printf(arena, "%s/fleet.duckdb", folder);
    const char *why = write_database(file, runs, arena, to);
    (void)unlink(file);
    (void)unlink(od_arena_printf(arena, "%s.wal", file));
    (void)rmdir(folder);
    return why;
}

const char *od_fleet_write_table(struct od_fleet *fleet, enum od_fleet_table sort,
                                 struct od_redactor *redactor, struct od_arena *arena,
                                 struct od_buf *to)
{
    struct od_buf runs = {0}, sql = {0};
    const char *why;
    od_fleet_json_lines(fleet, redactor, &runs);
    if (sort == OD_FLEET_DUCKDB) {
        why = in_folder(od_buf_view(&runs), arena, to);
    } else {
        od_buf_add_str(&sql, "COPY (");
        select_runs(&sql);
        od_buf_add_str(&sql, ") TO '/dev/stdout' (FORMAT parquet)");
        struct od_buf out = {0};
        why = od_duckdb_run(od_buf_str(&sql), od_buf_view(&runs), arena, &out);
        od_buf_add(to, od_buf_view(&out));
        od_buf_done(&out);
    }
    od_buf_done(&runs);
    od_buf_done(&sql);
    return why;
}
