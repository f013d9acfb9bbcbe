import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAsk } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { expect, onTestFinished, test } from "vitest";
import { hubFileSource } from "../src/files.ts";

const file: AnswerFile = { name: "shot.png", mimeType: "image/png", size: 5, sha256: "ab".repeat(32) };

/** A hub that serves one file, and a project for it. */
async function aProject() {
  const asked: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    if (url.startsWith("/healthz")) {
      response.end(JSON.stringify({ status: "ok", version: "1", instance: "run-1" }));
      return;
    }
    asked.push(`${headers.authorization} ${url}`);
    if (url.includes("name=")) {
      response.writeHead(201).end(JSON.stringify({ sha256: file.sha256, size: 16, src: "upload:1/a.png" }));
      return;
    }
    if (url.includes("fit=1") && url.includes("cd".repeat(32))) {
      response
        .writeHead(400, { "content-type": "application/problem+json" })
        .end(JSON.stringify({ code: "VALIDATION", detail: "It is broken." }));
      return;
    }
    response.writeHead(200, { "content-type": "image/png" }).end("hello");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const folder = mkdtempSync(join(tmpdir(), "askbox-files-"));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const project = join(folder, "project");
  mkdirSync(project);
  const source = hubFileSource({ role: "asker", hubUrl: url, token: "abx_token", env: { ASKBOX_HOME: join(folder, "home") } });
  const place = (files = [file]) => source.place?.("s1", files, { signal: AbortSignal.timeout(60_000), identity: { project } });
  return { folder, project, source, place, asked };
}

test("files of answers are written to .askbox/files in the project, once, for this user only", async () => {
  const { project, place, asked } = await aProject();
  const path = join(project, ".askbox", "files", "abababababab-shot.png");
  expect((await place())?.paths).toEqual(new Map([[file.sha256, path]]));
  await place();
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777, asked.length]).toEqual(["hello", 0o600, 1]);
  expect(asked[0]).toBe(`Bearer abx_token /api/files?session=s1&id=${file.sha256}`);
});

test.each([
  ["is ignored by git", ".askbox/\n", "Git ignores these paths, and so may your tool for reading files."],
  ["is not", "node_modules/\n", "Git doesn't ignore these paths: leave them out of commits, unless the person wants them there."],
])("the agent is told whether the folder %s", async (_what, ignored, remark) => {
  const { project, place } = await aProject();
  execFileSync("git", ["-C", project, "init", "--quiet"]);
  writeFileSync(join(project, ".gitignore"), ignored);
  expect((await place())?.remark).toBe(remark);
});

test("git fetches nothing that a partial clone lacks", async () => {
  const { folder, project, place } = await aProject();
  const source = join(folder, "source");
  const git = (...args: readonly string[]) => execFileSync("git", args, { stdio: "pipe", encoding: "utf8" });
  git("init", "--quiet", source);
  writeFileSync(join(source, ".gitignore"), ".askbox/\n");
  git("-C", source, "add", ".");
  git("-C", source, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", "first");
  for (const name of ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"]) git("-C", source, "config", name, "true");
  git("clone", "--quiet", "--filter=blob:none", "--no-checkout", `file://${source}`, project);
  // As in a sparse checkout.
  git("-C", project, "read-tree", "HEAD");
  git("-C", project, "update-index", "--skip-worktree", ".gitignore");
  const lacking = () => git("-C", project, "rev-list", "--objects", "--all", "--missing=print").match(/^\?/gm)?.length;
  expect(lacking()).toBe(1);
  expect((await place())?.remark).toBeUndefined();
  expect(lacking()).toBe(1);
});

test.each([[".askbox"], [".askbox/files"]])("nothing is written through a link at %s", async (link) => {
  const { folder, project, place, asked } = await aProject();
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  if (link !== ".askbox") mkdirSync(join(project, ".askbox"));
  symlinkSync(elsewhere, join(project, link));
  expect(await place()).toBeUndefined();
  expect([readdirSync(elsewhere), asked]).toEqual([[], []]);
});

test("a link in the place of a file is replaced, and what it leads to stays", async () => {
  const { folder, project, place } = await aProject();
  const [target, secret] = [join(project, ".askbox", "files"), join(folder, "secret")];
  mkdirSync(target, { recursive: true });
  writeFileSync(secret, "mine!");
  symlinkSync(secret, join(target, "abababababab-shot.png"));
  await place();
  expect([readFileSync(secret, "utf8"), readFileSync(join(target, "abababababab-shot.png"), "utf8")]).toEqual(["mine!", "hello"]);
});

test("a name with folders stays in the folder", async () => {
  const { project, place } = await aProject();
  await place([{ ...file, name: "../../../evil.png" }]);
  expect(existsSync(join(project, ".askbox", "files", "abababababab-.._.._.._evil.png"))).toBe(true);
});

test("the pictures of a question are read from the project and uploaded, and nothing else is", async () => {
  const { folder, project, source, asked } = await aProject();
  const bytes = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  writeFileSync(join(project, "a.png"), bytes);
  writeFileSync(join(folder, "home.png"), bytes);
  const send = (where: string, ...images: string[]) => {
    const request = parseAsk({ questions: [{ question: "Which?", images }] }, { ids: { question: () => "q_000001" } });
    return source.send?.(request, { signal: AbortSignal.timeout(60_000), identity: { project: where } });
  };
  expect((await send(project, "a.png"))?.questions[0]?.images).toEqual([{ src: "upload:1/a.png" }]);
  expect(asked).toEqual([expect.stringMatching(/^Bearer abx_token \/api\/files\?name=a\.png&upload=[\w-]{36}&offset=0&size=16$/)]);
  // A server that was started in the root folder has no project there.
  const outside = await mkdtemp("/var/tmp/askbox-outside-");
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, "a.png"), bytes);
  for (const [where, path] of [
    [project, join(outside, "a.png")],
    ["/", join(outside, "a.png")],
  ] as const) {
    await expect(send(where, path)).rejects.toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining("is not in the project"),
    });
  }
  expect(asked).toHaveLength(1);
});

test("a picture comes from the hub, or why it can't be shown", async () => {
  const { source } = await aProject();
  const signal = AbortSignal.timeout(60_000);
  expect(await source.picture("s1", file, { signal })).toEqual({ data: Buffer.from("hello"), mimeType: "image/png" });
  expect(await source.picture("s1", { ...file, sha256: "cd".repeat(32) }, { signal })).toBe("It is broken.");
});
