// Bundles the pages: node build.mjs OUT writes OUT/report.js, OUT/report.css, and the same of the studio.
// With --tests it writes the unit tests to OUT instead, for `node --test`.
import { build } from "esbuild";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [out, kind] = process.argv.slice(2);
if (!out) throw new Error("usage: node build.mjs OUT [--tests]");

const common = { absWorkingDir: here, bundle: true, target: "es2020", charset: "ascii", logLevel: "warning" };
if (kind === "--tests") {
  const tests = readdirSync(join(here, "test")).filter((name) => name.endsWith(".test.ts"));
  await build({ ...common, entryPoints: tests.map((name) => `test/${name}`), outdir: out, platform: "node", format: "esm", outExtension: { ".js": ".mjs" } });
} else {
  await build({ ...common, entryPoints: ["src/report.ts"], outfile: join(out, "report.js"), format: "iife", minify: true, legalComments: "none" });
  await build({ ...common, entryPoints: ["src/report.css"], outfile: join(out, "report.css"), minify: true });
  await build({ ...common, entryPoints: ["src/studio.ts"], outfile: join(out, "studio.js"), format: "iife", minify: true, legalComments: "none" });
  await build({ ...common, entryPoints: ["src/studio.css"], outfile: join(out, "studio.css"), minify: true });
}
