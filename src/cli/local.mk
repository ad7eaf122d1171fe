bin_PROGRAMS = oomdoctor
oomdoctor_SOURCES = src/cli/main.c
oomdoctor_LDADD = src/libod.a $(OD_LIBS)
nodist_oomdoctor_SOURCES = src/rules/shipped.c
