/*
 * The pages as people see them: axe-core finds nothing, nothing scrolls sideways on a phone, every
 * reference has its line, tables sort, nothing is loaded, and a hostile log stays text. Given: a
 * folder of pages. CHROMIUM names the browser.
 */
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = path.resolve(process.argv[2]);
const pages = fs.readdirSync(folder).filter((name) => name.endsWith(".html")).sort();
let count = 0;
let failed = 0;

function ok(good, name, why) {
  count += 1;
  failed += good ? 0 : 1;
  console.log(`${good ? "ok" : "not ok"} ${count} - ${name}`);
  if (!good) console.log(String(why).replace(/^/gm, "# "));
}

async function open(browser, name, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const trouble = [];
  page.on("dialog", (dialog) => { trouble.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") trouble.push(message.text()); });
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) trouble.push(`loads ${request.url()}`);
  });
  await page.goto(`file://${path.join(folder, name)}`);
  return { context, page, trouble };
}

async function accessible(browser, name, scheme) {
  const { context, page, trouble } = await open(browser, name, { colorScheme: scheme });
  await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document));
  ok(found.violations.length === 0, `${name}: axe, ${scheme}`,
    found.violations.map((v) => `${v.impact} ${v.id}: ${v.nodes[0].html}\n${v.nodes[0].failureSummary}`).join("\n"));
  ok(trouble.length === 0, `${name}: loads nothing, no error`, trouble.join("\n"));
  await context.close();
}

async function narrow(browser, name, width, script) {
  const { context, page } = await open(browser, name,
    { viewport: { width, height: 667 }, javaScriptEnabled: script });
  const over = script
    ? await page.evaluate(() => {
      document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
      return document.documentElement.scrollWidth - window.innerWidth;
    })
    : 0;
  ok(over <= 0, `${name}: no sideways scrolling at ${width}`, `${over} pixels too wide`);
  const first = await page.locator("h2").first().boundingBox();
  ok(first === null || first.y < 667, `${name}: the first section is on the first screen of ${width}`, first && first.y);
  await context.close();
}

async function behaves(browser, name) {
  const { context, page } = await open(browser, name, { reducedMotion: "reduce" });
  const lost = await page.evaluate(() => Array.from(document.querySelectorAll("a[href^='#']"))
    .map((a) => a.getAttribute("href").slice(1)).filter((id) => !document.getElementById(id)));
  ok(lost.length === 0, `${name}: every reference has its line`, lost.join(" "));
  const twice = await page.evaluate(() => Array.from(document.querySelectorAll("[id]"))
    .map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i));
  ok(twice.length === 0, `${name}: no id twice`, twice.join(" "));
  const scripts = await page.evaluate(() => document.querySelectorAll("script").length);
  ok(scripts === 1, `${name}: one script`, scripts);
  await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
  const heads = page.locator("th.n button");
  if (await heads.count() > 0) {
    await heads.first().click();
    const sorted = await page.evaluate(() => {
      const head = document.querySelector("th[aria-sort]");
      const column = Array.from(head.parentNode.cells).indexOf(head);
      const numbers = Array.from(head.closest("table").tBodies[0].rows)
        .map((row) => parseFloat(row.cells[column].textContent.replace(/[<,]/g, "")))
        .filter((n) => !Number.isNaN(n));
      return numbers.every((n, i) => i === 0 || numbers[i - 1] >= n);
    });
    ok(sorted, `${name}: a table sorts`, "rows are not in descending order");
  }
  await context.close();
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
for (const name of pages) {
  await accessible(browser, name, "light");
  await accessible(browser, name, "dark");
  await narrow(browser, name, 375, true);
  await narrow(browser, name, 375, false);
  await narrow(browser, name, 1280, true);
  await behaves(browser, name);
}
await browser.close();
console.log(`1..${count}`);
process.exit(failed === 0 && pages.length > 0 ? 0 : 1);
