// The studio in a real browser, in front of the real server; what its tests do with it.
// FUGU is the program; screenshots are kept in FUGU_SCREENSHOTS.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { axeSource, launch } from "./browser.mjs";

export const program = process.env.FUGU;
const schemas = fileURLToPath(new URL("../support/schemas.py", import.meta.url));
export const root = mkdtempSync(join(tmpdir(), "fugu-studio-test-"));
let browser;
let places = 0;

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(root, { recursive: true, force: true });
});

// A browser that shares nothing with the others.
export const stranger = (options = {}) => browser.newContext(options);

export const fugu = (folder, ...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8" });

// Starts a studio in a fresh folder and calls `look` with a page that has arrived there. Fails on any request that leaves
// it, unless the test itself does, on anything the browser complains of, and on a file that is not as its schema says, but for those
// that are the test's own. The cards are unfolded, unless the test is about
// them; a test that ends the studio itself lets it die.
export async function studio(words, files, options, look, { leaves = false, own = [], folded = false, dies = false } = {}) {
  const folder = join(root, String(++places));
  execFileSync("mkdir", [folder]);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const server = spawn(program, ["studio", "--no-browser", ...words], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done) => server.stdout.once("data", (text) => done(String(text).trim())));
  const origin = new URL(address).origin;
  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 }, acceptDownloads: true, ...options });
  try {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    const page = await context.newPage();
    const requests = [], complaints = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(address);
    await page.waitForSelector("#field-table", { state: "attached" });
    if (!folded) await unfold(page);
    await look(page, { folder, address, origin, context, server });
    if (!dies) assert.deepEqual(complaints, []);
    execFileSync("/usr/bin/python3", ["-B", schemas, folder, ...Object.keys(files), ...own]);
    if (!leaves) assert.deepEqual(requests.filter((url) => !url.startsWith(address)), []);
  } finally {
    await context.close();
    const ended = server.exitCode === null ? new Promise((done) => server.once("exit", done)) : Promise.resolve(server.exitCode);
    server.kill("SIGTERM");
    assert.equal(await ended, 0);
  }
}

// Every card, and the whole plan.
export const unfold = (page) => page.evaluate(() => document.querySelectorAll("details.card, #whole-plan").forEach((one) => (one.open = true)));

// A file dropped on its place.
export async function drop(page, name, text) {
  const data = await page.evaluateHandle(([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    return data;
  }, [name, text]);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: data });
}

export const choose = (page, column, role) => page.selectOption(`select[data-column="${column}"]`, role);
export const method = (page, name) => page.locator(`tr[data-method="${name}"]`);
export const released = (page, text) => page.locator(".released", { hasText: text }).first();
export const errorOf = async (page, name) => (await method(page, name).locator("td.error").textContent()).trim();
export const words = (page, text) => page.waitForFunction((text) => document.getElementById("words")?.textContent.includes(text), text);

export async function download(page, link) {
  const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

export async function accessible(page) {
  await page.evaluate(readFileSync(axeSource, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
}

// Nothing stands beyond the right edge.
export async function fits(page) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
}

export const GRADES = "union,grade\n" + [["yes", [3, 4, 5, 6, 3, 4, 5]], ["no", [4, 5, 6, 7, 4, 5, 6]]]
  .flatMap(([union, grades]) => grades.map((grade) => `${union},${grade}\n`)).join("");

export async function openGrades(page, table = GRADES) {
  await drop(page, "grades.csv", table);
  await choose(page, "union", "secret");
  await choose(page, "grade", "public");
  await method(page, "exact").waitFor({ state: "attached" });
}

// What the plan's parts say of themselves, and whether anything of them can be taken.
export const standing = (page) => page.evaluate(() => {
  const said = (place) => document.querySelector(place).dataset.standing ?? "";
  const takers = [...document.querySelectorAll("#the-plan .download, #the-plan button:not([data-advice]), #the-methods button, #in-methods .command button, #release, [aria-label='Copy the command to release']")];
  const isOff = (one) => one.getAttribute("aria-disabled") === "true" && (one.localName === "a" ? !one.hasAttribute("href") : one.disabled);
  const isOn = (one) => one.getAttribute("aria-disabled") !== "true" && (one.localName === "a" ? one.hasAttribute("href") : !one.disabled);
  return {
    said: [...new Set([said("#the-plan"), said("#the-methods"), said("#plot-of-loss"), said("#plot-of-noise"), said("div:has(> #command-release)")])],
    takers: takers.length,
    off: takers.every(isOff),
    on: takers.every(isOn),
  };
});
