"""Science on arrays that are made up. Arguments: what, rows."""
import sys

import numpy as np

what, rows = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(1)
if what == "gls":
    import statsmodels.api as sm
    x = sm.add_constant(rng.random(rows))
    print(sm.GLS(rng.random(rows), x, sigma=np.eye(rows)).fit().params)
elif what == "outer":
    import xarray as xr
    a = xr.DataArray(rng.random(rows), dims="time")
    b = xr.DataArray(rng.random(rows), dims="step")
    print(float((a - b).mean()))
elif what == "jit":
    import numba

    @numba.njit
    def table(n):
        out = np.empty((n, n))
        for i in range(n):
            out[i] = i
        return out.sum()

    print(table(rows))
elif what == "type":
    import numba
    print(numba.njit(lambda n: "rows" + n)(rows))
elif what == "resize":
    from skimage.transform import resize
    picture = np.zeros((rows, rows, 3), dtype=np.uint8)
    print(picture.shape, flush=True)
    print(resize(picture, (rows // 2, rows // 2), anti_aliasing=True).shape)
