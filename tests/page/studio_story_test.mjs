// The whole story on a table of eight columns: roles in the grid, advice that is pressed, a promise, a plan with progress, a
// preview, a release; by mouse, by keyboard alone, on a phone and in the dark. It is the Adult table where that is there, else
// one like it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { screenshots } from "./browser.mjs";
import { accessible, choose, fits, fugu, openGrades, released, stranger, studio, words } from "./studio.mjs";

const ADULT = fileURLToPath(new URL("../../../shared/data/adult/adult.data", import.meta.url));
const NAMES = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,capital-loss,hours-per-week,native-country,income";
const RELEASED = ["workclass", "education-num", "marital-status", "occupation", "relationship", "income"];

function likeAdult() {
  const pick = (list, k) => list[k % list.length];
  const rows = Array.from({ length: 6000 }, (_, k) => [
    20 + (k % 50), k % 40 === 7 ? "?" : pick(["Private", "State-gov", "Self-emp"], k * 7 + (k % 5)), 10_000 + ((k * 7919) % 5000), "HS-grad", 9 + ((k * k) % 4),
    pick(["Married", "Divorced", "Never-married"], k * 5 + (k % 4)), pick(["Sales", "Craft", "Clerical", "Tech"], (k % 7) * 3 + (k % 2)), pick(["Husband", "Wife", "Own-child"], (k % 11) + (k % 2)),
    pick(["White", "Black"], (k % 5) * (k % 3)), pick(["Male", "Female"], k % 3), 0, 0, 40, "United-States", k % 4 === 0 ? ">50K" : "<=50K",
  ]);
  return [NAMES, ...rows.map(String)].join("\n") + "\n";
}
const TABLE = existsSync(ADULT) ? `${NAMES}\n${readFileSync(ADULT, "utf8").replaceAll(", ", ",").trim()}\n` : likeAdult();

const planned = (page) => page.locator("#release:enabled").waitFor({ timeout: 240_000 });

// Moves on by Tab until the keyboard is there.
async function tabTo(page, selector) {
  for (let presses = 0; presses < 400; ++presses) {
    if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

test("eight columns: by mouse, then by keyboard alone, on a phone and in the dark", { timeout: 580_000 }, async (t) => {
  await studio(["adult.csv"], { "adult.csv": TABLE }, {}, async (page, { folder, address, context }) => {
    // By mouse.
    await page.getByText(/[\d,]+ rows, 15 columns\./).waitFor();
    assert.equal(await page.locator(".grid tbody tr").count(), 8);
    await accessible(page);
    await page.screenshot({ path: join(screenshots, "story-opened.png") });
    for (const column of RELEASED) await page.getByLabel(`Choose ${column}`, { exact: true }).check();
    await page.selectOption("#role-of-chosen", "public");
    await choose(page, "sex", "secret");
    await choose(page, "race", "secret");
    const advice = page.locator("[data-advice=\"--na '?' --missing keep\"]");
    await advice.waitFor();
    await accessible(page);
    await page.screenshot({ path: join(screenshots, "story-advice.png") });
    await page.getByText("Optimal methods").click();
    await page.fill("#field-time-limit", "3");
    let began = Date.now();
    await advice.click();
    await words(page, "A 50 % belief in any secret becomes at most 62.3 %.");
    t.diagnostic(`eight columns: the first answer after ${Date.now() - began} ms`);
    assert.equal(await page.inputValue("#field-na"), "?");
    await page.locator("#making progress, #release:enabled").first().waitFor({ timeout: 60_000 });
    t.diagnostic(`eight columns: progress or the plan after ${Date.now() - began} ms`);
    await page.screenshot({ path: join(screenshots, "story-planning.png") });
    await planned(page);
    t.diagnostic(`eight columns: the plan after ${Date.now() - began} ms`);
    assert.equal(await page.locator(".wrong:not(:empty)").count(), 0);
    await page.locator(".preview .sample").waitFor({ timeout: 60_000 });
    await page.locator("#voice", { hasText: "62.3 %" }).waitFor({ state: "attached" });
    await page.locator("#history-list li").waitFor({ state: "attached" });
    await accessible(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: join(screenshots, "story.png"), fullPage: true, clip: { x: 0, y: 0, width: 1360, height: 1700 } });
    await page.screenshot({ path: join(screenshots, "story-whole.png"), fullPage: true });
    await page.fill("#field-output", "out.csv");
    await planned(page);
    await page.click("#release");
    await released(page, "to out.csv.").waitFor({ timeout: 60_000 });
    assert.equal(readFileSync(join(folder, "out.csv"), "utf8").split("\n")[0], RELEASED.join(","));
    fugu(folder, "verify", "out.csv.plan.json");
    const digest = JSON.parse(readFileSync(join(folder, "out.csv.plan.json"), "utf8")).digest;
    await page.locator("#in-history").evaluate((one) => (one.closest("details").open = true));
    assert.deepEqual(await page.locator("#history-list code").allTextContents(), [digest, digest]);
    await accessible(page);
    await page.screenshot({ path: join(screenshots, "story-released.png"), fullPage: true });
    await page.close();

    // By keyboard alone, on a page of its own: the plan is the one that was made.
    const keys = await context.newPage();
    await keys.goto(address);
    await keys.getByText(/[\d,]+ rows, 15 columns\./).waitFor();
    for (const column of RELEASED) {
      await tabTo(keys, `[aria-label="Choose ${column}"]`);
      await keys.keyboard.press("Space");
    }
    await keys.keyboard.press("Shift+Tab");
    await keys.evaluate(() => document.activeElement.blur());
    await tabTo(keys, "#role-of-chosen");
    await keys.keyboard.type("rel");
    for (const secret of ["race", "sex"]) {
      await tabTo(keys, `select[data-column="${secret}"]`);
      await keys.keyboard.type("sec");
    }
    await keys.locator("[data-advice]").first().waitFor();
    await keys.evaluate(() => document.activeElement.blur());
    await tabTo(keys, "[data-advice=\"--na '?' --missing keep\"]");
    await keys.keyboard.press("Enter");
    await tabTo(keys, "#in-more details.group:last-child > summary");
    await keys.keyboard.press("Enter");
    await tabTo(keys, "#field-time-limit");
    await keys.keyboard.type("3");
    began = Date.now();
    await planned(keys);
    t.diagnostic(`the same plan again, from the history: ${Date.now() - began} ms`);
    await keys.evaluate(() => document.activeElement.blur());
    await tabTo(keys, "#field-output");
    await keys.keyboard.press("Control+A");
    await keys.keyboard.type("keys.csv");
    await keys.locator("#command-release", { hasText: "-o keys.csv" }).waitFor();
    await planned(keys);
    await tabTo(keys, "#release");
    await keys.keyboard.press("Enter");
    await released(keys, "to keys.csv.").waitFor({ timeout: 60_000 });
    await keys.waitForFunction(() => document.activeElement.id === "release"); // the keyboard comes back
    assert.equal(JSON.parse(readFileSync(join(folder, "keys.csv.plan.json"), "utf8")).digest, digest, "nothing was solved again");
    await accessible(keys);
    await keys.screenshot({ path: join(screenshots, "story-keyboard.png") });
    const setting = new URL(keys.url()).hash;

    // On a phone: what was set comes with the address.
    const phone = await stranger({ viewport: { width: 390, height: 844 } });
    const small = await phone.newPage();
    await small.goto(address + setting);
    await planned(small);
    await small.waitForTimeout(600);
    await fits(small);
    await accessible(small);
    const places = await small.evaluate(() => ["#words", "#the-plan", "#release"].map((one) => Math.round(document.querySelector(one).getBoundingClientRect().bottom + scrollY)));
    t.diagnostic(`on a phone the promise ends at ${places[0]} px, the plan at ${places[1]} px, the button at ${places[2]} px`);
    assert.ok(places[0] < 300 && places[2] < 1800, String(places));
    await small.screenshot({ path: join(screenshots, "story-phone.png") });
    await small.screenshot({ path: join(screenshots, "story-phone-whole.png"), fullPage: true });
    await phone.close();

    // In the dark.
    const night = await stranger({ viewport: { width: 1360, height: 1000 }, colorScheme: "dark" });
    const dark = await night.newPage();
    await dark.goto(address + setting);
    await planned(dark);
    await dark.locator(".preview .sample").waitFor({ timeout: 60_000 });
    await accessible(dark);
    await dark.screenshot({ path: join(screenshots, "story-dark.png") });
    await night.close();
  }, { folded: true, own: ["out.csv.plan.json", "keys.csv.plan.json"] }); // plans of so many flows take minutes to hold against a schema
});

test("one column follows epsilon", async (t) => {
  await studio([], {}, {}, async (page) => {
    await openGrades(page);
    await page.locator("#release:enabled").waitFor();
    const times = [];
    for (const epsilon of ["0.6", "0.7", "0.8", "0.9", "1.1"]) {
      times.push(await page.evaluate((epsilon) => new Promise((done) => {
        const field = document.getElementById("field-epsilon"), button = document.getElementById("release"), begin = performance.now();
        field.value = epsilon;
        field.dispatchEvent(new Event("input", { bubbles: true }));
        new MutationObserver((_, observer) => button.disabled || (observer.disconnect(), done(performance.now() - begin))).observe(button, { attributes: true });
      }), epsilon));
    }
    t.diagnostic(`one column: from a moved epsilon to the new plan ${times.map((one) => Math.round(one)).join(", ")} ms`);
  }, { folded: true });
});
