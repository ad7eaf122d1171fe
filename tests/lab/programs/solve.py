"""A sparse system. Arguments: unknowns, dense or sparse."""

import sys

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

N, HOW = int(sys.argv[1]), sys.argv[2]
matrix = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(N, N), format="csc")
print(f"{N} unknowns, {matrix.nnz} entries", flush=True)
right = np.ones(N)
if HOW == "dense":
    answer = np.linalg.solve(matrix.toarray(), right)
else:
    answer = scipy.sparse.linalg.spsolve(matrix, right)
print("residual", float(abs(matrix @ answer - right).max()))
