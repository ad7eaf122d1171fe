/*
 * The pictures of README.md: the page and the terminal, of one sample. Given: oomdoctor, the sample,
 * the folder to write to. CHROMIUM names the browser.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const [program, sample, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "pictures-"));
const run = (...options) => execFileSync(program, ["analyze", "--exit-zero", ...options, path.basename(sample)],
  { cwd: path.dirname(sample), encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8", COLUMNS: "90" } });
const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

run("-q", "-o", `html:${work}/page.html`);
const said = run("--color", "never");
fs.writeFileSync(`${work}/terminal.html`, `<!DOCTYPE html><meta charset="utf-8"><style>
body{margin:0;background:#15181c;color:#e6e8eb}
pre{display:inline-block;margin:0;padding:14px 18px;font:14px/1.25 "DejaVu Sans Mono",monospace}
b{color:#7fd6a5;font-weight:400}</style><pre><b>$ oomdoctor ${path.basename(sample)}</b>
${escape(said)}</pre>`);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1180, height: 700 }, colorScheme: "light" });
await page.goto(`file://${work}/page.html`);
await page.screenshot({ path: path.join(folder, "page.png") });
await page.goto(`file://${work}/terminal.html`);
await page.locator("pre").screenshot({ path: path.join(folder, "terminal.png") });
await browser.close();
fs.rmSync(work, { recursive: true });
