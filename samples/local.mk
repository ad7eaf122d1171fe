EXTRA_DIST += samples
