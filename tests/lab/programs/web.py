"""A service whose requests take memory."""

KEPT = []


def app(environ, start_response):
    size = int(environ["QUERY_STRING"] or 0)
    KEPT.append(bytearray(b"x") * (size << 20))
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"ok\n"]
