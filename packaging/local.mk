# make sbom: what this build stands on, with versions and licences. make check-deb: the Debian
# packages built, installed, tried, removed (as root). make wheel: all of it for pip.
# make wasm: the page for a browser, without a server.
# make release: all that is published, with checksums, in release/. make check-release: the wheel
# installed into a clean environment and run, the recipes read by their own tools where they are here.
recipes = oomdoctor.rb meta.yaml oomdoctor.spec
EXTRA_DIST += packaging/wasm packaging/wasm.mk packaging/wasm-sources packaging/wasm_around.c src/cgi/browser.c \
    web/browser.js
EXTRA_DIST += packaging/Containerfile packaging/arm64 packaging/check-container packaging/check-deb packaging/minimal packaging/check-release packaging/sbom packaging/wheel \
    packaging/oomdoctor.rb.in packaging/meta.yaml.in packaging/oomdoctor.spec.in \
    debian/changelog debian/control debian/copyright \
    debian/liboomdoctor-dev.install debian/liboomdoctor0.install debian/oomdoctor.install debian/rules \
    debian/source/format
CLEANFILES += oomdoctor.spdx.json
.PHONY: sbom check-container check-deb wasm wheel wheel-arm64 release check-release
sbom: oomdoctor.spdx.json
oomdoctor.spdx.json: $(top_srcdir)/packaging/sbom Makefile
	$(AM_V_GEN)$(top_srcdir)/packaging/sbom $(PACKAGE_VERSION) $(OD_MODULES) > $@.tmp && mv $@.tmp $@

check-deb:
	$(MAKE) distdir
	$(SHELL) $(top_srcdir)/packaging/check-deb "$(abs_builddir)/$(distdir)"
	rm -rf "$(distdir)"

# The image of the Containerfile, built by buildah and tried; as root.
check-container:
	$(MAKE) distdir
	$(SHELL) $(top_srcdir)/packaging/check-container "$(abs_builddir)/$(distdir)"
	rm -rf "$(distdir)"

# The wheel for arm64, cross-compiled in a minimal Debian and tried with qemu; as root.
wheel-arm64: all
	$(MAKE) distdir
	OOMDOCTOR='$(abs_top_builddir)/oomdoctor' $(SHELL) $(top_srcdir)/packaging/arm64 "$(abs_builddir)/$(distdir)" release
	rm -rf "$(distdir)"

# The page for a browser, without a server: wasm/page/index.html. Wants emscripten and Node.js, and fetches three
# sources with apt-get once. WASM_CC compiles, where that is not emcc.
WASM_CC = emcc
wasm: all
	@command -v emcc >/dev/null || { echo "make wasm wants emscripten (apt-get install emscripten)" >&2; exit 1; }
	[ -d wasm/sources/jansson-* ] || $(top_srcdir)/packaging/wasm-sources wasm/sources
	$(MAKE) -f $(top_srcdir)/packaging/wasm.mk top=$(top_srcdir) sources='$(liboomdoctor_a_SOURCES) $(OD_TABLES)' \
	    WASM_CC='$(WASM_CC)'

# The machine that the static command is for: a cross build says it.
RELEASE_CPU = $$(uname -m)

# Where a release lies, as the recipes name it.
RELEASE_URL = https://example.org/oomdoctor/$(PACKAGE_VERSION)

wheel: static
	$(MKDIR_P) release
	$(STRIP) -o release/oomdoctor oomdoctor-static$(EXEEXT)
	$(STRIP) -o release/oomdoctor.cgi oomdoctor-static.cgi$(EXEEXT)
	$(top_srcdir)/packaging/wheel release/oomdoctor release/oomdoctor.cgi doc/completion $(PACKAGE_VERSION) release \
	    $(RELEASE_CPU)

release: wheel sbom
	$(MAKE) dist
	cp $(distdir).tar.xz $(top_srcdir)/packaging/Containerfile oomdoctor.spdx.json release/
	mv release/oomdoctor release/oomdoctor-$(PACKAGE_VERSION)-linux-$(RELEASE_CPU)
	mv release/oomdoctor.cgi release/oomdoctor.cgi-$(PACKAGE_VERSION)-linux-$(RELEASE_CPU)
	for recipe in $(recipes); do \
	    sed "s,@RELEASE@,$(PACKAGE_VERSION),g; s,@URL@,$(RELEASE_URL),g; \
	        s,@SHA256@,$$(sha256sum $(distdir).tar.xz | cut -d ' ' -f 1),g" \
	        $(top_srcdir)/packaging/$$recipe.in > release/$$recipe || exit 1; \
	done
	cd release && sha256sum $$(ls | grep -v SHA256SUMS) > SHA256SUMS

check-release: release
	$(TESTS_ENV) $(top_srcdir)/packaging/check-release release
	$(TESTS_ENV) $(top_srcdir)/tests/install/wheel release

clean-local-release:
	rm -rf release wasm site
clean-local: clean-local-release
.PHONY: clean-local-release
