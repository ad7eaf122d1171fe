/*
 * What a person waits for: from `oomdoctor serve` to the report of a log of 100 KB in the browser,
 * which is open already. Given: oomdoctor, oomdoctor.cgi, the folder of the samples. CHROMIUM names
 * the browser. Prints the median; nothing here fails for being slow.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { chromium } from "playwright-core";

const [program, cgi, samples] = process.argv.slice(2);
const RUNS = 11;

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/* The address, as it prints it. */
function serve(port) {
  const child = spawn(program, ["serve", "--port", String(port), "--cgi", cgi], { stdio: ["ignore", "pipe", "ignore"] });
  const ready = new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data).trim()));
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
  });
  return { child, ready };
}

/* Milliseconds to the address, to the form, and to the report. */
async function once(browser, log) {
  const port = await freePort();
  const page = await browser.newPage();
  const start = performance.now();
  const { child, ready } = serve(port);
  const address = await ready;
  const served = performance.now();
  await page.goto(address);
  const shown = performance.now();
  await page.setInputFiles("#file", { name: "run.log", mimeType: "text/plain", buffer: log });
  await page.click(".ask-log button[type=submit]");
  await page.waitForSelector(".answer h1");
  const answered = performance.now();
  const figures = await page.locator(".answer img").count();
  await page.close();
  const ended = new Promise((resolve) => { child.once("exit", resolve); });
  child.kill("SIGINT");
  await ended;
  return { served: served - start, shown: shown - start, answered: answered - start, figures };
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)].toFixed(0);
}

function logOf(name, size) {
  const text = fs.readFileSync(path.join(samples, name), "utf8");
  return Buffer.from(text.repeat(Math.ceil(size / text.length)).slice(0, size));
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
for (const name of ["two-gpu-benchmark-survives.log", "unet-fragmented.log"]) {
  const log = logOf(name, 100000);
  const took = [];
  for (let i = 0; i < RUNS; i += 1) took.push(await once(browser, log));
  const of = (key) => median(took.map((t) => t[key]));
  console.log(`# from oomdoctor serve to the report in the browser, 100 KB of ${name}, ${took[0].figures} figures: `
    + `median ${of("answered")} ms (it serves after ${of("served")}, the form is shown after ${of("shown")})`);
}
await browser.close();
