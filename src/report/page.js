(function () {
  "use strict";
  function value(cell) {
    var text = cell ? cell.textContent.replace(/,/g, "").replace(/^</, "").trim() : "";
    var number = parseFloat(text);
    return /^[-+.\d]/.test(text) && !isNaN(number) ? number : text.toLowerCase();
  }
  function order(a, b) {
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  }
  function sortable(table) {
    var body = table.tBodies[0];
    if (!body || body.rows.length < 3) return;
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      if (head.tagName !== "TH") return;
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.textContent = "";
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") !== "descending";
        var rows = Array.prototype.slice.call(body.rows);
        rows.sort(function (a, b) {
          var found = order(value(a.cells[column]), value(b.cells[column]));
          return down ? -found : found;
        });
        rows.forEach(function (row) { body.appendChild(row); });
        Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) {
          other.removeAttribute("aria-sort");
        });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
      });
    });
  }
  function searchable(table) {
    var rows = Array.prototype.slice.call(table.tBodies[0].rows);
    if (rows.length < 8) return;
    var label = document.createElement("label"), input = document.createElement("input");
    var count = document.createElement("span");
    label.className = "find";
    label.textContent = "Find ";
    input.type = "search";
    input.placeholder = "cause, framework, shape";
    count.setAttribute("role", "status");
    label.appendChild(input);
    label.appendChild(count);
    input.addEventListener("input", function () {
      var words = input.value.toLowerCase().split(/\s+/), found = 0;
      rows.forEach(function (row) {
        var text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (word) { return text.indexOf(word) >= 0; });
        found += row.hidden ? 0 : 1;
      });
      count.textContent = input.value ? found + " of " + rows.length : "";
    });
    table.parentNode.parentNode.insertBefore(label, table.parentNode);
  }
  function copyable(box) {
    if (!navigator.clipboard) return;
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(box.querySelector("code").textContent).then(function () {
        button.textContent = "Copied";
      });
    });
    box.appendChild(button);
  }
  function unfold() {
    var target = document.getElementById(location.hash.slice(1));
    var fold = target && target.closest("details");
    if (fold) {
      fold.open = true;
      target.scrollIntoView();
    }
  }
  Array.prototype.forEach.call(document.querySelectorAll("table"), sortable);
  Array.prototype.forEach.call(document.querySelectorAll("table.searched"), searchable);
  Array.prototype.forEach.call(document.querySelectorAll(".code"), copyable);
  window.addEventListener("hashchange", unfold);
  window.addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("details"), function (fold) {
      fold.open = true;
    });
  });
  unfold();
})();
