// The studio in a real browser, in front of the real server: from a dropped table to a verified plan and a released file.
// FUGU is the program; screenshots are kept in FUGU_SCREENSHOTS.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { axeSource, launch, screenshots } from "./browser.mjs";

const program = process.env.FUGU;
const root = mkdtempSync(join(tmpdir(), "fugu-studio-test-"));
let browser;
let places = 0;

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(root, { recursive: true, force: true });
});

const fugu = (folder, ...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8" });

// Starts a studio in a fresh folder and calls `look` with a page that has arrived there. Fails on any request that leaves
// it, and on anything the browser complains of.
async function studio(words, files, options, look) {
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
    await look(page, { folder, address, origin, context });
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests.filter((url) => !url.startsWith(`${origin}/`)), []);
  } finally {
    await context.close();
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    assert.equal(await ended, 0);
  }
}

// A file dropped on its place.
async function drop(page, name, text) {
  const data = await page.evaluateHandle(([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    return data;
  }, [name, text]);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: data });
}

const choose = (page, column, role) => page.selectOption(`select[data-column="${column}"]`, role);
const method = (page, name) => page.locator(`tr[data-method="${name}"]`);
const errorOf = async (page, name) => (await method(page, name).locator("td.error").textContent()).trim();
const words = (page, text) => page.waitForFunction((text) => document.getElementById("words")?.textContent.includes(text), text);

async function download(page, link) {
  const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

async function accessible(page) {
  await page.evaluate(readFileSync(axeSource, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
}

// Nothing stands beyond the right edge.
async function fits(page) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
}

const GRADES = "union,grade\n" + [["yes", [3, 4, 5, 6, 3, 4, 5]], ["no", [4, 5, 6, 7, 4, 5, 6]]]
  .flatMap(([union, grades]) => grades.map((grade) => `${union},${grade}\n`)).join("");

async function openGrades(page) {
  await drop(page, "grades.csv", GRADES);
  await choose(page, "union", "secret");
  await choose(page, "grade", "public");
  await method(page, "exact").waitFor();
}

test("the demo table, from drop to a verified plan and a released file", async () => {
  const demo = join(root, "demo");
  execFileSync("mkdir", [demo]);
  fugu(demo, "demo");
  const table = readFileSync(join(demo, "fugu-demo", "adult-occupation.csv"), "utf8");
  await studio([], {}, {}, async (page, { folder, origin }) => {
    assert.equal(page.url(), `${origin}/`, "the token has left the address");
    await page.screenshot({ path: join(screenshots, "studio-start.png") });
    await drop(page, "adult-occupation.csv", table);
    await page.getByText("28,856 rows, 2 columns.").waitFor();
    await choose(page, "race", "secret");
    await page.getByText(/tells 0\.7\s% of the secret/).waitFor();
    await choose(page, "occupation", "public");
    await words(page, "A 50 % belief in either secret becomes at most 62.3 %.");
    assert.equal(await errorOf(page, "exact"), "0.472");
    await method(page, "channel").waitFor();
    assert.equal(await errorOf(page, "channel"), "0.1482");

    const plan = await download(page, page.getByText("Download the plan"));
    assert.equal(plan.name, "plan.json");
    writeFileSync(join(folder, "downloaded.json"), plan.bytes);
    assert.equal(JSON.parse(fugu(folder, "verify", "downloaded.json", "--format", "json")).verified, true);
    const statement = await download(page, page.locator("#plan ~ div").getByText("Statement", { exact: true }));
    writeFileSync(join(folder, "statement.json"), statement.bytes);
    const report = await download(page, page.locator("#plan ~ div").getByText("Report", { exact: true }));
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
    await page.getByText("Released 28,856 rows to out.csv.").waitFor();
    await page.getByText(/Releasing again is another draw/).waitFor();
    const released = await download(page, page.getByRole("link", { name: "The released table" }));
    assert.deepEqual(released.bytes, readFileSync(join(folder, "out.csv")));
    const receipt = await download(page, page.getByRole("link", { name: "Receipt" }));
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
    await page.locator("#wrong-clip", { hasText: "'7' is no range LO:HI" }).waitFor();
    await page.fill("#field-clip", "4:6");
    await page.locator("#command-calibrate", { hasText: "--clip 4:6" }).waitFor();
  });
});

// What the plan's parts say of themselves, and whether anything of them can be taken.
const standing = (page) => page.evaluate(() => {
  const said = (place) => document.querySelector(place).dataset.standing ?? "";
  const takers = [...document.querySelectorAll("#plan ~ div .download, #plan ~ div button, #methods ~ div button, #methods ~ .command button, #release, [aria-label='Copy the command to release']")];
  const isOff = (one) => one.getAttribute("aria-disabled") === "true" && (one.localName === "a" ? !one.hasAttribute("href") : one.disabled);
  const isOn = (one) => one.getAttribute("aria-disabled") !== "true" && (one.localName === "a" ? one.hasAttribute("href") : !one.disabled);
  return {
    said: [...new Set([said("#plan ~ div"), said("#methods ~ div"), said("#plot-of-loss"), said("#plot-of-noise"), said("div:has(> #command-release)")])],
    takers: takers.length,
    off: takers.every(isOff),
    on: takers.every(isOn),
  };
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
      for (const one of document.querySelectorAll("#release, #plan ~ div .download")) one.click();
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
    assert.equal(await page.getAttribute("#plan ~ div", "data-standing"), "being calculated …");
    assert.equal(await page.getAttribute("#methods ~ div", "data-standing"), null, "the methods are there already");
    assert.deepEqual(await page.locator("#plan ~ div .download[href], #plan ~ div button:enabled, #release:enabled").count(), 0);
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
    await page.getByText("Released 14 rows to out.csv.").waitFor();
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
    await openGrades(page);
    await method(page, "channel").waitFor();
    await page.locator("#method-channel-channel").check();
    await page.locator("#command-calibrate", { hasText: "--method channel" }).waitFor();
    await page.locator("#release:enabled").waitFor();
    const asked = [];
    page.on("request", (request) => request.method() === "POST" && asked.push(new URL(request.url()).pathname));
    await page.fill("#field-output", "named.csv");
    assert.equal(await page.getAttribute("#plan ~ div", "data-standing"), null);
    await page.locator("#command-release", { hasText: "-o named.csv" }).waitFor();
    await page.click("#release");
    await page.getByText("Released 14 rows to named.csv.").waitFor();
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
    writeFileSync(join(folder, "grades.csv"), `${GRADES}yes,3\nno,9\n`);
    await page.click("#release");
    await page.locator("#wrong-output", { hasText: "the plan of these fields is not the one that was shown" }).waitFor();
    assert.ok(!existsSync(join(folder, "grades-grade-released.csv")));
    await page.click("#release");
    await page.getByText("Released 16 rows").waitFor();
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
    await page.click("#release");
    await page.getByText("0.5 of 0.8 spent").waitFor();
    await page.click("#release");
    await page.locator(".wrong", { hasText: "budget" }).waitFor();
    assert.ok(!existsSync(join(folder, "grades-grade-released-2.csv")));
  });
});

test("names that try to be markup are text", async () => {
  const name = "<img src=x onerror=\"document.title='owned'\">";
  await studio([], {}, {}, async (page) => {
    await drop(page, "x.csv", `"${name.replaceAll('"', '""')}",x\n` + "<b>a</b>,1\nc,2\n<b>a</b>,2\nc,1\nc,2\n");
    await page.getByLabel(name).selectOption("secret");
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
    await page.getByLabel("<U+202E>edarg<U+2066>").selectOption("public");
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

test("another page of the same browser gets nothing", async () => {
  const evil = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<!doctype html><title>evil</title><body></body>"));
  await new Promise((done) => evil.listen(0, "127.0.0.1", done));
  try {
    await studio(["grades.csv"], { "grades.csv": GRADES }, {}, async (page, { origin, address, context }) => {
      await page.getByText("14 rows").waitFor();
      const other = await context.newPage();
      await other.goto(`http://127.0.0.1:${evil.address().port}/`);
      const tried = await other.evaluate(async (origin) => {
        const outcome = async (ask) => {
          try {
            return await ask();
          } catch {
            return "refused";
          }
        };
        const post = { method: "POST", credentials: "include", mode: "no-cors", body: '{"name": "grades.csv"}' };
        const frame = document.createElement("iframe");
        frame.src = `${origin}/`;
        const framed = new Promise((done) => (frame.onload = () => done(frame.contentDocument === null ? "refused" : "read")));
        document.body.append(frame);
        const script = document.createElement("script");
        script.src = `${origin}/studio.js`;
        const ran = new Promise((done) => ((script.onload = () => done("ran")), (script.onerror = () => done("refused"))));
        document.body.append(script);
        return [
          await outcome(async () => (await fetch(`${origin}/api/session`, { credentials: "include" })).text()),
          await outcome(async () => (await fetch(`${origin}/api/table`, post)).type),
          await framed,
          await ran,
        ];
      }, origin);
      assert.deepEqual([tried[0], tried[2], tried[3]], ["refused", "refused", "refused"]);
      assert.ok(["opaque", "refused"].includes(tried[1]));
      // The address works in no second browser.
      const stranger = await browser.newContext();
      const late = await stranger.newPage();
      await late.goto(address);
      await late.getByText("This address was used").waitFor();
      await late.goto(`${origin}/`);
      await late.getByText("This page is closed").waitFor();
      await stranger.close();
    });
  } finally {
    evil.close();
  }
});

test("a file leads the browser to the studio", async () => {
  await studio([], {}, {}, async (page, { origin }) => {
    assert.equal(page.url(), `${origin}/`);
  });
  const folder = join(root, "opened");
  execFileSync("mkdir", [folder]);
  const server = spawn(program, ["studio", "--no-browser"], { cwd: folder, env: { ...process.env, TMPDIR: folder }, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done) => server.stdout.once("data", (text) => done(String(text).trim())));
  const context = await browser.newContext();
  try {
    const file = execFileSync("find", [folder, "-name", "open.html"], { encoding: "utf8" }).trim();
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    await page.waitForSelector("#field-table", { state: "attached" });
    assert.equal(page.url(), `${new URL(address).origin}/`);
  } finally {
    await context.close();
    server.kill("SIGTERM");
  }
});
