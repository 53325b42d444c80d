// Debian's Chromium, driven by playwright-core: offline, every request and every complaint of the page kept.
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const fromPage = createRequire(new URL("../../page/package.json", import.meta.url));
const { chromium } = fromPage("playwright-core");

export const axeSource = fromPage.resolve("axe-core/axe.min.js");
export const screenshots = process.env.FUGU_SCREENSHOTS ?? join(process.cwd(), "screenshots");
mkdirSync(screenshots, { recursive: true });

export const launch = () =>
  chromium.launch({
    executablePath: process.env.FUGU_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

// Opens a file in a context of its own and calls `look(page)`. Fails on any request but the file itself, on anything the
// console complains of, and on any violation of the content policy.
export async function open(browser, path, options, look) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  await context.setOffline(true);
  const page = await context.newPage();
  const requests = [], complaints = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`file://${path}`);
  await page.waitForSelector("main section", { timeout: 20000 });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  try {
    return await look(page, { requests, complaints });
  } finally {
    await context.close();
  }
}
