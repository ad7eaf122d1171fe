# One word an output format: the file <word>.c defines od_format_<word>.
OD_FORMATS =

src_libod_a_SOURCES += \
    src/report/report.h
