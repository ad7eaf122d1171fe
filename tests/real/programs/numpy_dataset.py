"""A whole data set in one array."""

import numpy as np


def load(samples):
    return np.ones((samples, 640, 640, 3), dtype=np.float32)


load(200000)
