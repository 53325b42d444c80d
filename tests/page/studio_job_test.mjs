// Jobs on the real page: a file fills it, and it is saved as the same file.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GRADES, accessible, choose, download, drop, fits, fugu, method, openGrades, studio, words } from "./studio.mjs";

const JOB = {
  format: "fugu-job", version: 1, table: { file: "grades.csv", missing: "drop" },
  columns: { union: { role: "secret" }, grade: { role: "public", kind: "number", clip: [3, 6] } },
  secrets: { pairs: "all" }, budget: { epsilon: 2 }, mechanism: { method: "relaxed" },
  release: { publish_min: 1, shuffle: true }, outputs: { release: "mine.csv", statement: "s.json" },
};
const chosen = (page) => page.evaluate(() => [...document.querySelectorAll("select[data-column]")].map((one) => [one.dataset.column, one.value]));
const save = async (page) => JSON.parse(String((await download(page, page.locator("#save-job"))).bytes));

test("a job that is chosen fills the page, and is saved as it was", async () => {
  await studio(["grades.csv"], { "grades.csv": GRADES, "job.json": JSON.stringify(JOB) }, {}, async (page, { folder }) => {
    await page.setInputFiles("#field-job", join(folder, "job.json"));
    await method(page, "exact").waitFor();
    await words(page, "88.1 %");
    assert.deepEqual(await chosen(page), [["union", "secret"], ["grade", "public"]]);
    assert.equal(await page.inputValue("#field-epsilon"), "2");
    assert.equal(await page.inputValue("#field-clip"), "3:6");
    assert.equal(await page.inputValue("#field-missing"), "drop");
    assert.equal(await page.inputValue("#field-output"), "mine.csv");
    assert.ok(await page.isChecked("#field-shuffle"));
    await page.locator("#job-said", { hasText: "job.json is open. It is about grades.csv. Kept in the file, but not on the page: release.publish_min, outputs.statement." }).waitFor();
    await page.locator("#command-release", { hasText: "--method relaxed" }).waitFor();
    assert.deepEqual(await save(page), JOB);

    await page.fill("#field-epsilon", "1");
    await words(page, "73.2 %");
    const saved = await save(page);
    assert.deepEqual(saved, { ...JOB, budget: { epsilon: 1 } });
    await accessible(page);
    await fits(page);

    const shown = await download(page, page.getByRole("link", { name: "Download the plan" }));
    writeFileSync(join(folder, "saved.json"), JSON.stringify(saved));
    fugu(folder, "run", "saved.json");
    assert.deepEqual(readFileSync(join(folder, "mine.csv.plan.json")), shown.bytes, "the job makes the plan that the page shows");
  });
});

test("a job that is dropped waits for its table", async () => {
  await studio([], {}, {}, async (page) => {
    await drop(page, "job.json", JSON.stringify({ ...JOB, table: { file: "elsewhere/grades.csv" } }));
    await page.locator("#job-said", { hasText: "It is about elsewhere/grades.csv." }).waitFor();
    assert.ok(await page.isDisabled("#save-job"), "there is nothing to save yet");
    await drop(page, "grades.csv", GRADES);
    await method(page, "exact").waitFor();
    assert.deepEqual(await chosen(page), [["union", "secret"], ["grade", "public"]]);
    assert.equal((await save(page)).table.file, "elsewhere/grades.csv", "the path is the job's");
  });
});

test("what is wrong with a job is said beside it", async () => {
  await studio([], {}, {}, async (page) => {
    await openGrades(page);
    await drop(page, "job.json", JSON.stringify({ ...JOB, seed: 1 }));
    await page.locator("#wrong-job", { hasText: 'the key "seed" is unknown' }).waitFor();
    assert.deepEqual(await chosen(page), [["union", "secret"], ["grade", "public"]], "the page stays as it was");
    await drop(page, "job.json", JSON.stringify({ ...JOB, columns: { onion: { role: "secret" }, grade: { role: "public" } } }));
    await page.locator("#wrong-job", { hasText: "the table has no column onion" }).waitFor();
    await choose(page, "union", "secret");
    await method(page, "exact").waitFor();
  });
});

test("a page without a job is saved as one", async () => {
  await studio([], {}, {}, async (page) => {
    await openGrades(page);
    await page.locator("#release:enabled").waitFor();
    assert.deepEqual(await save(page), {
      format: "fugu-job", version: 1, table: { file: "grades.csv" }, columns: { union: { role: "secret" }, grade: { role: "public" } },
      budget: { epsilon: 0.5 }, outputs: { release: "grades-grade-released.csv" },
    });
  });
});
