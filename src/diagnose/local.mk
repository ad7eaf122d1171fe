# One word a diagnosis: the file <word>.c defines od_diagnoser_<word>.
OD_DIAGNOSERS =

src_libod_a_SOURCES += \
    src/diagnose/diagnose.h
