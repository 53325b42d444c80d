// Tables that are too large to show whole: thousands of secrets, a hundred thousand categories, hundreds of columns. The page
// stays small, says at once what is wrong with them, and can be used meanwhile.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { screenshots } from "./browser.mjs";
import { accessible, choose, studio } from "./studio.mjs";

const MOST_BYTES = 200e6; // of the page's process, beyond what it shares with others

// The largest page's own memory.
async function memory(context) {
  const session = await context.browser().newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
    return 1024 * [.../^(?:Private_Clean|Private_Dirty): +(\d+) kB$/gm[Symbol.matchAll](text)].reduce((sum, [, kib]) => sum + Number(kib), 0);
  }));
}

async function advised(t, file, table, column, says) {
  await studio([file], { [file]: table }, {}, async (page, { context }) => {
    await page.getByText(/[\d,]+ rows, 2 columns\./).waitFor();
    await choose(page, "s", "secret");
    const begun = Date.now();
    await choose(page, column, "public");
    await page.locator("#size-advice", { hasText: says }).waitFor();
    t.diagnostic(`advice after ${Date.now() - begun} ms`);
    await page.locator("#comparing-stop").waitFor();
    await accessible(page);
    await page.screenshot({ path: join(screenshots, `large-${file}.png`) });
    const used = await memory(context);
    t.diagnostic(`the page has ${Math.round(used / 1e6)} MB`);
    assert.ok(used < MOST_BYTES, String(used));
    await page.click("#comparing-stop");
    await page.locator("#comparing-again").waitFor();
    assert.ok(await page.locator("#field-epsilon").isHidden() || (await page.locator("#release").isDisabled()));
    await accessible(page);
  }, { folded: true });
}

test("five thousand secrets", async (t) => {
  const rows = Array.from({ length: 5000 }, (_, s) => Array.from({ length: 6 }, (_, k) => `p${s},${(k * 17 + s * 3) % 100}\n`).join(""));
  await advised(t, "many.csv", `s,x\n${rows.join("")}`, "x", "5,000 different secrets");
});

test("a hundred thousand categories", async (t) => {
  const rows = Array.from({ length: 100_000 }, (_, k) => `a,v${k}\nb,v${k}\n`);
  await advised(t, "texts.csv", `s,c\n${rows.join("")}`, "c", /it points to single people/);
});

test("five hundred columns", async () => {
  const names = Array.from({ length: 500 }, (_, k) => `c${k}`);
  const rows = Array.from({ length: 40 }, (_, r) => names.map((_, k) => (r * (k + 1)) % 4).join(","));
  await studio(["wide.csv"], { "wide.csv": `${[names.join(","), ...rows].join("\n")}\n` }, {}, async (page) => {
    await page.getByText("40 rows, 500 columns.").waitFor();
    assert.equal(await page.locator("select[data-column]").count(), 60);
    await page.fill("#find-column", "c49");
    await choose(page, "c498", "secret");
    await page.fill("#find-column", "c2");
    await choose(page, "c2", "public");
    assert.equal(await page.inputValue("select[data-column=c498]"), "secret", "what has a role stays in sight");
    await page.locator("#release:enabled").waitFor();
    await accessible(page);
  }, { folded: true });
});
