// The report in a real browser: offline, in light and dark, on a phone, on paper; with names that try to be markup.
// FUGU is the program; screenshots are kept in FUGU_SCREENSHOTS.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { axeSource, launch, open, screenshots } from "./browser.mjs";

const program = process.env.FUGU;
const folder = mkdtempSync(join(tmpdir(), "fugu-report-"));
const file = (name) => join(folder, name);
const fugu = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8" });

// Calibrates what `words` ask for and writes its report; returns the report's path.
function report(name, words, ...flags) {
  fugu(...words, "-o", `${name}.json`);
  fugu("report", `${name}.json`, "-o", `${name}.html`, ...flags);
  return file(`${name}.html`);
}
function scenario(name, content) {
  writeFileSync(file(`${name}.scenario`), JSON.stringify(content));
  return ["calibrate", "--scenario", `${name}.scenario`];
}

const HOSTILE = [
  "</script><script>document.title = 'owned'</script>",
  '"><img src=x onerror="document.title = \'owned\'">',
  "a\u2028b\u2029c",
  "<!-- & ' \" -->",
];
const hostile = {
  epsilon: 0.3,
  priors: [
    {
      name: "<b>prior</b>",
      given: {
        "<i>a</i>": { values: [1, 2, 3, 4], mass: [101, 203, 307, 401] },
        "</title><h1>b": { values: [1, 2, 3, 4], mass: [601, 503, 401, 307] },
      },
    },
  ],
  source: { secret: ["<u>s</u>"], public: ["<script>x</script>"], labels: HOSTILE },
};
// Numbers that are many, under two priors.
const bell = (middle) => {
  const values = Array.from({ length: 300 }, (_, k) => k - 50);
  return { values, mass: values.map((x) => 1 + Math.round(900 * Math.exp(-(((x - middle) / 60) ** 2)))) };
};
const numbers = {
  epsilon: 0.5,
  priors: [
    { name: "all", given: { low: bell(90), mid: bell(100), high: bell(115) } },
    { name: "city = Oslo", given: { low: bell(80), mid: bell(100), high: bell(120) } },
  ],
  source: { secret: ["income"], public: ["hours"] },
};
const joint = {
  epsilon: 1,
  priors: [
    {
      given: {
        a: { values: [[0, 1], [1, 3], [2, 1]], mass: [3, 2, 1] },
        b: { values: [[0, 1], [1, 3], [2, 4]], mass: [1, 2, 3] },
      },
    },
  ],
};

let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const nothingButItself = (path, log) => {
  assert.deepEqual(log.requests, [`file://${path}`]);
  assert.deepEqual(log.complaints, []);
};

async function accessible(page) {
  await page.evaluate(readFileSync(axeSource, "utf8"));
  const found = await page.evaluate(async () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    const result = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join("; ")}`);
  });
  assert.deepEqual(found, []);
}

const noSidewaysScroll = async (page) => {
  const [inner, whole] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  assert.ok(whole <= inner, `${whole} pixels do not fit into ${inner}`);
};

test("the demo's report: every section, and each plot with a name, a text and a table", async () => {
  fugu("demo", "--dir", "demo", "--quiet");
  fugu("report", "demo/plan.json", "-o", "demo.html", "--title", "Occupations by race", "--table-name", "adult-occupation.csv", "--date", "1 July 2026");
  const path = file("demo.html");
  await open(browser, path, {}, async (page, log) => {
    nothingButItself(path, log);
    // What belongs to whom: the owner's words, and what ties the page to its plan.
    assert.equal(await page.title(), "Occupations by race: report");
    const head = Object.fromEntries(await page.$$eval(".head > div", (all) => all.map((one) => [one.children[0].textContent, one.children[1].textContent])));
    const plan = JSON.parse(readFileSync(file("demo/plan.json"), "utf8"));
    assert.deepEqual({ ...head, "Made by": "" }, { Table: "adult-occupation.csv", "Rows counted": "28,856", Date: "1 July 2026", "Made by": "", Plan: plan.digest });
    assert.match(head["Made by"], /^fugu \d/);
    const titles = await page.$$eval("h2", (all) => all.map((one) => one.textContent));
    assert.deepEqual(titles, [
      "What is promised",
      "Who is protected, and against whom",
      "What it costs",
      "What to use it for, and what not",
      "Before and after",
      "What the values say before any change",
      "How far apart the worst two are",
      "What a released value reveals",
      "What other methods would cost",
      "What is done to a value",
      "In numbers",
      "What it rests on",
      "For whoever receives the values",
      "The statement",
      "The words used here",
    ]);
    const plots = await page.$$eval("figure.plot", (all) =>
      all.map((figure) => ({
        title: figure.querySelector("h3").textContent,
        label: figure.querySelector(".drawn [role=img]").getAttribute("aria-label"),
        said: figure.querySelector(".said").textContent,
        rows: figure.querySelectorAll("details tbody tr").length,
        shapes: figure.querySelectorAll(".drawn path, .drawn rect, .drawn circle").length,
        hints: figure.querySelectorAll(".drawn svg > * > title").length,
      })),
    );
    assert.equal(plots.length, 6);
    for (const plot of plots) {
      assert.equal(plot.label, `${plot.title}. ${plot.said}`);
      assert.ok(plot.said.length > 40 && plot.rows > 1 && plot.shapes > 3 && plot.hints > 3, JSON.stringify(plot));
    }
    // The budget's line stands where the scale has 0.5, and the worst bar ends there.
    const places = await page.evaluate(() => {
      const figure = document.querySelector("section[aria-labelledby=loss] figure.plot");
      const line = figure.querySelector("line.limit").getBoundingClientRect();
      const bars = [...figure.querySelectorAll("rect.bar")].map((bar) => bar.getBoundingClientRect().top);
      return { line: line.top, highest: Math.min(...bars) };
    });
    assert.ok(Math.abs(places.line - places.highest) < 2, JSON.stringify(places));
    await page.screenshot({ path: join(screenshots, "report-light.png"), fullPage: true });
    await page.screenshot({ path: join(screenshots, "report.png"), fullPage: true, clip: { x: 0, y: 0, width: 1100, height: 1480 } });
    await accessible(page);
  });
  await open(browser, path, { colorScheme: "dark" }, async (page, log) => {
    nothingButItself(path, log);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(ground, "rgb(14, 19, 27)");
    // Drawings take the page's colours.
    const paint = await page.$eval("figure.plot .drawn text", (one) => getComputedStyle(one).fill);
    assert.equal(paint, "rgb(232, 237, 244)");
    await page.screenshot({ path: join(screenshots, "report-dark.png"), fullPage: true });
    await accessible(page);
  });
  await open(browser, path, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }, async (page, log) => {
    nothingButItself(path, log);
    await noSidewaysScroll(page);
    // Letters stay readable: the drawing is one for a phone, not a small one.
    const scale = await page.$eval("figure.plot .drawn svg", (one) => one.getBoundingClientRect().width / one.viewBox.baseVal.width);
    assert.ok(scale > 0.85, `drawn at ${scale} of its size`);
    await page.screenshot({ path: join(screenshots, "report-phone.png"), fullPage: true });
    await accessible(page);
  });
});

test("it prints", async () => {
  await open(browser, file("demo.html"), { colorScheme: "dark" }, async (page) => {
    // The page itself says how it is printed: A4, and few pages, none of them for a lonely line.
    const pdf = await page.pdf({ path: join(screenshots, "report.pdf"), preferCSSPageSize: true });
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.ok(pages >= 3 && pages <= 5, `${pages} pages`);
    const size = pdf.toString("latin1").match(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/);
    assert.ok(size && Math.abs(Number(size[1]) - 595.3) < 1 && Math.abs(Number(size[2]) - 841.9) < 1, "A4");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    assert.equal(ink, "rgb(23, 32, 44)"); // dark ink on white paper, whatever the screen likes
  });
});

test("the keyboard reaches every table and opens it", async () => {
  await open(browser, file("demo.html"), {}, async (page) => {
    const opened = [];
    for (let k = 0; k < 60 && opened.length < 6; ++k) {
      await page.keyboard.press("Tab");
      const on = await page.evaluate(() => document.activeElement?.tagName);
      if (on !== "SUMMARY") continue;
      await page.keyboard.press("Enter");
      opened.push(await page.evaluate(() => document.activeElement.parentElement.open));
    }
    assert.deepEqual(opened, [true, true, true, true, true, true]);
  });
});

test("names that try to be markup stay names", async () => {
  for (const [name, flags] of [["hostile", []], ["hostile-public", ["--public"]]]) {
    const path = report(name, scenario(name, hostile), ...(flags.length > 0 ? flags : ["--time-limit", "1"]));
    await open(browser, path, {}, async (page, log) => {
      nothingButItself(path, log);
      assert.equal(await page.title(), "<u>s</u>, hidden in <script>x</script>: report");
      assert.equal(await page.$$eval("script", (all) => all.length), 2);
      assert.equal(await page.$$eval("main img, main u, main i, main b", (all) => all.length), 0);
      if (name === "hostile") {
        const rows = await page.$$eval("figure.plot:first-of-type tbody th", (all) => all.map((one) => one.textContent));
        for (const label of HOSTILE) assert.ok(rows.includes(label), label);
      }
      await page.screenshot({ path: join(screenshots, `report-${name}.png`), fullPage: true });
      await accessible(page);
    });
  }
});

test("numbers, several priors: the choice changes what is drawn", async () => {
  const path = report("numbers", scenario("numbers", numbers), "--time-limit", "3");
  await open(browser, path, {}, async (page, log) => {
    nothingButItself(path, log);
    const points = () => page.$eval("figure.plot:has(select) .drawn polyline", (one) => one.getAttribute("points"));
    const before = await points();
    await page.selectOption("select", { label: "city = Oslo" });
    assert.ok((await points()) !== before, "another prior, another line");
    assert.match(await page.$eval("figure.plot:has(select) h3", (one) => one.textContent), /prior city = Oslo/);
    assert.match(await page.$eval("figure.plot:has(select) .said", (one) => one.textContent), /in bins of/);
    await page.screenshot({ path: join(screenshots, "report-numbers.png"), fullPage: true });
    await accessible(page);
  });
  await open(browser, path, { viewport: { width: 360, height: 740 } }, (page) => noSidewaysScroll(page));
});

test("every other kind of plan has a report without complaints", async () => {
  const chain = { states: ["0", "1"], chains: [{ transition: [[0.9, 0.1], [0.4, 0.6]], start: [0.8, 0.2] }] };
  writeFileSync(file("chain.txt"), JSON.stringify(chain));
  const quick = ["--time-limit", "1"];
  const reports = {
    channel: report("channel", [...scenario("channel", hostile), "--method", "channel"], ...quick),
    delta: report("delta", [...scenario("delta", hostile), "--delta", "1e-3", "--noise", "gaussian"], ...quick),
    confidence: report("confidence", [...scenario("confidence", hostile), "--confidence", "0.95"], ...quick),
    none: report("none", [...scenario("none", hostile), "--epsilon", "5"], ...quick),
    joint: report("joint", scenario("joint", joint), ...quick),
    users: report("users", ["count", "--users", "25", "--p", "0.7", "--epsilon", "0.5"]),
    chain: report("chain", ["chain", "--matrix", "chain.txt", "--length", "60", "--state", "1", "--epsilon", "1"]),
  };
  for (const [name, path] of Object.entries(reports)) {
    for (const viewport of [{ width: 1100, height: 900 }, { width: 360, height: 740 }]) {
      await open(browser, path, { viewport }, async (page, log) => {
        nothingButItself(path, log);
        await noSidewaysScroll(page);
        const text = await page.$eval("main", (one) => one.textContent);
        assert.doesNotMatch(text, /undefined|NaN|\[object|Infinity/, name);
        if (viewport.width > 400) await page.screenshot({ path: join(screenshots, `report-${name}.png`), fullPage: true });
        await accessible(page);
      });
    }
  }
});

// The policy is what keeps requests in: a page that tries one must fail, or the tests above say nothing.
test("of rows that trade places only the shares are said to be published", async () => {
  const rows = Array.from({ length: 120 }, (_, k) => `${"FM"[k % 2]},${"abc"[(k % 5) % (2 + (k % 2))]},${"xyz"[k % 3]}\n`);
  writeFileSync(file("rows.csv"), `sex,job,place\n${rows.join("")}`);
  const ask = (name, method) => report(name, ["calibrate", "rows.csv", "--secret", "sex", "--public", "job,place", "--method", method, "--epsilon", "0.3"], "--time-limit", "1");
  for (const [method, said] of [["swap", /^Only the shares/], ["exact", /^This distribution is published/]]) {
    await open(browser, ask(`rows-${method}`, method), {}, async (page) => {
      assert.match(await page.textContent("section[aria-labelledby=noise] p.lead"), said);
    });
  }
});

test("the policy refuses a script and a request that are not the report's", async () => {
  const html = readFileSync(file("demo.html"), "utf8");
  const changed = html.replace("</body>", "<script>document.title = 'owned'</script><img src='https://example.org/x.png'></body>");
  writeFileSync(file("changed.html"), changed);
  await open(browser, file("changed.html"), {}, async (page, log) => {
    assert.notEqual(await page.title(), "owned");
    assert.equal(log.complaints.length, 2, log.complaints.join("\n"));
    for (const complaint of log.complaints) assert.match(complaint, /Content Security Policy/);
  });
});
