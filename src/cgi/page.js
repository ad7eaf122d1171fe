(function () {
  "use strict";
  var kept = document.getElementById("kept");
  var tools = document.getElementById("tools");
  function each(list, what) { Array.prototype.forEach.call(list, what); }
  function tool(words, act) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", function () { act(button); });
    tools.appendChild(button);
  }
  function save(name, type, text) {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: type }));
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
  }
  function copy(text, button) {
    function done() { button.textContent = "Copied"; }
    if (navigator.clipboard) {
      navigator.clipboard.writeText(text).then(done);
      return;
    }
    var box = document.createElement("textarea");
    box.value = text;
    document.body.appendChild(box);
    box.select();
    if (document.execCommand("copy")) done();
    box.remove();
  }
  function page() {
    var copied = document.documentElement.cloneNode(true);
    each(copied.querySelectorAll("#kept, .top, .copy"), function (part) { part.remove(); });
    each(copied.querySelectorAll("th button"), function (part) { part.replaceWith(part.textContent); });
    return "<!DOCTYPE html>\n" + copied.outerHTML + "\n";
  }
  if (kept) {
    var answer = JSON.parse(kept.textContent);
    tool("Copy as Markdown", function (button) { copy(answer.markdown, button); });
    tool("Download page", function () { save("oomdoctor.html", "text/html", page()); });
    tool("Download JSON", function () { save("oomdoctor.json", "application/json", answer.json); });
  }
  /* What was asked and answered, in the memory of this tab alone: what browsers keep of forms goes to
     a disk. The window outlives the pages that are written into it. */
  var memory = window.oomdoctorMemory = window.oomdoctorMemory || {};
  function fields() { return document.querySelectorAll("form input, form select, form textarea"); }
  var asks = fields().length > 0;
  if (asks) memory.form = "<!DOCTYPE html>\n" + document.documentElement.outerHTML;
  function write(html) {
    document.open();
    document.write(html);
    document.close();
    window.scrollTo(0, 0);
  }
  function show(html) {
    memory.fields = Array.prototype.map.call(fields(), function (field) {
      return field.type === "file" ? field.files : field.value;
    });
    memory.answer = html;
    history.replaceState("form", "");
    history.pushState("answer", "", location.pathname);
    write(html);
  }
  function askAgain() {
    write(memory.form);
    each(fields(), function (field, i) { field[field.type === "file" ? "files" : "value"] = memory.fields[i]; });
  }
  /* A link inside an answer leads to a place without a state: no reason to leave it. */
  window.addEventListener("popstate", function () {
    if (!memory.answer) return;
    if (history.state === "form" && !asks) askAgain();
    if (history.state === "answer" && asks) write(memory.answer);
  });
  if (memory.answer && !asks) tool("Change the question", function () {
    history.pushState("form", "");
    askAgain();
  });
  function send(form, by) {
    var said = form.querySelector("output");
    var button = form.querySelector("button");
    var bar = document.createElement("progress");
    var data = new FormData(form);
    var request = new XMLHttpRequest();
    function fail(words) {
      button.disabled = false;
      said.className = "bad";
      said.textContent = words;
    }
    /* What was filled in stays where it is. */
    function explain() {
      var answer = new DOMParser().parseFromString(request.responseText, "text/html");
      var words = Array.prototype.map.call(answer.querySelectorAll(".problem main > h1, .problem main > p:not(:last-child)"),
        function (part) { return part.textContent; });
      fail(words.join(" ") || "The server answered " + request.status + " " + request.statusText + ".");
    }
    if (by && by.name) data.append(by.name, by.value);
    bar.max = 1;
    bar.setAttribute("aria-label", "Upload");
    said.className = "";
    said.textContent = "Sending ";
    said.appendChild(bar);
    button.disabled = true;
    request.upload.addEventListener("progress", function (event) {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.upload.addEventListener("load", function () { said.textContent = "Reading it\u2026"; });
    request.addEventListener("load", function () {
      if (request.status < 400) show(request.responseText);
      else explain();
    });
    request.addEventListener("error", function () {
      fail("The connection broke. Is the log larger than the limit?");
    });
    request.open("POST", "?");
    request.setRequestHeader("Accept", "text/html");
    request.send(data);
  }
  each(document.querySelectorAll("form"), function (form) {
    form.addEventListener("submit", function (event) {
      if (!window.FormData || form.elements.format.value !== "html") return;
      event.preventDefault();
      send(form, event.submitter);
    });
    form.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
  });
  var file = document.getElementById("file");
  if (!file) return;
  /* A box takes seconds over each megabyte: what is longer is chosen as a file. */
  var LONG = 1000000;
  document.getElementById("log").addEventListener("paste", function (event) {
    var text = event.clipboardData ? event.clipboardData.getData("text/plain") : "";
    if (text.length < LONG || !window.DataTransfer) return;
    var files = new DataTransfer();
    event.preventDefault();
    each(file.files, function (chosen) { files.items.add(chosen); });
    files.items.add(new File([text], "pasted.log", { type: "text/plain" }));
    file.files = files.files;
    file.form.querySelector("output").textContent = "A long text: it was chosen as a file.";
  });
  var depth = 0;
  function holds(event) {
    return event.dataTransfer && Array.prototype.indexOf.call(event.dataTransfer.types, "Files") >= 0;
  }
  function mark(by) {
    depth = Math.max(0, depth + by);
    document.body.classList.toggle("drop", depth > 0);
  }
  document.addEventListener("dragenter", function (event) { if (holds(event)) mark(1); });
  document.addEventListener("dragleave", function (event) { if (holds(event)) mark(-1); });
  document.addEventListener("dragover", function (event) { if (holds(event)) event.preventDefault(); });
  document.addEventListener("drop", function (event) {
    if (!holds(event)) return;
    event.preventDefault();
    mark(-depth);
    file.files = event.dataTransfer.files;
    send(file.form, null);
  });
})();
