"""Other programs (their names: the arguments after the size) hold nearly all of the group; then the command after
-- runs and dies."""
import ctypes
import os
import sys
import time

split = sys.argv.index("--")
held, names, command = int(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]
told, tell = os.pipe()
for name in names:
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
        block = [bytearray(os.urandom(1 << 20)) for _ in range(held // len(names))]
        os.write(tell, b"h")
        time.sleep(60)
        os._exit(0)
open("/proc/self/oom_score_adj", "w").write("900")
for name in names:
    os.read(told, 1)
os.execvp(command[0], command)
