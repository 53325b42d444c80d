// States that the studio must not come into: dimmed for ever, an older table, an old error, an error out of sight, more
// elements than a page bears.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { screenshots } from "./browser.mjs";
import { GRADES, accessible, choose, drop, method, openGrades, released, standing, studio, words } from "./studio.mjs";

const MOST_NODES = 20_000; // of the whole page, with one column and however many secrets

// Numbers on which a recalculation takes a while.
const manyNumbers = (count) => "s,x\n" + Array.from({ length: 2 * count }, (_, k) => `${"ab"[k % 2]},${(k * 7919) % count}\n`).join("");

async function ask(page, name, text) {
  await drop(page, name, text);
  await choose(page, "s", "secret");
  await choose(page, "x", "public");
  await page.locator("#release:enabled").waitFor();
}

// Nothing is dimmed and all is of the epsilon in its field.
async function settled(page) {
  await page.locator("#release:enabled").waitFor();
  const epsilon = await page.inputValue("#field-epsilon");
  await page.locator("#command-calibrate", { hasText: `--epsilon ${epsilon} ` }).waitFor();
  const { on, said } = await standing(page);
  assert.deepEqual([on, said], [true, [""]]);
  assert.equal(await page.locator(".results[aria-busy]").count(), 0);
  assert.ok(await page.locator("p.old").isHidden());
  return epsilon;
}

// Holds requests whose path and body are those wanted; the answer lets them go.
async function hold(page, pattern, isWanted = () => true) {
  let letGo, arrived;
  const free = new Promise((done) => (letGo = done));
  const held = new Promise((done) => (arrived = done));
  await page.route(pattern, async (route) => {
    if (isWanted(route.request())) {
      arrived();
      await free;
    }
    await route.continue().catch(() => {}); // it may be given up by now
  });
  return { held, letGo };
}

const isSeen = (page, selector) => page.locator(selector).evaluate((element) => {
  const { left, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => y >= 0 && y <= innerHeight && element.contains(document.elementFromPoint(left + 8, y)));
});

test("however fast the slider moves, the page ends with the last epsilon and undimmed", async () => {
  await studio([], {}, {}, async (page) => {
    await openGrades(page);
    await page.focus("#slider");
    for (let burst = 0; burst < 20; ++burst) {
      const key = burst % 2 ? "ArrowLeft" : "ArrowRight";
      await Promise.all(Array.from({ length: 5 + burst }, () => page.keyboard.press(key)));
      const value = await page.inputValue("#slider");
      await settled(page);
      assert.equal(await page.inputValue("#slider"), value);
    }
    await page.fill("#field-epsilon", "2");
    assert.equal(await settled(page), "2");
    await words(page, "88.1 %");
  });
});

test("an older request that comes after the newest does not stop it", async () => {
  await studio([], {}, {}, async (page) => {
    await ask(page, "numbers.csv", manyNumbers(30_000));
    const older = await hold(page, "**/api/compare", (request) => request.postDataJSON().question.epsilon === "0.6");
    await page.fill("#field-epsilon", "0.6");
    await older.held;
    const begun = page.waitForResponse((response) => response.url().endsWith("/api/compare") && response.request().postDataJSON().question.epsilon === "0.7");
    await page.fill("#field-epsilon", "0.7");
    assert.equal((await (await begun).json()).state, "running");
    older.letGo();
    await page.screenshot({ path: join(screenshots, "studio-moving.png") });
    assert.equal(await settled(page), "0.7");
  });
});

test("work that is stopped while it is the last that was asked for is done again", async () => {
  await studio([], {}, {}, async (page) => {
    page.setDefaultTimeout(120_000);
    await ask(page, "numbers.csv", manyNumbers(30_000));
    const begun = page.waitForResponse((response) => response.url().endsWith("/api/compare"));
    await page.fill("#field-epsilon", "0.7");
    const { job, state } = await (await begun).json();
    assert.equal(state, "running");
    await page.evaluate((job) => fetch(`api/jobs/${job}`, { method: "DELETE" }), job);
    assert.equal(await settled(page), "0.7");
  });
});

test("of two tables the one that was chosen last is opened, whichever comes first", async () => {
  await studio([], {}, {}, async (page) => {
    const first = await hold(page, "**/api/upload?name=first.csv");
    const gone = page.waitForEvent("requestfailed", (request) => request.url().endsWith("name=first.csv"));
    await drop(page, "first.csv", "one,two\n1,2\n");
    await first.held;
    await drop(page, "second.csv", GRADES);
    await page.getByText("second.csv is open.").waitFor();
    first.letGo();
    assert.equal((await gone).failure().errorText, "net::ERR_ABORTED");
    await choose(page, "union", "secret");
    await choose(page, "grade", "public");
    assert.equal(await settled(page), "0.5");
    await page.getByText("second.csv is open.").waitFor();

    // The same where the look at the first one takes longer.
    const looking = await hold(page, "**/api/inspect", (request) => !request.postDataJSON().question.secret);
    await drop(page, "third.csv", "three,four\n1,2\n");
    await looking.held;
    assert.ok(await page.locator("select[data-column=union]").isHidden(), "what was open is closed");
    await page.unroute("**/api/inspect");
    await drop(page, "fourth.csv", GRADES.replace("grade", "mark"));
    await page.getByText("fourth.csv is open.").waitFor();
    looking.letGo();
    await page.waitForResponse((response) => response.url().endsWith("/api/inspect")).catch(() => {});
    await choose(page, "union", "secret");
    await choose(page, "mark", "public");
    await settled(page);
    assert.equal(await page.locator("select[data-column=three]").count(), 0);
    await page.locator("#command-calibrate", { hasText: "fourth.csv" }).waitFor();
  });
});

test("an error is gone when it is over, and a late one is not shown", async () => {
  await studio([], {}, {}, async (page) => {
    const wrong = page.locator(".wrong:not(:empty)");
    await drop(page, "broken.csv", "a,b\n1,2\n3,4\n5\n");
    await page.locator("#wrong-table", { hasText: "line 4" }).waitFor();
    await drop(page, "grades.csv", GRADES);
    await page.getByText("grades.csv is open.").waitFor();
    assert.equal(await wrong.count(), 0);
    assert.equal(await page.locator("[aria-invalid]").count(), 0);

    await choose(page, "grade", "secret");
    await choose(page, "union", "public");
    await page.getByText("Who must not be told apart").click();
    await page.fill("#field-pairs", "a:b");
    await page.locator("#wrong-pairs", { hasText: "--pairs" }).waitFor();
    await choose(page, "union", "");
    assert.equal(await wrong.count(), 0, "nothing is asked any more");
    await page.fill("#field-pairs", "");
    await choose(page, "grade", "public");
    await choose(page, "union", "secret");
    await settled(page);

    const late = await hold(page, "**/api/compare", (request) => request.postDataJSON().question.epsilon === "-1");
    const answered = page.waitForResponse((response) => response.url().endsWith("/api/compare") && response.request().postDataJSON().question.epsilon === "-1");
    await page.fill("#field-epsilon", "-1");
    await late.held;
    await page.fill("#field-epsilon", "1");
    await settled(page);
    late.letGo();
    await answered;
    await page.waitForTimeout(200);
    assert.equal(await wrong.count(), 0);
    await settled(page);

    await drop(page, "broken.csv", "a,b\n1,2\n3,4\n5\n");
    await page.locator("#wrong-table", { hasText: "line 4" }).waitFor();
    assert.ok(await page.locator("#release").isHidden(), "nothing of the table before stands beside it");
    await page.screenshot({ path: join(screenshots, "studio-broken.png") });
  });
});

test("an error is in sight, whatever is on the screen", async () => {
  await studio([], {}, { viewport: { width: 390, height: 420 } }, async (page) => {
    await openGrades(page);
    await page.fill("#field-epsilon", "0.1");
    await page.getByText("What is promised").click();
    await page.selectOption("#field-promise", "belief");
    await page.fill("#field-output", "out.csv");
    await page.locator("#command-release", { hasText: "-o out.csv" }).waitFor();

    // Typed elsewhere: the page does not move, and shows the way.
    await page.focus("#field-epsilon");
    await page.fill("#field-epsilon", "3");
    await page.locator("#wrong-promise", { hasText: "it says nothing of any secret" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "field-epsilon");
    assert.ok(!(await isSeen(page, "#wrong-promise")));
    assert.ok(await isSeen(page, "#wrong-elsewhere"));
    await accessible(page);
    await page.screenshot({ path: join(screenshots, "studio-elsewhere.png") });
    await page.getByRole("button", { name: "Show where" }).click();
    assert.ok(await isSeen(page, "#wrong-promise"));
    assert.equal(await page.evaluate(() => document.activeElement.id), "field-promise");
    assert.equal(await page.textContent("#wrong-elsewhere"), "");
    await page.selectOption("#field-promise", "odds");
    await page.fill("#field-epsilon", "1");
    await settled(page);

    // After a button: there, with the keyboard.
    await page.click("#release");
    await released(page, "Released 14 rows to out.csv.").waitFor();
    await page.fill("#field-output", "out.csv");
    await page.locator("#command-release", { hasText: "-o out.csv" }).waitFor();
    await page.locator("#release").evaluate((button) => button.scrollIntoView({ block: "start" }));
    assert.ok(!(await isSeen(page, "#field-output")));
    await page.locator("#release").evaluate((button) => (button.focus({ preventScroll: true }), button.click()));
    await page.locator("#wrong-output", { hasText: "the file exists" }).waitFor();
    assert.ok(await isSeen(page, "#wrong-output"));
    assert.equal(await page.evaluate(() => document.activeElement.id), "field-output");
    assert.equal(await page.getAttribute("#wrong-output", "role"), "alert");
  });
});

test(`five thousand secrets make a page of at most ${MOST_NODES} nodes`, async () => {
  const rows = ["s,x\n"];
  for (let s = 0; s < 5000; ++s) for (let k = 0; k < 6; ++k) rows.push(`p${s},${(k * 17 + s * 3) % 100}\n`);
  await studio([], {}, {}, async (page) => {
    await drop(page, "many.csv", rows.join(""));
    await choose(page, "s", "secret");
    await page.getByText("Who must not be told apart").click();
    await page.fill("#field-pairs", "p0:*");
    await choose(page, "x", "public");
    page.setDefaultTimeout(120_000);
    await method(page, "exact").waitFor();
    await page.locator("#plot-of-laws .drawn svg").waitFor();
    await page.locator("#plot-of-laws", { hasText: "4,968 are not shown." }).waitFor();
    const nodes = await page.evaluate(() => {
      const all = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
      let count = 0;
      while (all.nextNode()) ++count;
      return count;
    });
    assert.ok(nodes <= MOST_NODES, `${nodes} nodes`);
    await page.locator("#plot-of-laws").scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(screenshots, "studio-many-secrets.png") });
  });
});
