src_libod_a_SOURCES += \
    src/case/allocator.h \
    src/case/case.h
