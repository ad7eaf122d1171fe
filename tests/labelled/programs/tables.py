"""Reads a whole table or corpus into memory before it works; the first argument says how."""
import csv
import json
import os
import sys

kind, rows = sys.argv[1], int(sys.argv[2])
name = f"rows-{rows}.csv"
with open(name, "w", encoding="ascii") as out:
    out.write("id,name,price,comment\n")
    for i in range(rows):
        out.write(f"{i},item{i},{i * 0.25},comment of customer number {i}\n")
print(f"reading {name}: {os.path.getsize(name)} bytes", flush=True)
if kind == "pandas":
    import pandas
    frame = pandas.read_csv(name, dtype={"name": object, "comment": object})
    print("rows", len(frame), flush=True)
    wide = pandas.concat([frame] * 200)
    print(wide.describe())
elif kind == "csv":
    table = []
    with open(name, encoding="ascii") as source:
        for n, row in enumerate(csv.DictReader(source)):
            table.append(row)
            if n % 50000 == 0:
                print(f"{n} rows read", flush=True)
    print("mean price", sum(float(row["price"]) for row in table) / rows)
elif kind == "json":
    with open(name, encoding="ascii") as source:
        text = "[" + ",".join(json.dumps(line.split(",")) for line in source) + "]"
    print("parsing the data set", flush=True)
    table = json.loads(text)
    print(len(table), "records", flush=True)
    copies = [json.loads(text) for _ in range(100)]
elif kind == "features":
    import numpy
    features = []
    for n in range(rows):
        features.append(numpy.full(4096, n, "float32"))
        if n % 2000 == 0:
            print(f"extracting features of file {n}/{rows}", flush=True)
    print(numpy.stack(features).shape)
elif kind == "frame":
    import numpy
    print(f"loading embeddings: shape ({rows}, 1024)", flush=True)
    table = numpy.empty((rows, 1024), dtype=numpy.float64)
    table[:] = 1.0
    print(table.mean())
