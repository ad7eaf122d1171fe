src_libod_a_SOURCES += \
    src/advise/resume_command.c src/advise/resume_command.h \
    src/advise/answers.c src/advise/answers.h \
    src/advise/choose.c src/advise/choose.h \
    src/advise/command_number.c src/advise/command_number.h \
    src/advise/own_numbers.c src/advise/own_numbers.h \
    src/advise/proposal.c src/advise/proposal.h \
    src/advise/in_place.c src/advise/in_place.h \
    src/advise/knob.c src/advise/knob.h \
    src/advise/precision.c src/advise/precision.h \
    src/advise/remedies.c src/advise/remedies.h \
    src/advise/room.c src/advise/room.h \
    src/advise/gain.c src/advise/gain.h \
    src/advise/remedy.c src/advise/remedy.h \
    src/advise/first_value.c src/advise/first_value.h \
    src/advise/slots.c src/advise/slots.h \
    src/advise/sources.c src/advise/sources.h \
    src/advise/key_lines.c src/advise/key_lines.h \
    src/advise/standing.c src/advise/standing.h \
    src/advise/user_settings.def \
    src/advise/ways.c src/advise/ways.h
