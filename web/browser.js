/*
 * The page without a server (make wasm): requests are answered by oomdoctor itself, compiled to
 * WebAssembly, in this page. Nothing is sent: the page's policy forbids all connections.
 * oomdoctorProgram is the program, packed; oomdoctorModule makes it run.
 */
(function () {
  "use strict";
  var program = null;
  function unpacked() {
    var packed = Uint8Array.from(atob(oomdoctorProgram), function (c) { return c.charCodeAt(0); });
    return unzip(new Blob([packed]));
  }
  function unzip(blob) {
    return new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }
  function started() {
    program = program || unpacked().then(function (bytes) {
      return oomdoctorModule({ wasmBinary: bytes, noInitialRun: true, print: function () {}, printErr: function () {} });
    });
    return program;
  }
  function restart() { program = null; }
  /* gzip is what the browser itself can unpack. */
  function plain(file) {
    if (!/\.gz$/.test(file.name)) return Promise.resolve(file);
    return unzip(file).then(function (bytes) { return new File([bytes], file.name.slice(0, -3)); },
      function () { return file; });
  }
  function bodyOf(form) {
    if (!form) return Promise.resolve(null);
    var sent = new FormData(), files = [];
    form.forEach(function (value, name) {
      files.push(Promise.resolve(value instanceof File ? plain(value) : value).then(function (part) { return [name, part]; }));
    });
    return Promise.all(files).then(function (parts) {
      parts.forEach(function (part) { sent.append(part[0], part[1]); });
      var whole = new Response(sent);
      return whole.arrayBuffer().then(function (bytes) {
        return { type: whole.headers.get("Content-Type"), bytes: new Uint8Array(bytes) };
      });
    });
  }
  function text(module, address) {
    var copy = address ? module.UTF8ToString(address) : "";
    module._free(address);
    return copy;
  }
  function answered(query, form) {
    return Promise.all([started(), bodyOf(form)]).then(function (both) {
      var module = both[0], body = both[1];
      module.FS.writeFile("/body", body ? body.bytes : new Uint8Array());
      var address = module.ccall("od_browser_answer", "number", ["string", "string", "number"],
        [query, body ? body.type : "", body ? 1 : 0]);
      var whole = text(module, address);
      return { status: Number(whole.slice(0, 3)) || 500, text: local(whole.slice(3)) };
    }).catch(function (error) {
      restart(); /* what ended it may have left it in any state */
      return { status: 500, text: "", why: String(error) };
    });
  }
  /* A page that was written into the window takes part in this as the first one does. */
  function local(html) {
    return html.replace(/<\/body>\s*<\/html>\s*$/, "<script>oomdoctorLocal()</" + "script>\n</body>\n</html>\n");
  }
  /* As much of XMLHttpRequest as the page uses. */
  function LocalRequest() {
    this.upload = { addEventListener: function (name, act) { if (name === "load") setTimeout(act); } };
    this.acts = {};
    this.status = 0;
    this.statusText = "";
    this.responseText = "";
  }
  LocalRequest.prototype.addEventListener = function (name, act) { this.acts[name] = act; };
  LocalRequest.prototype.setRequestHeader = function () {};
  LocalRequest.prototype.open = function (method, address) { this.query = address.replace(/^\?/, ""); };
  LocalRequest.prototype.send = function (form) {
    var request = this;
    setTimeout(function () { /* what the page says meanwhile is shown first */
      answered(request.query, form).then(function (answer) {
        request.status = answer.status;
        request.statusText = answer.why || "";
        request.responseText = answer.text;
        request.acts.load();
      });
    }, 50);
  };
  window.XMLHttpRequest = LocalRequest;
  function follow(event) {
    var link = event.target.closest && event.target.closest("a[href^='?']");
    if (!link) return;
    var query = link.getAttribute("href").slice(1);
    event.preventDefault();
    if (query === "") {
      location.reload();
      return;
    }
    answered(query, null).then(function (answer) {
      document.open();
      document.write(answer.text);
      document.close();
      window.scrollTo(0, 0);
    });
  }
  window.oomdoctorLocal = function () { document.addEventListener("click", follow); };
  /* What the page keeps of itself is without the program. */
  document.querySelectorAll("script.once").forEach(function (script) { script.remove(); });
  setTimeout(started, 200);
})();
