"""A query in an engine that knows a limit. Arguments: duckdb, polars or arrow, rows, MiB of the limit."""

import sys

KIND, ROWS, LIMIT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print(f"sorting {ROWS} rows with {KIND}", flush=True)
if KIND == "duckdb":
    import duckdb
    db = duckdb.connect()
    db.execute(f"SET memory_limit='{LIMIT}MB'; SET threads=1; SET temp_directory=''" if LIMIT else "SET threads=1")
    print(db.execute(f"SELECT count(*) FROM (SELECT DISTINCT i * 7919 AS k FROM range({ROWS}) t(i))").fetchone())
elif KIND == "polars":
    import polars
    print(polars.DataFrame({"a": range(1000)}).join(polars.DataFrame({"b": range(ROWS // 1000)}), how="cross").height)
else:
    import pyarrow
    print(pyarrow.array(range(1000)).take(pyarrow.array([5] * 1000)), pyarrow.allocate_buffer(ROWS * 8).size)
print("done")
