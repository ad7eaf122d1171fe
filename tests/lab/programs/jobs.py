"""A job of Celery that holds so many MiB, on a worker of its own. Arguments: MiB, jobs."""
import os
import subprocess
import sys

import celery

FOLDER = os.path.join(os.getcwd(), "queue")
os.makedirs(FOLDER, exist_ok=True)
app = celery.Celery("jobs", broker="filesystem://", backend=f"file://{FOLDER}")
app.conf.broker_transport_options = {"data_folder_in": FOLDER, "data_folder_out": FOLDER}


@app.task
def thumbnail(size):
    return len(bytearray(b"x") * (size << 20))


if __name__ == "__main__":
    with subprocess.Popen([sys.executable, "-m", "celery", "-A", "jobs", "worker", "-c", "1", "-l", "INFO"]) as worker:
        try:
            for i in range(int(sys.argv[2])):
                print(f"job {i + 1}/{sys.argv[2]}:", thumbnail.delay(int(sys.argv[1])).get(timeout=30), flush=True)
        finally:
            worker.terminate()
