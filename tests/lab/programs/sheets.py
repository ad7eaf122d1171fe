"""Sheets, documents and pictures of libraries. Arguments: what, and how many rows or pixels."""
import sys

what, rows = sys.argv[1], int(sys.argv[2])
if what == "picture":
    import cv2
    import numpy as np

    small = np.zeros((rows // 8, rows // 8, 3), np.uint8)
    print("scaling to", rows, "pixels", flush=True)
    print(cv2.resize(small, None, fx=8, fy=8, interpolation=cv2.INTER_LINEAR).shape)
elif what == "sheet":
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    for row in range(rows):
        sheet.append([row, row * 2, f"name {row}", row / 3])
        if row % 10000 == 0:
            print(f"row {row}/{rows}", flush=True)
    book.save("rows.xlsx")
else:
    from lxml import etree

    with open("rows.xml", "w", encoding="ascii") as text:
        text.write("<a>" + "".join(f"<b><c>{row}</c></b>" for row in range(rows)) + "</a>")
    print("written", flush=True)
    print(len(etree.parse("rows.xml").getroot()))
