"""A service whose memory grows with each request: cache, tasks, callbacks or copies of the history."""
import asyncio
import functools
import sys

kind, kilobytes = sys.argv[1], int(sys.argv[2])


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20


@functools.lru_cache(maxsize=None)
def render(page):
    return f"{page}:" + "x" * (kilobytes << 10)


async def pending():
    blocks = []
    for i in range(1, 1000000):
        block = bytearray(kilobytes << 10)
        blocks.append(asyncio.ensure_future(wait(block)))
        if i % 100 == 0:
            print(f"request {i}, pending tasks {len(blocks)}, rss {resident():.0f} MB", flush=True)
            await asyncio.sleep(0)


async def wait(block):
    await asyncio.sleep(3600)
    return block


if kind == "cache":
    for i in range(1, 1000000):
        render(i)
        if i % 100 == 0:
            print(f"request {i} rss {resident():.0f} MB", flush=True)
elif kind == "tasks":
    asyncio.run(pending())
elif kind == "history":
    seen = []
    for episode in range(1, 100000):
        seen.append([bytes(1024) + bytes([i % 256]) for i in range(kilobytes)])
        if episode % 10 == 0:
            print(f"episode {episode} reward {episode % 7} rss {resident():.0f} MB", flush=True)
