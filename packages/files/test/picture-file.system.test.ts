import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AskRequest, parseAsk } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { expect, it, onTestFinished } from "vitest";
import { openPicture, type PictureFile, withUploads } from "../src/asking.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A project with a picture, a secret beside it, and what may lead from one to the other. */
function aProject() {
  const root = mkdtempSync(join(tmpdir(), "askbox-pictures-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, "project");
  const elsewhere = join(root, "elsewhere");
  for (const folder of [project, elsewhere, join(project, "shots")]) mkdirSync(folder);
  writeFileSync(join(project, "shots", "a.png"), png);
  writeFileSync(join(elsewhere, "secret.png"), png);
  const place = { base: project, folders: [project] };
  const opened = async (path: string) => {
    const { file, ...facts } = await openPicture(path, place);
    await file.close();
    return facts;
  };
  return { root, project, elsewhere, opened };
}

it("a picture in the project is opened by a path that is relative to it or absolute, also over a link within it", async () => {
  const { project, opened } = aProject();
  symlinkSync(join(project, "shots"), join(project, "link"));
  for (const path of ["shots/a.png", "./shots/../shots/a.png", join(project, "shots", "a.png"), "link/a.png"]) {
    expect(await opened(path)).toEqual({ name: "a.png", size: png.length });
  }
});

// promise: agent-paths
it("nothing outside of the project is opened, however the path leads there", async () => {
  const { project, elsewhere, opened } = aProject();
  symlinkSync(join(elsewhere, "secret.png"), join(project, "file.png"));
  symlinkSync(elsewhere, join(project, "folder"));
  symlinkSync(join(project, "folder", "secret.png"), join(project, "twice.png"));
  const paths = ["../elsewhere/secret.png", join(elsewhere, "secret.png"), "file.png", "folder/secret.png", "twice.png"];
  for (const path of paths) {
    await expect(opened(path)).rejects.toMatchObject({
      code: "VALIDATION",
      message: `${path} is not in the project or the folder for temporary files, so it is not read.`,
    });
  }
});

it("a folder beside the project whose name begins the same is not in it", async () => {
  const { root, opened } = aProject();
  mkdirSync(join(root, "project-2"));
  writeFileSync(join(root, "project-2", "a.png"), png);
  await expect(opened("../project-2/a.png")).rejects.toMatchObject({ code: "VALIDATION" });
});

it("only plain files that are pictures by their bytes are opened, and a pipe holds up nothing", async () => {
  const { project, opened } = aProject();
  writeFileSync(join(project, "notes.png"), "my password");
  writeFileSync(join(project, "run.png"), "<svg onload='alert(1)'/>");
  writeFileSync(join(project, "empty.png"), "");
  execFileSync("mkfifo", [join(project, "pipe.png")]);
  writeFileSync(join(project, "huge.png"), png);
  truncateSync(join(project, "huge.png"), 20_000_001);
  const refused: [string, string][] = [
    ["notes.png", "notes.png is not a PNG, JPEG, GIF or WebP."],
    ["run.png", "run.png is not a PNG, JPEG, GIF or WebP."],
    ["empty.png", "empty.png is not a PNG, JPEG, GIF or WebP."],
    ["shots", "shots is not a file."],
    ["pipe.png", "pipe.png is not a file."],
    ["missing.png", "missing.png cannot be read: ENOENT."],
    ["a\0.png", "cannot be read"],
    ["huge.png", "The file has 20 MB; one may have at most 20 MB."],
  ];
  for (const [path, message] of refused) await expect(opened(path)).rejects.toThrow(message);
});

it("a file that links take turns in place of is never read from elsewhere", async () => {
  const { project, elsewhere, opened } = aProject();
  const [target, own] = [join(project, "turn.png"), join(project, "own.png")];
  writeFileSync(own, png);
  writeFileSync(join(elsewhere, "secret.png"), Buffer.concat([png, Buffer.alloc(7)]));
  let isOver = false;
  const swapping = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      rmSync(target, { force: true });
      symlinkSync(turn % 2 === 0 ? own : join(elsewhere, "secret.png"), target);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let tries = 0; tries < 200; tries += 1) {
    const facts = await opened("turn.png").catch(({ code }: { code: string }) => code);
    expect(facts).toSatisfy((found: unknown) => found === "VALIDATION" || (found as PictureFile).size === png.length);
  }
  isOver = true;
  await swapping;
});

it("the paths of an ask are uploaded once each, and whatever is no path is left to the hub", async () => {
  const { project } = aProject();
  const uploads: string[] = [];
  const images = [
    "shots/a.png",
    `file://${project}/shots/a.png`,
    "data:image/png;base64,AA==",
    "upload:1/a.png",
    "https://example.com/a.png",
  ];
  const request: AskRequest = parseAsk(
    { questions: [{ question: "Which?", images, options: [{ label: "A", images: [{ src: "shots/a.png", alt: "Blue" }] }, "B"] }] },
    { ids: testPlatform().ids },
  );
  const upload = async ({ name }: PictureFile) => `upload:${uploads.push(name)}/${name}`;
  const sent = await withUploads(request, { base: project, folders: [project], upload });
  expect(uploads).toEqual(["a.png", "a.png"]);
  const [question] = sent.questions;
  expect(question).toMatchObject({
    images: [{ src: "upload:1/a.png" }, { src: "upload:2/a.png" }, ...images.slice(2).map((src) => ({ src }))],
    options: [{ images: [{ src: "upload:1/a.png", alt: "Blue" }] }, { label: "B" }],
  });
  expect(await withUploads(sent, { base: project, folders: [project], upload })).toBe(sent);
});
