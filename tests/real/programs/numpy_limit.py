"""An array beyond the limit of the process."""

import numpy as np

first = np.zeros(600 << 17)
second = np.zeros(600 << 17)
