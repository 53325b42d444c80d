// Who in the same browser, or in another, gets anything of the studio.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { GRADES, choose, download, program, root, stranger, studio } from "./studio.mjs";

// Another server of this machine, on another port of the same address: it keeps every request that it gets, whole.
async function beside(look) {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}\n${request.rawHeaders.join("\n")}`);
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>other</title><link rel=icon href='data:,'><body></body>");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    await look(`http://127.0.0.1:${server.address().port}`, seen);
  } finally {
    server.close();
  }
}

test("another page of the same browser gets nothing", async () => {
  await beside((other) =>
    studio(["grades.csv"], { "grades.csv": GRADES }, {}, async (page, { origin, address, context }) => {
      await page.getByText("14 rows").waitFor();
      const evil = await context.newPage();
      await evil.goto(`${other}/`);
      // Even one that knew the address would be refused by where it comes from.
      for (const base of [`${origin}/`, address]) {
        const tried = await evil.evaluate(async (base) => {
          const outcome = async (ask) => {
            try {
              return await ask();
            } catch {
              return "refused";
            }
          };
          const post = { method: "POST", credentials: "include", mode: "no-cors", body: '{"name": "grades.csv"}' };
          const frame = document.createElement("iframe");
          frame.src = base;
          const framed = new Promise((done) => (frame.onload = () => done(frame.contentDocument === null ? "refused" : "read")));
          document.body.append(frame);
          const script = document.createElement("script");
          script.src = `${base}studio.js`;
          const ran = new Promise((done) => ((script.onload = () => done("ran")), (script.onerror = () => done("refused"))));
          document.body.append(script);
          return [
            await outcome(async () => (await fetch(`${base}api/session`, { credentials: "include" })).text()),
            await outcome(async () => (await fetch(`${base}api/table`, post)).type),
            await framed,
            await ran,
          ];
        }, base);
        assert.deepEqual([tried[0], tried[2], tried[3]], ["refused", "refused", "refused"]);
        assert.ok(["opaque", "refused"].includes(tried[1]));
      }
    }),
  );
});

test("a server on another port is sent nothing of the studio's, and gets in nowhere with it", async () => {
  await beside((other, seen) =>
    studio(["grades.csv"], { "grades.csv": GRADES }, {}, async (page, { origin, address, context }) => {
      const token = new URL(address).pathname.split("/")[2];
      await page.getByText("14 rows").waitFor();
      assert.deepEqual(await context.cookies(), []);
      // Beside the studio, from a link of its page, and in its own tab.
      const aside = await context.newPage();
      await aside.goto(`${other}/aside`);
      const [linked] = await Promise.all([
        context.waitForEvent("page"),
        page.evaluate((other) => {
          const link = Object.assign(document.createElement("a"), { href: `${other}/linked`, target: "_blank", rel: "opener" });
          document.body.append(link);
          link.click();
        }, other),
      ]);
      await linked.waitForLoadState();
      assert.equal(await linked.evaluate(() => document.referrer), "");
      assert.equal(await linked.evaluate(() => window.opener), null);
      await page.goto(`${other}/instead`);
      assert.equal(await page.evaluate(() => document.referrer), "");
      assert.deepEqual(seen.map((one) => one.split("\n")[0]), ["GET /aside", "GET /linked", "GET /instead"]);
      for (const one of seen) {
        assert.ok(!one.includes(token), one);
        assert.doesNotMatch(one, /cookie|referer|fugu/i);
      }
      // Whoever runs it knows the port alone.
      for (const path of ["/", "/api/session", "/studio.js", `/s/${"0".repeat(64)}/api/session`]) {
        const answer = await fetch(`${origin}${path}`);
        assert.equal(answer.status, 403, path);
        assert.doesNotMatch(await answer.text(), /grades/);
      }
      await page.goBack();
      await page.getByText("14 rows").waitFor();
    }, { leaves: true }),
  );
});

test("the address may be loaded again, and works in another browser of the one who has it", async () => {
  await studio(["grades.csv"], { "grades.csv": GRADES }, {}, async (page, { address, origin }) => {
    await page.getByText("14 rows").waitFor();
    await page.reload();
    await page.getByText("14 rows").waitFor();
    assert.equal(page.url().split("#")[0], address);
    await choose(page, "union", "secret");
    await choose(page, "grade", "public");
    await page.locator("#release:enabled").waitFor();
    const plan = await download(page, page.getByText("Download the plan"));
    assert.equal(JSON.parse(String(plan.bytes)).fugu, 1);
    const context = await stranger();
    const late = await context.newPage();
    await late.goto(`${origin}/`);
    await late.getByText("This page is closed").waitFor();
    await late.goto(address);
    await late.getByText("14 rows").waitFor();
    await context.close();
  });
});

test("a file leads the browser to the studio", async () => {
  const folder = join(root, "opened");
  execFileSync("mkdir", [folder]);
  const server = spawn(program, ["studio", "--no-browser"], { cwd: folder, env: { ...process.env, TMPDIR: folder }, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done) => server.stdout.once("data", (text) => done(String(text).trim())));
  const context = await stranger();
  try {
    const file = execFileSync("find", [folder, "-name", "open.html"], { encoding: "utf8" }).trim();
    assert.ok(readFileSync(file, "utf8").includes(address));
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    await page.waitForSelector("#field-table", { state: "attached" });
    assert.equal(page.url(), address);
    await page.reload();
    await page.waitForSelector("#field-table", { state: "attached" });
  } finally {
    await context.close();
    server.kill("SIGTERM");
  }
});
