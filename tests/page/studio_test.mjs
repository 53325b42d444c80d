// The studio from a dropped table to a verified plan and a released file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { screenshots } from "./browser.mjs";
import { GRADES, accessible, choose, download, drop, errorOf, fits, fugu, method, openGrades, program, released as releasedNote, root, standing, studio, words } from "./studio.mjs";

test("the demo table, from drop to a verified plan and a released file", async () => {
  const demo = join(root, "demo");
  execFileSync("mkdir", [demo]);
  fugu(demo, "demo");
  const table = readFileSync(join(demo, "fugu-demo", "adult-occupation.csv"), "utf8");
  await studio([], {}, {}, async (page, { folder }) => {
    await page.screenshot({ path: join(screenshots, "studio-start.png") });
    await drop(page, "adult-occupation.csv", table);
    await page.getByText("28,856 rows, 2 columns.").waitFor();
    await choose(page, "race", "secret");
    await page.getByText(/reveals 0\.7\s% of the secret/).waitFor();
    await choose(page, "occupation", "public");
    await words(page, "A 50 % belief in any secret becomes at most 62.3 %.");
    assert.equal(await errorOf(page, "exact"), "0.472");
    await method(page, "channel").waitFor();
    assert.equal(await errorOf(page, "channel"), "0.1482");

    const plan = await download(page, page.getByText("Download the plan"));
    assert.equal(plan.name, "plan.json");
    writeFileSync(join(folder, "downloaded.json"), plan.bytes);
    assert.equal(JSON.parse(fugu(folder, "verify", "downloaded.json", "--format", "json")).verified, true);
    const statement = await download(page, page.locator("#the-plan").getByText("Statement", { exact: true }));
    writeFileSync(join(folder, "statement.json"), statement.bytes);
    const report = await download(page, page.locator("#the-plan").getByText("Report", { exact: true }));
    assert.match(String(report.bytes), /^<!doctype html>/);

    await page.locator("#plot-of-error .drawn svg").waitFor();
    await page.locator("#plot-of-laws .drawn svg").waitFor();
    await accessible(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: join(screenshots, "studio.png") });
    await page.screenshot({ path: join(screenshots, "studio-whole.png"), fullPage: true });

    assert.equal(await page.inputValue("#field-output"), "adult-occupation-occupation-released.csv");
    await page.fill("#field-output", "out.csv");
    await page.locator("#command-release", { hasText: "-o out.csv" }).waitFor();
    await page.click("#release");
    await releasedNote(page, "Released 28,856 rows to out.csv.").waitFor();
    await releasedNote(page, /Releasing again is another draw/).waitFor();
    const released = await download(page, page.locator(".released").getByRole("link", { name: "The released table" }));
    assert.deepEqual(released.bytes, readFileSync(join(folder, "out.csv")));
    const receipt = await download(page, page.locator(".released").getByRole("link", { name: "Receipt" }));
    assert.deepEqual(receipt.bytes, readFileSync(join(folder, "out.csv.receipt.json")));
    assert.equal(String(released.bytes).split("\n").length, 28856 + 2);
    assert.deepEqual(readFileSync(join(folder, "out.csv.plan.json")), plan.bytes, "the release's plan is the one that was shown");
    assert.match(fugu(folder, "estimate", "out.csv", "--statement", "statement.json"), /Craft-repair/);
    await page.locator(".released").scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(screenshots, "studio-released.png") });

    await page.fill("#field-output", "out.csv");
    await page.click("#release");
    await page.locator("#wrong-output", { hasText: "the file exists" }).waitFor();
  });
});

test("a column that is released is not warned of, as one that must not be published", async () => {
  const rows = Array.from({ length: 400 }, (_, k) => `${"ab"[k % 2]},${"ab"[k % 2]}${k % 3},${k % 5}\n`);
  await studio([], {}, {}, async (page) => {
    await drop(page, "proxy.csv", `s,proxy,x\n${rows.join("")}`);
    await page.getByText("400 rows, 3 columns.").waitFor();
    await choose(page, "s", "secret");
    const warning = page.getByText("proxy reveals s: do not publish it next to a release.");
    await warning.waitFor();
    await choose(page, "proxy", "public");
    await warning.waitFor({ state: "detached" });
    await choose(page, "proxy", "");
    await warning.waitFor();
  });
});

test("a whole table: roles in the grid, rows that trade places, a release with the known column as it was", async () => {
  const rows = Array.from({ length: 2400 }, (_, k) => [k % 2 ? "f" : "m", ["north", "south"][k % 3 ? 0 : 1], ["nurse", "driver", "clerk"][(k * 7 + (k % 2) * (k % 5 > 2)) % 3],
    20 + 10 * ((k * k + (k % 2)) % 4)]);
  await studio([], {}, {}, async (page, { folder }) => {
    await drop(page, "people.csv", ["sex,region,job,hours", ...rows.map(String)].join("\n") + "\n");
    await page.getByText("2,400 rows, 4 columns.").waitFor();
    for (const [column, role] of [["sex", "secret"], ["region", "known"], ["job", "public"], ["hours", "public"]]) await choose(page, column, role);
    await page.locator("#summary", { hasText: "several columns trade places as whole rows" }).waitFor();
    await accessible(page);
    await page.screenshot({ path: join(screenshots, "studio-whole-rows.png"), fullPage: true });
    await page.fill("#field-output", "out.csv");
    await page.click("#release");
    await releasedNote(page, "Released 2,400 rows to out.csv.").waitFor();
    const released = readFileSync(join(folder, "out.csv"), "utf8").trim().split("\n");
    assert.equal(released[0], "region,job,hours");
    assert.deepEqual(released.slice(1).map((row) => row.split(",")[0]).sort(), rows.map((row) => row[1]).sort());
    assert.equal(JSON.parse(readFileSync(join(folder, "out.csv.receipt.json"))).shuffled, true);
    fugu(folder, "verify", "out.csv.plan.json");
  });
});

test("numbers follow epsilon, by the slider and by the field", async () => {
  await studio([], {}, {}, async (page) => {
    await openGrades(page);
    const before = Number(await errorOf(page, "exact"));
    await page.fill("#field-epsilon", "2");
    await words(page, "88.1 %");
    const after = Number(await errorOf(page, "exact"));
    assert.ok(after < before, `${after} < ${before}`);
    await page.focus("#slider");
    for (let k = 0; k < 40; ++k) await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => Number(document.getElementById("field-epsilon").value) < 1);
    const epsilon = await page.inputValue("#field-epsilon");
    await page.locator("#command-calibrate", { hasText: `--epsilon ${epsilon} ` }).waitFor();
    await page.locator("#plot-of-loss", { hasText: `of the ${epsilon}` }).waitFor();
    await method(page, "channel").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "slider", "the keyboard stays where it was");
  });
});

test("an error stands beside its field and goes when it is cured", async () => {
  await studio([], {}, {}, async (page) => {
    await openGrades(page);
    await page.fill("#field-epsilon", "-1");
    await page.locator("#wrong-epsilon", { hasText: "--epsilon:" }).waitFor();
    assert.equal(await page.getAttribute("#field-epsilon", "aria-invalid"), "true");
    await page.screenshot({ path: join(screenshots, "studio-error.png") });
    await accessible(page);
    await page.fill("#field-epsilon", "1");
    await words(page, "73.2 %");
    assert.equal(await page.textContent("#wrong-epsilon"), "");
    assert.equal(await page.getAttribute("#field-epsilon", "aria-invalid"), null);
    await page.getByText("Shape the values first").click();
    await page.fill("#field-clip", "7");
    await page.locator("#wrong-clip", { hasText: "'7' is not a range LO:HI" }).waitFor();
    await page.fill("#field-clip", "4:6");
    await page.locator("#command-calibrate", { hasText: "--clip 4:6" }).waitFor();
  });
});

test("what is not of the present fields says so, and is neither taken nor released", async () => {
  await studio([], {}, {}, async (page, { folder }) => {
    await openGrades(page);
    await page.locator("#release:enabled").waitFor();
    const before = await standing(page);
    assert.deepEqual([before.said, before.on, before.takers], [[""], true, 7]);
    const sent = [];
    page.on("request", (request) => /api\/(release|file)/.test(request.url()) && sent.push(request));
    let answer;
    const held = new Promise((done) => (answer = done));
    await page.route("**/api/calibrate", async (route) => {
      await held;
      await route.continue();
    });
    const takeAll = () => page.evaluate(() => {
      for (const one of document.querySelectorAll("#release, #the-plan .download")) one.click();
    });
    await page.evaluate(() => {
      const field = document.getElementById("field-epsilon");
      field.value = "2";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      document.getElementById("release").click();
    });
    await words(page, "88.1 %");
    await takeAll();
    assert.match(await page.textContent("#summary"), /0\.5/);
    assert.equal(await page.getAttribute("#the-plan", "data-standing"), "being calculated …");
    assert.equal(await page.getAttribute("#the-methods", "data-standing"), null, "the methods are there already");
    assert.deepEqual(await page.locator("#the-plan .download[href], #the-plan button:enabled, #release:enabled").count(), 0);
    assert.deepEqual(sent, []);
    await page.screenshot({ path: join(screenshots, "studio-pending.png"), fullPage: true });
    answer();
    await page.locator("#release:enabled").waitFor();
    assert.match(await page.textContent("#command-calibrate"), /--epsilon 2 /);
    assert.deepEqual(sent, []);
    const { on, said } = await standing(page);
    assert.deepEqual([on, said], [true, [""]]);

    await page.fill("#field-epsilon", "-1");
    await page.locator("#wrong-epsilon", { hasText: "--epsilon:" }).waitFor();
    await takeAll();
    const wrong = await standing(page);
    assert.deepEqual([wrong.said, wrong.off, wrong.takers], [["does not belong to these fields"], true, 7]);
    assert.deepEqual(sent, []);
    await accessible(page);
    await page.screenshot({ path: join(screenshots, "studio-stale.png"), fullPage: true });

    await page.fill("#field-epsilon", "1");
    await page.fill("#field-output", "out.csv");
    await page.click("#release");
    await releasedNote(page, "Released 14 rows to out.csv.").waitFor();
    const plan = JSON.parse(readFileSync(join(folder, "out.csv.plan.json"), "utf8"));
    assert.deepEqual(sent.map((request) => request.postDataJSON().digest), [plan.digest]);
    assert.match(await page.textContent("#command-calibrate"), /--epsilon 1 /);
    await page.locator("#command-release", { hasText: "-o grades-grade-released-2.csv" }).waitFor();

    await choose(page, "grade", "");
    assert.ok((await standing(page)).off, "no column is released: there is no plan");
    assert.equal(await page.locator(".released .download[href]").count(), 5, "what was released stays");
  });
});

test("another name for the release keeps the plan that is shown", async () => {
  await studio([], {}, {}, async (page, { folder }) => {
    await openGrades(page, GRADES + GRADES.replace("union,grade\n", "").repeat(4)); // five people share every grade
    await method(page, "channel").waitFor();
    await page.locator("#method-channel-channel").check();
    await page.locator("#command-calibrate", { hasText: "--method channel" }).waitFor();
    await page.locator("#release:enabled").waitFor();
    const asked = [];
    page.on("request", (request) => request.method() === "POST" && asked.push(new URL(request.url()).pathname));
    await page.fill("#field-output", "named.csv");
    assert.equal(await page.getAttribute("#the-plan", "data-standing"), null);
    await page.locator("#command-release", { hasText: "-o named.csv" }).waitFor();
    await page.click("#release");
    await releasedNote(page, "Released 70 rows to named.csv.").waitFor();
    assert.ok(!asked.some((path) => path.includes("calibrate")), String(asked));
    assert.equal(JSON.parse(readFileSync(join(folder, "named.csv.plan.json"), "utf8")).guarantee.method, "channel");
  });
});

test("a table that changed after its plan was shown is shown again before it is released", async () => {
  await studio(["grades.csv"], { "grades.csv": GRADES }, {}, async (page, { folder }) => {
    await page.getByText("14 rows, 2 columns.").waitFor();
    await choose(page, "union", "secret");
    await choose(page, "grade", "public");
    await page.locator("#release:enabled").waitFor();
    await page.locator(".preview .sample").waitFor();  // it reads the table, too
    writeFileSync(join(folder, "grades.csv"), `${GRADES}yes,3\nno,9\n`);
    await page.click("#release");
    await page.locator("#wrong-output", { hasText: "the plan that was shown can no longer be released" }).waitFor();
    assert.ok(!existsSync(join(folder, "grades-grade-released.csv")));
    await page.click("#release");
    await releasedNote(page, "Released 16 rows").waitFor();
  });
});

test("a broken table shows its line", async () => {
  await studio([], {}, {}, async (page) => {
    await drop(page, "broken.csv", "a,b\n1,2\n3,4\n5\n");
    await page.locator("#wrong-table", { hasText: /broken.csv.* line 4/ }).waitFor();
    await openGrades(page);
    assert.equal(await page.textContent("#wrong-table"), "");
  });
});

test("two settings stand side by side", async () => {
  await studio([], {}, {}, async (page) => {
    await openGrades(page);
    await page.click("#keep");
    await page.getByText("Nothing differs yet.").waitFor();
    await page.fill("#field-epsilon", "2");
    const line = page.locator("#side-by-side tr", { hasText: "epsilon" });
    await line.getByText("0.5", { exact: true }).waitFor();
    await line.getByText("2", { exact: true }).waitFor();
    const errors = await page.locator("#side-by-side tr", { hasText: "error (rms)" }).locator("td").allTextContents();
    assert.ok(Number(errors[1]) < Number(errors[0]));
    await page.locator("#sides").scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(screenshots, "studio-sides.png") });
  });
});

test("the command that is copied makes the same plan", async () => {
  await studio([], { "grades.csv": GRADES }, {}, async (page, { folder }) => {
    await openGrades(page);
    await page.locator("label", { hasText: /^relaxed$/ }).click();
    await page.locator("#command-calibrate", { hasText: "--method relaxed" }).waitFor();
    await page.getByRole("button", { name: "Copy the command to make the plan" }).click();
    await page.getByText("Copied.").waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const { bytes } = await download(page, page.getByText("Download the plan"));
    execFileSync("sh", ["-c", command.replace(/^fugu/, program)], { cwd: folder });
    assert.deepEqual(readFileSync(join(folder, "plan.json")), bytes);
  });
});

test("a named table opens by itself, and releases are counted", async () => {
  await studio(["grades.csv", "--ledger", "l.db", "--dataset", "g", "--budget", "0.8"], { "grades.csv": GRADES }, {}, async (page, { folder }) => {
    await page.getByText("14 rows, 2 columns.").waitFor();
    await choose(page, "union", "secret");
    await choose(page, "grade", "public");
    await page.locator("#command-release", { hasText: "--ledger l.db --dataset g --budget 0.8" }).waitFor();
    await page.locator("#ledger-ahead", { hasText: "one like this one fits" }).waitFor();
    await page.click("#release");
    await page.getByText("0.5 of 0.8 spent").waitFor();
    await page.locator("#ledger-ahead").waitFor({ state: "hidden" });
    await page.click("#release");
    await page.locator(".wrong", { hasText: "budget" }).waitFor();
    assert.ok(!existsSync(join(folder, "grades-grade-released-2.csv")));
  });
});

test("names that try to be markup are text", async () => {
  const name = "<img src=x onerror=\"document.title='owned'\">";
  await studio([], {}, {}, async (page) => {
    await drop(page, "x.csv", `"${name.replaceAll('"', '""')}",x\n` + "<b>a</b>,1\nc,2\n<b>a</b>,2\nc,1\nc,2\n");
    await page.getByLabel(name, { exact: true }).selectOption("secret");
    await choose(page, "x", "public");
    await method(page, "exact").waitFor();
    await page.locator("#plot-of-laws .drawn svg").waitFor();
    assert.equal(await page.title(), "fugu studio");
    assert.equal(await page.locator("img").count(), 0);
  });
});

test("names that turn the direction of writing are seen, and copied as they are", async () => {
  const name = "\u202Eedarg\u2066";
  const table = GRADES.replace("grade", name).replaceAll("yes", "y\u200Fes");
  await studio(["g.csv"], { "g.csv": table }, {}, async (page, { folder, context }) => {
    await page.getByLabel("<U+202E>edarg<U+2066>", { exact: true }).selectOption("public");
    await choose(page, "union", "secret");
    await page.locator("#release:enabled").waitFor();
    await page.locator("#plot-of-laws .drawn svg").waitFor();
    await page.locator("#plot-of-error .drawn svg").waitFor();
    const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
    const text = await page.evaluate(() => document.body.textContent);
    assert.doesNotMatch(text, turning);
    assert.match(text, /y<U\+200F>es/);
    await page.getByRole("button", { name: "Copy the command to make the plan" }).click();
    await page.getByText("Copied.").waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    execFileSync("sh", ["-c", command.replace(/^fugu/, program)], { cwd: folder });
    fugu(folder, "report", "plan.json", "-o", "report.html");
    const report = await context.newPage();
    await report.goto(`file://${join(folder, "report.html")}`);
    await report.locator("#statement").waitFor();
    const said = await report.textContent("main");
    assert.doesNotMatch(said, turning);
    assert.match(said, /<U\+202E>edarg<U\+2066>/);
    await page.fill("#field-output", "a\u202Evsc.csv");
    await page.locator("#release:enabled").waitFor();
    await page.click("#release");
    await page.locator("#wrong-output", { hasText: "plain name" }).waitFor();
  });
});

test("dark, and on a phone", async () => {
  await studio([], {}, { viewport: { width: 390, height: 844 }, colorScheme: "dark" }, async (page) => {
    await openGrades(page);
    await method(page, "channel").waitFor();
    await page.locator("#plot-of-error .drawn svg").waitFor();
    await fits(page);
    await accessible(page);
    await page.screenshot({ path: join(screenshots, "studio-phone.png"), fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    await fits(page);
    const seen = await page.evaluate(() => {
      const table = document.querySelector("table.methods");
      const edge = table.closest(".scroll").getBoundingClientRect().right;
      return [...table.querySelectorAll("thead th")].filter((one) => one.offsetWidth > 0 && one.getBoundingClientRect().right <= edge + 1).map((one) => one.textContent);
    });
    assert.deepEqual(seen, ["method", "error (rms)", "loss"]);
    await page.locator("#methods").scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(screenshots, "studio-small-phone.png") });
    await page.setViewportSize({ width: 1360, height: 1000 });
    await page.screenshot({ path: join(screenshots, "studio-dark.png") });
    await fits(page);
  });
});
