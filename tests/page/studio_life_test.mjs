// What happens around a page: two of them, one that is loaded again or killed, a studio that is started again, a file that is
// replaced, an upload that is given up.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { screenshots } from "./browser.mjs";
import { GRADES, accessible, choose, drop, openGrades, program, released, studio, words } from "./studio.mjs";

const planned = (page) => page.locator("#release:enabled").waitFor();
const remembered = (page, text) => page.waitForFunction((text) => location.hash.includes(text), text);

// Numbers on which a plan by a linear programme takes long.
const SLOW = "s,x\n" + ["a", "b"].flatMap((s) => Array.from({ length: s === "a" ? 900 : 700 }, (_, x) => `${s},${(x * 7919) % 1201}\n`)).join("");

test("a page that is loaded again loses nothing, a dropped table neither", async () => {
  await studio([], {}, {}, async (page) => {
    await openGrades(page);
    await page.selectOption("select[data-kind=grade]", "number");
    await page.fill("#field-epsilon", "2");
    await page.locator("#method-relaxed-laplace").check();
    await page.locator("#chosen-method", { hasText: "relaxed" }).waitFor();
    await page.fill("#field-output", "mine.csv");
    await planned(page);
    await remembered(page, "mine.csv");
    const digest = await page.locator("#history-list code").first().textContent();
    assert.doesNotMatch(page.url(), /grades|yes/, "an address holds names of columns and settings alone");
    await page.reload();
    await words(page, "88.1 %");
    await planned(page);
    assert.equal(await page.inputValue("#field-epsilon"), "2");
    assert.equal(await page.inputValue("#field-output"), "mine.csv");
    assert.equal(await page.inputValue("select[data-kind=grade]"), "number");
    assert.equal(await page.textContent("#chosen-method"), "relaxed");
    await page.locator("#in-history").evaluate((one) => (one.closest("details").open = true));
    await page.locator("#history-list code").first().waitFor();
    assert.ok((await page.locator("#history-list code").allTextContents()).includes(digest));
    assert.equal(await page.locator(".wrong:not(:empty)").count(), 0);
  });
});

test("the history leads back to a plan, which is shown as it was", async () => {
  await studio([], {}, {}, async (page, { folder }) => {
    await openGrades(page);
    await planned(page);
    await page.locator("#history-list li", { hasText: "epsilon 0.5" }).waitFor();
    await page.fill("#field-epsilon", "2");
    await page.locator("#history-list li", { hasText: "epsilon 2" }).waitFor();
    await accessible(page);
    const old = await page.locator("#history-list li", { hasText: "epsilon 0.5" }).locator("code").textContent();
    await page.getByRole("button", { name: /^Back to this: epsilon 0\.5/ }).click();
    await words(page, "62.3 %");
    await planned(page);
    assert.equal(await page.inputValue("#field-epsilon"), "0.5");
    await page.fill("#field-output", "out.csv");
    await planned(page);
    await page.click("#release");
    await released(page, "Released 14 rows to out.csv.").waitFor();
    assert.equal(JSON.parse(readFileSync(join(folder, "out.csv.plan.json"), "utf8")).digest, old);
    await page.locator("#history-list li[data-kind=release]", { hasText: "Released 14 rows to out.csv." }).waitFor();
    await page.screenshot({ path: join(screenshots, "studio-history.png"), fullPage: true });
  });
});

test("two people in two tabs keep out of each other's way, and see the same history", async () => {
  await studio(["grades.csv"], { "grades.csv": GRADES }, {}, async (page, { address, context, folder }) => {
    const other = await context.newPage();
    await other.goto(address);
    for (const [one, epsilon] of [[page, "1"], [other, "2"]]) {
      await choose(one, "union", "secret");
      await choose(one, "grade", "public");
      await planned(one);
      await one.fill("#field-epsilon", epsilon);
      await one.fill("#field-output", "out.csv");
    }
    for (const one of [page, other]) await planned(one);
    await words(page, "73.2 %");
    await words(other, "88.1 %");
    await page.click("#release");
    await released(page, "Released 14 rows to out.csv.").waitFor();
    await other.click("#release");
    await other.locator("#wrong-output", { hasText: "the file exists" }).waitFor();
    await other.fill("#field-output", "other.csv");
    await other.locator("#command-release", { hasText: "-o other.csv" }).waitFor();
    await planned(other);
    await other.click("#release");
    await released(other, "Released 14 rows to other.csv.").waitFor();
    const epsilons = ["out.csv", "other.csv"].map((name) => JSON.parse(readFileSync(join(folder, `${name}.plan.json`), "utf8")).guarantee.epsilon);
    assert.deepEqual(epsilons, [1, 2]);
    await other.locator("#history-list li[data-kind=release]").nth(1).waitFor({ state: "attached" });
    assert.deepEqual((await other.locator("#history-list li[data-kind=release] strong").allTextContents()).sort(), ["Released 14 rows to other.csv.", "Released 14 rows to out.csv."]);
  });
});

test("a studio that is started again says so, and what was set waits for its table", async () => {
  await studio([], {}, {}, async (page, { address, server, folder, context }) => {
    await openGrades(page);
    await planned(page);
    await page.fill("#field-epsilon", "2");
    await remembered(page, "epsilon=2");
    await planned(page);
    const gone = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await gone;
    await page.fill("#field-epsilon", "1");
    await page.locator("#wrong-page", { hasText: "the studio does not answer" }).waitFor();
    assert.ok(await page.locator("#release").isDisabled());
    assert.equal(await page.inputValue("#field-epsilon"), "1", "nothing that was typed is lost");
    await remembered(page, "epsilon=1");

    const again = spawn(program, ["studio", "--no-browser", "--port", new URL(address).port], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const fresh = await new Promise((done) => again.stdout.once("data", (text) => done(String(text).trim())));
      await page.fill("#field-epsilon", "1.5");
      await page.locator("#wrong-page", { hasText: "this address is no longer the studio's" }).waitFor();
      await remembered(page, "epsilon=1.5");
      const next = await context.newPage();
      await next.goto(fresh + new URL(page.url()).hash);
      await next.locator("#wrong-table", { hasText: "the table is no longer here" }).waitFor();
      await accessible(next);
      await drop(next, "grades.csv", GRADES);
      await planned(next);
      assert.equal(await next.inputValue("#field-epsilon"), "1.5");
      assert.equal(await next.inputValue("select[data-column=union]"), "secret");
    } finally {
      again.kill("SIGTERM");
    }
  }, { folded: true, dies: true });
});

test("work of a tab that is killed holds nobody up, and nothing of it is written", async () => {
  await studio(["slow.csv"], { "slow.csv": SLOW }, {}, async (page, { address, context, folder }) => {
    const killed = await context.newPage();
    await killed.goto(address);
    await choose(killed, "s", "secret");
    await choose(killed, "x", "public");
    await killed.locator("#the-methods").waitFor({ state: "attached" });
    await killed.evaluate(() => (document.getElementById("methods").closest("details").open = true));
    await killed.locator("#release:enabled, #making progress").first().waitFor();
    const session = await context.newCDPSession(killed);
    const crashed = killed.waitForEvent("crash");
    void session.send("Page.crash").catch(() => {});
    await crashed;
    await drop(page, "grades.csv", GRADES);
    await choose(page, "union", "secret");
    await choose(page, "grade", "public");
    await planned(page);
    await page.click("#release");
    await released(page, "Released 14 rows").waitFor();
    assert.ok(!existsSync(join(folder, "slow-x-released.csv")));
  }, { folded: true });
});

test("a plan that takes long can be stopped, and gone on with", async () => {
  await studio(["slow.csv"], { "slow.csv": SLOW }, {}, async (page) => {
    await page.locator("#field-output").waitFor({ state: "attached" });
    await choose(page, "s", "secret");
    await choose(page, "x", "public");
    await planned(page);
    await page.evaluate(() => (location.hash = `${location.hash}&plan.method=channel&plan.time-limit=60`));
    await page.click("#making-stop");
    await page.getByText("Stopped: there is no plan for these fields yet.").waitFor();
    assert.ok(await page.locator("#release").isDisabled());
    await accessible(page);
    await page.click("#making-again");
    await page.locator("#making-stop").waitFor();
    await page.fill("#field-epsilon", "0.6");
    await page.locator("#command-compare", { hasText: "--epsilon 0.6" }).waitFor({ state: "attached" });
  }, { folded: true });
});

test("a file that is replaced meanwhile is read again, with other columns too", async () => {
  await studio(["grades.csv"], { "grades.csv": GRADES }, {}, async (page, { folder }) => {
    await choose(page, "union", "secret");
    await choose(page, "grade", "public");
    await planned(page);
    writeFileSync(join(folder, "grades.csv"), `${GRADES.replace("yes,3", "yes,5")}yes,3\n`);
    await page.click("#release");
    await page.locator("#wrong-output", { hasText: "the plan that was shown can no longer be released" }).waitFor();
    await page.locator(".grid tbody tr:first-child td", { hasText: /^5$/ }).waitFor();
    await page.getByText("15 rows, 2 columns.").waitFor();
    writeFileSync(join(folder, "grades.csv"), GRADES.replace("grade", "mark"));
    await page.fill("#field-epsilon", "1");
    await page.locator(".wrong", { hasText: "grade" }).first().waitFor();
    assert.ok(await page.locator("#release").isDisabled());
    assert.ok(!existsSync(join(folder, "grades-grade-released.csv")));
  }, { folded: true });
});

test("an upload can be given up", async () => {
  await studio([], {}, {}, async (page) => {
    await page.route("**/api/upload?name=large.csv", () => undefined); // never arrives
    await drop(page, "large.csv", GRADES);
    await page.locator("#cancel-upload").click();
    await page.getByText("large.csv was not uploaded.").waitFor();
    await accessible(page);
    await drop(page, "grades.csv", GRADES);
    await page.getByText("grades.csv is open.").waitFor();
  }, { folded: true });
});
