/*
 * The page without a server, in headless Chromium, opened as a file and from a web server: an example, a log of 5 MB and its
 * time, a packed log, a plan; and no request but for the page itself. Given: index.html, the folder of the samples.
 */
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import url from "node:url";
import zlib from "node:zlib";
import { chromium } from "playwright-core";

const [page, samples] = process.argv.slice(2);
let count = 0, failed = 0;
function ok(passed, name, details) {
  count += 1;
  failed += passed ? 0 : 1;
  console.log(`${passed ? "ok" : "not ok"} ${count} - ${name}`);
  if (!passed) console.log(`# ${String(details).slice(0, 2000).replace(/\n/g, "\n# ")}`);
}

function largeLog() {
  const part = fs.readFileSync(path.join(samples, "unet-fragmented.log"), "utf8");
  let middle = "";
  for (let i = 0; middle.length < 5e6; i++) middle += `2026-01-02 10:11:12 INFO train: step ${i} loss ${(1 / (i + 1)).toFixed(5)} lr 1.0e-04\n`;
  return Buffer.from(middle + part);
}

async function answerOf(tab, act) {
  await act();
  await tab.waitForSelector("body.answer h1", { timeout: 60000 });
  return tab.textContent("h1");
}

async function check(browser, address, what) {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const asked = [], said = [];
  tab.on("request", (request) => { if (!/^(data|blob):/.test(request.url())) asked.push(request.url()); });
  tab.on("console", (message) => { if (message.type() === "error") said.push(message.text()); });
  tab.on("pageerror", (error) => said.push(String(error)));
  await tab.goto(address);
  const start = performance.now();
  const first = await answerOf(tab, () => tab.click("a[href='?example=unet']"));
  ok(/GPU 0 ran out of memory/.test(first), `${what}: an example`, first);
  console.log(`# first answer ${((performance.now() - start) / 1000).toFixed(2)} s after the page was there`);
  await tab.click(".top a");
  await tab.waitForSelector("body.ask #file");
  await tab.setInputFiles("#file", { name: "run.log", mimeType: "text/plain", buffer: largeLog() });
  const begin = performance.now();
  const large = await answerOf(tab, () => tab.click(".ask-log button[type=submit]"));
  const seconds = (performance.now() - begin) / 1000;
  ok(/GPU 0 ran out of memory/.test(large), `${what}: a log of 5 MB`, large);
  console.log(`# a log of 5 MB: ${seconds.toFixed(2)} s`);
  ok(seconds < (Number(process.env.PATIENCE) || 2), `${what}: a log of 5 MB in less than 2 s`, seconds);
  await tab.click("text=Change the question");
  await tab.waitForSelector("body.ask #file");
  const packed = zlib.gzipSync(fs.readFileSync(path.join(samples, "all-images-at-once.log")));
  await tab.setInputFiles("#file", { name: "run.log.gz", mimeType: "application/gzip", buffer: packed });
  const unpacked = await answerOf(tab, () => tab.click(".ask-log button[type=submit]"));
  ok(/asked for 4.09 GiB/.test(unpacked), `${what}: the question is changed, a packed log`, unpacked);
  await tab.click(".top a");
  await tab.waitForSelector("body.ask #model");
  await tab.fill("#model", fs.readFileSync(path.join(samples, "models/torchinfo-tides.txt"), "utf8"));
  await tab.fill("#plan-device", "rtx3090");
  const plan = await answerOf(tab, () => tab.click(".ask-plan button[type=submit]"));
  ok(/RTX 3090/.test(plan), `${what}: a plan`, plan);
  ok(said.length === 0, `${what}: nothing is refused or fails`, said.join("\n"));
  const others = asked.filter((one) => one.split("?")[0] !== address);
  ok(others.length === 0, `${what}: no request leaves the page`, others.join("\n"));
  for (const [kind, code] of [["fetch", "fetch('https://example.org/').then(() => 'sent', () => 'refused')"],
    ["an image", "new Promise((is) => { const i = new Image(); i.onload = () => is('sent'); i.onerror = () => is('refused'); i.src = 'https://example.org/i.png'; })"],
    ["a beacon", "new Promise((is) => { document.addEventListener('securitypolicyviolation', () => is('refused')); navigator.sendBeacon('https://example.org/'); setTimeout(() => is('sent'), 2000); })"]])
    ok(await tab.evaluate(code) === "refused", `${what}: its policy refuses ${kind}`);
  await context.close();
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
await check(browser, url.pathToFileURL(page).href, "as a file");
const server = http.createServer((request, answer) => {
  answer.setHeader("Content-Type", "text/html; charset=utf-8");
  answer.end(fs.readFileSync(page));
}).listen(0, "127.0.0.1");
await new Promise((listening) => { server.once("listening", listening); });
await check(browser, `http://127.0.0.1:${server.address().port}/`, "from a server");
server.close();
await browser.close();
console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
