# Distributed whole: see dist-hook in Makefile.am.
