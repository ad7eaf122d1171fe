# make sbom: what this build stands on, with versions and licences. make check-deb: the Debian
# packages built, installed, tried, removed (as root).
EXTRA_DIST += packaging/check-deb packaging/sbom debian/changelog debian/control debian/copyright \
    debian/liboomdoctor-dev.install debian/liboomdoctor0.install debian/oomdoctor.install debian/rules \
    debian/source/format
CLEANFILES += oomdoctor.spdx.json
.PHONY: sbom check-deb
sbom: oomdoctor.spdx.json
oomdoctor.spdx.json: $(top_srcdir)/packaging/sbom Makefile
	$(AM_V_GEN)$(top_srcdir)/packaging/sbom $(PACKAGE_VERSION) $(OD_MODULES) > $@.tmp && mv $@.tmp $@

check-deb:
	$(MAKE) distdir
	$(SHELL) $(top_srcdir)/packaging/check-deb "$(abs_builddir)/$(distdir)"
	rm -rf "$(distdir)"
