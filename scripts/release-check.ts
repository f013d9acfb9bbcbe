import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, runScript, runTool } from "./run.ts";

/** Everything that must be true before publishing. All of it is checked, and each problem is printed on one line. */
const problems: string[] = [];
const read = (path: string) => readFileSync(join(root, path), "utf8");
const [fixed] = (JSON.parse(read(".changeset/config.json")) as { fixed: [string[]] }).fixed;
const manifests = globSync("{apps,packages}/{*,*/*}/package.json", { cwd: root });
const folders = new Map(manifests.map((path) => [(JSON.parse(read(path)) as { name: string }).name, dirname(path)]));
const folderOf = (name: string) => folders.get(name) ?? name;
const versionOf = (name: string) => (JSON.parse(read(`${folderOf(name)}/package.json`)) as { version: string }).version;
const version = versionOf("askbox");

// One version everywhere, and a changelog for it.
const pending = readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md"));
if (pending.length > 0) problems.push(`${pending.length} changesets are not in a version yet: run pnpm changeset:version.`);
for (const name of fixed) {
  if (versionOf(name) !== version) problems.push(`${name} has version ${versionOf(name)}, and askbox has ${version}.`);
  const changelog = `${folderOf(name)}/CHANGELOG.md`;
  if (!read(changelog).includes(`\n## ${version}\n`)) problems.push(`${changelog} has no section for ${version}.`);
}

// npm records where a package was built if the workflow has the permission for provenance. A release has what runs without npm, too.
for (const line of [
  "id-token: write",
  "pnpm --filter askbox archives",
  "gh release upload",
  'NPM_CONFIG_PROVENANCE: "true"',
  "publish: pnpm release",
]) {
  if (!read(".github/workflows/release.yml").includes(line)) problems.push(`.github/workflows/release.yml lacks "${line}".`);
}

// What is redistributed: the dependencies of the libraries, and the contents of the command's bundles.
const allowed = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "Unlicense"];
function pnpm(...args: string[]): string {
  const { stdout, status } = spawnSync("npx", ["-y", "pnpm@12", ...args], { cwd: root, encoding: "utf8", maxBuffer: 50_000_000 });
  if (status !== 0) problems.push(`pnpm ${args.join(" ")} failed.`);
  return status === 0 ? stdout : "{}";
}
/** The packages in a bundle, from headings such as `## zod 4.1.0 (MIT)`. */
const bundled = ["dist", "dist/web"].flatMap((place) => [
  ...read(`apps/askbox/${place}/THIRD-PARTY-LICENSES.md`).matchAll(/^## (\S+)(?: -)? (\d\S*) \((.+)\)$/gm),
]);
const licences = [
  ...Object.keys(JSON.parse(pnpm("-r", "licenses", "list", "--prod", "--json"))),
  ...bundled.map(([, , , licence = ""]) => licence),
];
for (const licence of new Set(licences)) {
  const choices = licence.replace(/[()]/g, "").split(" OR ");
  if (!choices.some((choice) => allowed.includes(choice)))
    problems.push(`Something that is passed on is under ${licence}, which is not allowed.`);
}
const folder = join(root, ".results/sbom");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of fixed) {
  const bill = JSON.parse(pnpm("--filter", name, "sbom", "--prod", "--sbom-format", "cyclonedx")) as { components?: object[] };
  const own =
    name === "askbox"
      ? bundled.map(([, of, at]) => ({ type: "library", name: of, version: at, purl: `pkg:npm/${of?.replace("@", "%40")}@${at}` }))
      : [];
  const components = [...(bill.components ?? []), ...own];
  writeFileSync(
    join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.cdx.json`),
    JSON.stringify({ ...bill, components }, undefined, 2),
  );
  console.log(`${name} passes on ${components.length} packages; .results/sbom lists them.`);
}

// Packs, installs, compiles, runs and measures, including publint, attw, manifests, server.json and the desktop extension.
const plugins = join(root, "apps/askbox/distribution/check-plugins.ts");
if ((await runScript(plugins, [], { output: "show", env: { NODE_OPTIONS: "--conditions=askbox-source" } })).exitCode !== 0) {
  problems.push("A plugin or a catalogue's entry is stale or breaks its format; see above.");
}
const tests = ["tests/published", "tests/conformance", "tests/command/container.test.ts", "apps/askbox/test/distribution.system.test.ts"];
if ((await runTool("vitest", "vitest", ["run", ...tests], { output: "show" })).exitCode !== 0) {
  problems.push("The tests of the packed packages failed; see above.");
}

for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? `${version} can be released.` : `${version} cannot be released yet.`);
process.exitCode = problems.length === 0 ? 0 : 1;
