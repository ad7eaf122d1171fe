/*
 * The paste-in page as people use it. Given: its address, a name for the server, a folder for
 * screenshots, the folder of the samples. CHROMIUM names the browser. Prints TAP without a plan.
 */
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const [address, server, shots, samples] = process.argv.slice(2);
const log = path.join(samples, "unet-fragmented.log");
let failed = 0;

function ok(good, name, why) {
  failed += good ? 0 : 1;
  console.log(`${good ? "ok" : "not ok"} - ${server}: ${name}`);
  if (!good) console.log(String(why).replace(/^/gm, "# "));
}

async function open(browser, options, query = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const trouble = [];
  page.on("dialog", (dialog) => { trouble.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (400|404|413)/.test(message.text())) trouble.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob|about):/.test(request.url())) trouble.push(`loads ${request.url()}`);
  });
  await page.goto(address + query);
  return { context, page, trouble };
}

async function looked(page, name) {
  await page.screenshot({ path: path.join(shots, `${server}-${name}.png`), fullPage: true });
}

/* axe wants to be put in from outside the page's policy, which evaluate is. */
async function fine(page, name) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document));
  ok(found.violations.length === 0, `${name}: axe`,
    found.violations.map((v) => `${v.impact} ${v.id}: ${v.nodes[0].html}\n${v.nodes[0].failureSummary}`).join("\n"));
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  ok(over <= 0, `${name}: nothing scrolls sideways`, `${over} pixels too wide`);
}

async function answered(page, words, name) {
  /* The heading of the form (h1.open) asks what ran out of memory: it is no answer. */
  await page.waitForFunction((text) => Array.from(document.querySelectorAll("h1:not(.open)"))
    .some((heading) => heading.textContent.includes(text)), words, { timeout: 30000 });
  ok(true, `${name}: ${words}`);
}

async function told(page, words, name) {
  await page.waitForSelector(`output.bad:has-text("${words}")`, { timeout: 30000 });
  ok(await page.locator(".ask-log button[type=submit]").isEnabled(), name, "it cannot be sent again");
}

async function looks(browser) {
  for (const [width, scheme] of [[1280, "light"], [375, "light"], [375, "dark"], [1280, "dark"]]) {
    const options = { viewport: { width, height: width < 600 ? 667 : 800 }, colorScheme: scheme };
    for (const [name, query] of [["ask", ""], ["answer", "?example=unet"], ["plan", "?example=model"], ["problem", "?example=none"]]) {
      const { context, page, trouble } = await open(browser, options, query);
      await looked(page, `${name}-${width}-${scheme}`);
      await fine(page, `${name} at ${width}, ${scheme}`);
      ok(trouble.length === 0, `${name} at ${width}, ${scheme}: loads nothing, no error`, trouble.join("\n"));
      await context.close();
    }
  }
}

/* To the form and to the answer again, as they were; what was changed is asked. */
async function returns(page, name) {
  const text = fs.readFileSync(log, "utf8");
  const whole = async () => await page.inputValue("#log") === text && await page.inputValue("#ram") === "48GB";
  await page.click("a[href^='#L']");
  await page.goBack({ waitUntil: "commit" });
  ok(await page.locator("h1.bad").count() === 1, `${name}: back from a line is the answer`, "it is not");
  await page.goBack({ waitUntil: "commit" });
  await page.waitForSelector("#log");
  ok(await whole(), `${name}: back is the form as it was`, await page.inputValue("#ram"));
  await page.goForward({ waitUntil: "commit" });
  await answered(page, "ran out of memory", `${name}: forward is the answer`);
  await page.click("#tools button:has-text('Change the question')");
  await page.waitForSelector("#log");
  ok(await whole(), `${name}: the question is there to be changed`, await page.inputValue("#ram"));
  await page.fill("#log", "epoch 1");
  await page.click(".ask-log button[type=submit]");
  await answered(page, "No memory failure", `${name}: what was changed is answered`);
}

async function pastes(browser, script) {
  const name = script ? "paste" : "paste without script";
  const { context, page, trouble } = await open(browser, { javaScriptEnabled: script });
  await page.fill("#log", fs.readFileSync(log, "utf8"));
  await page.fill("#ram", "48GB");
  await page.click(".ask-log button[type=submit]");
  await page.waitForSelector("h1.bad", { timeout: 30000 });
  ok((await page.textContent("h1")).includes("ran out of memory"), name, await page.textContent("h1"));
  const images = page.locator("img");
  ok(await images.count() > 0, `${name}: figures`, "none");
  if (script) {
    const drawn = await page.evaluate(() => Array.from(document.images).every((i) => i.complete && i.naturalWidth > 0));
    ok(drawn, `${name}: figures are drawn`, "one is not");
    await keeps(page);
    await fine(page, name);
    await looked(page, "pasted");
    await returns(page, name);
  } else {
    ok(await page.locator("#tools button").count() === 0, `${name}: no dead buttons`, "there are");
    await looked(page, "without-script");
    await page.goBack();
    ok(await page.inputValue("#ram") === "48GB" && await page.inputValue("#log") === "",
      `${name}: back is the form with its settings, the log is kept nowhere`, await page.inputValue("#ram"));
  }
  ok(trouble.length === 0, `${name}: loads nothing, no error`, trouble.join("\n"));
  await context.close();
}

/* From the top of the form to the report, and on in it, without a mouse. */
async function keyboard(browser) {
  const { context, page } = await open(browser, {});
  const at = () => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.textContent);
  const seen = [];
  while (seen.length < 20 && seen.at(-1) !== "What failed?") {
    await page.keyboard.press("Tab");
    seen.push(await at());
    if (seen.at(-1) === "log") await page.keyboard.insertText(fs.readFileSync(log, "utf8"));
    if (seen.at(-1) === "batch") await page.keyboard.type("8");
  }
  ok(["skip", "log", "file", "device", "batch", "ram", "format", "What failed?"].every((name) => seen.includes(name)),
    "keyboard: every field in turn", seen.join(" "));
  await page.keyboard.press("Enter");
  await answered(page, "ran out of memory", "keyboard");
  await page.keyboard.press("Tab");
  const first = await at();
  await page.keyboard.press("Enter");
  ok(first === "skip" && await page.evaluate(() => location.hash === "#report"), "keyboard: the report can be skipped to", first);
  await context.close();
}

/* On paper: dark on white however the screen is, and no heading with nothing below it. */
async function prints(browser) {
  const { context, page } = await open(browser, { colorScheme: "dark", viewport: { width: 794, height: 1123 } }, "?example=unet");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const empty = await page.evaluate(() => Array.from(document.querySelectorAll("h2")).filter((head) => head.offsetParent
    && !Array.from(head.parentNode.children).some((part) => part !== head && part.offsetParent)).map((head) => head.textContent));
  ok(empty.length === 0, "print: no heading without what it heads", empty.join(", "));
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  ok(paper === "rgb(255, 255, 255)", "print: white paper", paper);
  ok(!await page.locator("#tools").isVisible(), "print: no buttons", "there are");
  await looked(page, "print");
  await context.close();
}

/* A number of which the end is cut off reads as another number. */
async function narrows(browser) {
  const { context, page } = await open(browser, { viewport: { width: 375, height: 667 } }, "?example=unet");
  const cut = await page.evaluate(() => Array.from(document.querySelectorAll(".scroll"))
    .filter((box) => box.offsetParent && box.querySelector(".bar") && box.scrollWidth > box.clientWidth).map((box) => box.textContent));
  ok(cut.length === 0, "narrow: no number is cut", cut.join("\n"));
  await context.close();
}

async function kept(page, words) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#tools button:has-text("${words}")`)]);
  return fs.readFileSync(await download.path(), "utf8");
}

async function keeps(page) {
  const report = JSON.parse(await kept(page, "Download JSON"));
  ok(report.schema === "oomdoctor.report/1", "JSON is kept", report.schema);
  const html = await kept(page, "Download page");
  ok(html.startsWith("<!DOCTYPE html>") && html.includes("ran out of memory") && !html.includes("id=\"kept\""),
    "the page is kept", html.slice(0, 200));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#tools button:has-text('Copy as Markdown')");
  await page.waitForSelector("#tools button:has-text('Copied')");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  ok(text.includes("ran out of memory"), "Markdown is copied", text.slice(0, 200));
}

async function uploads(browser) {
  for (const packed of [false, true]) {
    const { context, page } = await open(browser, {});
    const bytes = fs.readFileSync(log);
    await page.setInputFiles("#file", packed
      ? { name: "run.log.gz", mimeType: "application/gzip", buffer: zlib.gzipSync(bytes) }
      : { name: "run.log", mimeType: "text/plain", buffer: bytes });
    await page.click(".ask-log button[type=submit]");
    const name = packed ? "upload of .gz" : "upload of .log";
    await answered(page, "ran out of memory", name);
    await page.goBack({ waitUntil: "commit" });
    await page.waitForSelector("#file");
    await page.click(".ask-log button[type=submit]");
    await answered(page, "ran out of memory", `${name}: back, the file is still chosen`);
    await context.close();
  }
  const { context, page, trouble } = await open(browser, {});
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "dropped.log", { type: "text/plain" }));
    return transfer;
  }, fs.readFileSync(log, "utf8"));
  await page.dispatchEvent("body", "dragenter", { dataTransfer: data });
  ok(await page.evaluate(() => document.body.classList.contains("drop")), "a file over the page is welcomed", "no sign");
  await looked(page, "drop");
  await page.dispatchEvent("h1", "drop", { dataTransfer: data });
  await answered(page, "ran out of memory", "a dropped file");
  ok((await page.textContent("main")).includes("dropped.log"), "a dropped file: its name", "it is not there");
  ok(trouble.length === 0, "a dropped file: no error", trouble.join("\n"));
  await context.close();
}

/* Too long a text for a box is sent as a file, beside what was chosen. */
async function pastesMuch(browser) {
  const { context, page, trouble } = await open(browser, {});
  const paste = (text) => page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    return document.getElementById("log").dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  ok(await paste("epoch 1\n"), "a short paste is the box's", "it was taken");
  await page.setInputFiles("#file", { name: "other.log", mimeType: "text/plain", buffer: Buffer.from("epoch 1\n") });
  const taken = !await paste("epoch 1\n".repeat(2500000) + fs.readFileSync(log, "utf8"));
  ok(taken && await page.inputValue("#log") === "", "a paste of 20 MB does not go into the box", "it does");
  ok((await page.textContent(".ask-log output")).includes("as a file"), "a paste of 20 MB: it is said", "it is not");
  const names = await page.evaluate(() => Array.from(document.getElementById("file").files).map((file) => file.name).join(" "));
  ok(names === "other.log pasted.log", "a paste of 20 MB: beside the other file", names);
  await page.click(".ask-log button[type=submit]");
  await answered(page, "ran out of memory", "a paste of 20 MB");
  ok(trouble.length === 0, "a paste of 20 MB: no error", trouble.join("\n"));
  await context.close();
}

/* On a slow line the upload tells how far it is. */
async function progresses(browser) {
  const { context, page } = await open(browser, {});
  const session = await context.newCDPSession(page);
  await session.send("Network.emulateNetworkConditions",
    { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400000 });
  const bytes = Buffer.concat([fs.readFileSync(log), Buffer.alloc(1000000, "epoch 1 of a long log\n")]);
  await page.setInputFiles("#file", { name: "run.log", mimeType: "text/plain", buffer: bytes });
  await page.click(".ask-log button[type=submit]", { noWaitAfter: true });
  const seen = await page.waitForFunction(() => {
    const bar = document.querySelector("output progress");
    return bar && bar.value > 0 && bar.value < 1;
  }, null, { timeout: 20000, polling: 20 }).then(() => true, () => false);
  ok(seen, "an upload tells how far it is", "no bar between its ends");
  ok(!seen || await page.locator(".ask-log button[type=submit]").isDisabled(), "an upload: nobody sends it twice", "it can be");
  await looked(page, "upload");
  await answered(page, "ran out of memory", "an upload on a slow line");
  await context.close();
}

async function examples(browser) {
  const { context, page } = await open(browser, {});
  await page.click("text=unet-fragmented.log");
  await answered(page, "ran out of memory", "an example");
  await context.close();
}

async function plans(browser) {
  const { context, page, trouble } = await open(browser, {});
  await page.fill("#model", fs.readFileSync(path.join(samples, "models/keras-birds.txt"), "utf8"));
  await page.fill("#plan-device", "rtx3090");
  await page.fill("#plan-batch", "32");
  await page.selectOption("#precision", "amp_fp16");
  await page.selectOption("#optimizer", "adam");
  await page.click(".ask-plan button[type=submit]");
  await answered(page, "Fits RTX 3090", "the planner");
  await looked(page, "planned");
  await fine(page, "the planner");
  ok(trouble.length === 0, "the planner: loads nothing, no error", trouble.join("\n"));
  await context.close();
}

async function others(browser) {
  const { context, page } = await open(browser, {});
  const answer = await context.request.post(address, {
    headers: { Accept: "application/json" },
    multipart: { file: { name: "a.log", mimeType: "text/plain", buffer: fs.readFileSync(log) } },
  });
  const report = await answer.json();
  ok(answer.status() === 200 && report.diagnosis[0].cause === "fragmented", "JSON", JSON.stringify(report).slice(0, 200));
  const health = await context.request.get(`${address}healthz`);
  ok(health.status() === 200 && await health.text() === "ok\n", "healthz", health.status());
  await page.selectOption("#format", "json");
  await page.fill("#log", "epoch 1");
  await page.click(".ask-log button[type=submit]");
  await page.waitForFunction(() => document.body.textContent.includes("oomdoctor.report/1"));
  ok(true, "JSON by the form");
  await page.goto(address);
  await page.fill("#log", "x");
  await page.fill("#batch", "many");
  await page.click(".ask-log button[type=submit]");
  await told(page, "batch is a whole number", "a mistake is explained");
  ok(await page.inputValue("#log") === "x" && await page.inputValue("#batch") === "many",
    "a mistake: what was filled in is still there", "it is not");
  await looked(page, "mistake");
  await fine(page, "a mistake");
  await page.goto(address);
  await page.click(".ask-log button[type=submit]");
  await told(page, "no log was sent", "an empty form is explained");
  await page.fill("#log", "epoch 1");
  await page.click(".ask-log button[type=submit]");
  await page.waitForSelector(".answer h1");
  ok(true, "an empty form: then it is filled in");
  await context.close();
}

/* The median of what a person waits for a log of 100 KB, from the click to the report. */
async function times(browser) {
  const text = fs.readFileSync(path.join(samples, "two-gpu-benchmark-survives.log"), "utf8");
  const bytes = Buffer.from(text.repeat(Math.ceil(100000 / text.length)).slice(0, 100000));
  const { context, page } = await open(browser, {});
  const took = [];
  for (let i = 0; i < 9; i += 1) {
    await page.goto(address);
    await page.setInputFiles("#file", { name: "run.log", mimeType: "text/plain", buffer: bytes });
    const start = performance.now();
    await page.click(".ask-log button[type=submit]");
    await page.waitForSelector(".answer h1");
    took.push(performance.now() - start);
  }
  took.sort((a, b) => a - b);
  console.log(`# ${server}: a log of ${bytes.length} bytes, from click to report: median ${took[4].toFixed(0)} ms, worst ${took[8].toFixed(0)} ms`);
  await context.close();
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
try {
  await looks(browser);
  await pastes(browser, true);
  await pastes(browser, false);
  await uploads(browser);
  await progresses(browser);
  await pastesMuch(browser);
  await examples(browser);
  await plans(browser);
  await others(browser);
  await keyboard(browser);
  await prints(browser);
  await narrows(browser);
  await times(browser);
} catch (error) {
  ok(false, "the browser went through", error.stack);
}
await browser.close();
process.exit(failed === 0 ? 0 : 1);
