"""A list that grows until there is no memory."""


def collect():
    rows = []
    while True:
        rows.append(b"x" * (1 << 20) * 2)


collect()
