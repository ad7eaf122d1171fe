# How other servers run the page; the tests start each of them with these.
webdir = $(pkgdatadir)/web
dist_web_DATA = web/apache.conf web/lighttpd.conf web/nginx.conf
