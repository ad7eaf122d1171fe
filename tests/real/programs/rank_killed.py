"""One of two ranks is killed."""

import os
import signal
import time

if os.environ["RANK"] == "1":
    os.kill(os.getpid(), signal.SIGKILL)
time.sleep(60)
