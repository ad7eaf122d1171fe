# Used by `make wasm`, in the build folder: the page of oomdoctor.cgi for a browser, in wasm/page. `top` is the
# source tree, `sources` are the library's. Needs emscripten (Debian's package, with its Node.js), and the sources
# of PCRE2, libyaml and jansson in WASM_SOURCES, which packaging/wasm-sources fetches.
.DELETE_ON_ERROR:
WASM_CC = emcc
WASM_SOURCES = wasm/sources
pcre2 := $(firstword $(wildcard $(WASM_SOURCES)/pcre2-*/src))
yaml := $(firstword $(wildcard $(WASM_SOURCES)/libyaml-*/src))
jansson := $(firstword $(wildcard $(WASM_SOURCES)/jansson-*/src))

ours := $(filter-out src/host/%,$(filter %.c,$(sources))) src/host/system.c \
    $(addprefix src/cgi/,browser.c form.c page.c page_ask.c request.c wire.c work.c)
pcre2_parts = auto_possess chartables compile config context convert dfa_match error extuni find_bracket jit_compile \
    maketables match match_data newline ord2utf pattern_info script_run serialize string_utils study substitute substring \
    tables ucd valid_utf xclass
yaml_parts = api reader scanner parser loader writer emitter dumper
jansson_parts = dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value version
foreign := $(pcre2_parts:%=wasm/pcre2_%.o) $(yaml_parts:%=wasm/yaml_%.o) $(jansson_parts:%=wasm/jansson_%.o) wasm/around.o
objects := $(ours:%.c=wasm/o/%.o) $(foreign)
flags = -std=gnu17 -O2 -w -D_GNU_SOURCE -DPCRE2_STATIC -Iwasm/include -I. -I$(top) -Isrc -I$(top)/src -I$(top)/include
vpath %.c . $(top)

wasm/page/index.html: wasm/program.js $(top)/web/browser.js $(top)/packaging/wasm
	$(top)/packaging/wasm wasm/program.js $(top)/web/browser.js wasm/page

# -O1: what optimizes more wants another acorn than that of Debian.
exported = ["_od_browser_ask","_od_browser_answer","_malloc","_free"]
wasm/program.js: $(objects)
	rm -f wasm/program.a && emar rcs wasm/program.a $(objects)
	emcc -O1 wasm/program.a -o $@ --no-entry -s EXPORTED_FUNCTIONS='$(exported)' \
	    -s EXPORTED_RUNTIME_METHODS='["ccall","UTF8ToString","FS"]' -s MODULARIZE=1 -s EXPORT_NAME=oomdoctorModule \
	    -s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=2147483648 -s TOTAL_STACK=8388608 -s DYNAMIC_EXECUTION=0 \
	    -s ENVIRONMENT=web,node

# What configure found here is not in a browser. Headers of libraries that are loaded when they are wanted, and
# are not there, give types alone.
headers = archive.h archive_entry.h zlib.h zconf.h lzma.h lzma zstd.h zstd_errors.h bzlib.h xxhash.h
wasm/include/config.h: config.h $(WASM_SOURCES)
	mkdir -p wasm/include
	for header in $(headers); do \
	    cp -R "$$(for folder in /usr/include /usr/include/$$(gcc -print-multiarch); do \
	        [ ! -e "$$folder/$$header" ] || echo "$$folder/$$header"; done | head -n 1)" wasm/include/ || exit 1; \
	done
	cp $(pcre2)/config.h.generic $(pcre2)/config.h && cp $(pcre2)/pcre2.h.generic $(pcre2)/pcre2.h
	cp $(pcre2)/pcre2_chartables.c.dist $(pcre2)/pcre2_chartables.c
	sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_[a-z_]*@/0/' \
	    $(jansson)/jansson_config.h.in > $(jansson)/jansson_config.h
	printf '#define HAVE_%s 1\n' STDINT_H UNISTD_H SYS_TYPES_H SYS_TIME_H GETTIMEOFDAY FCNTL_H STRTOLL SNPRINTF \
	    > $(jansson)/jansson_private_config.h
	echo '#define INITIAL_HASHTABLE_ORDER 3' >> $(jansson)/jansson_private_config.h
	cp $(pcre2)/pcre2.h $(yaml)/../include/yaml.h $(jansson)/jansson.h $(jansson)/jansson_config.h wasm/include/
	sed -E -e 's/^#define (HAVE_DECL_SYS_[A-Z_]+|OD_LOCKS) 1/#define \1 0/' \
	    -e '/HAVE_(MEMFD_CREATE|PIPE2|TEE|SYS_PRCTL_H|SYS_SYSCALL_H|BZ2|LZMA|ZSTD|MICROHTTPD|MKOSTEMP) /d' config.h > $@

$(objects): wasm/include/config.h
wasm/o/%.o: %.c
	@mkdir -p $(@D)
	$(WASM_CC) $(flags) -c $< -o $@
wasm/pcre2_%.o:
	$(WASM_CC) -O2 -w -DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DSUPPORT_UNICODE -DPCRE2_STATIC -I$(pcre2) \
	    -c $(pcre2)/pcre2_$*.c -o $@
wasm/yaml_%.o:
	$(WASM_CC) -O2 -w -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 \
	    '-DYAML_VERSION_STRING="0.2.5"' -I$(yaml)/../include -c $(yaml)/$*.c -o $@
wasm/jansson_%.o:
	$(WASM_CC) -O2 -w -DHAVE_CONFIG_H -I$(jansson) -c $(jansson)/$*.c -o $@
wasm/around.o: $(top)/packaging/wasm_around.c
	$(WASM_CC) -O2 -Iwasm/include -c $< -o $@
