import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AskResult } from "@askbox/core";
import { expect, test } from "vitest";
import { phone } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { give, png } from "./support/given-files.ts";
import { stdioAgent } from "./support/stdio-agent.ts";
import { until } from "./support/until.ts";

const { ask, opened } = stdioAgent();

test("pictures are pasted, dropped and picked, kept in the draft on every device, and reach the agent with the answer", async () => {
  const { id, result } = await ask({ questions: [{ id: "look", question: "How should it look?" }] });
  const page = await opened(id, { viewport: phone });
  await page.getByRole("button", { name: "Attach a file" }).waitFor();
  await page.getByTestId("pick-files").setInputFiles([
    { name: "picked.png", mimeType: "image/png", buffer: png },
    { name: "large.log", mimeType: "text/plain", buffer: Buffer.alloc(3_000_000, "line\n") },
  ]);
  await give(page, "paste", "pasted.png");
  await give(page, "drop", "dropped.png");
  await until(async () => (await page.locator(".file-picture").count()) === 3, "three thumbnails");
  await until(
    async () => (await page.locator(".file-facts").count()) === 4 && (await page.locator("progress").count()) === 0,
    "four files",
  );
  await page.getByLabel("Caption of pasted.png").fill("The new header");
  await page.getByRole("button", { name: "Remove dropped.png" }).click();
  expect(await flaws(page, "files on a phone")).toEqual([]);

  const other = await opened(id, { viewport: phone });
  await until(
    async () => (await other.getByLabel("Caption of pasted.png").inputValue()) === "The new header",
    "the draft on another device",
  );
  await until(async () => (await other.locator(".file-picture").count()) === 2, "its thumbnails");
  await other.keyboard.press("ControlOrMeta+Enter");
  const files = (await result()).answers[0]?.files ?? [];
  expect(files.map(({ name, mimeType, size }) => [name, mimeType, size]).sort()).toEqual([
    ["large.log", "text/plain", 3_000_000],
    ["pasted.png", "image/png", png.length + "pasted.png".length],
    ["picked.png", "image/png", png.length],
  ]);
  for (const { path = "", sha256 } of files) expect(createHash("sha256").update(readFileSync(path)).digest("hex")).toBe(sha256);
  await until(async () => (await other.locator('[data-testid="outcome"] .file-picture').count()) === 2, "the thumbnails of the answer");
});

test("a picture pasted at the end of a set belongs to the comment on all of it, and stays when it is reloaded", async () => {
  const { id, result } = await ask({
    questions: [
      { id: "sure", type: "confirm", question: "Sure?" },
      { id: "now", type: "confirm", question: "Now?" },
    ],
  });
  const page = await opened(id);
  await page.locator(".question").waitFor();
  for (const key of ["y", "Enter", "y", "Enter"]) await page.keyboard.press(key);
  const comment = page.locator(".comment");
  await comment.getByRole("button", { name: "Attach a file" }).waitFor();
  // Playwright doesn't wait until choosers are intercepted, and the browser without a screen cancels one that isn't.
  const chooser = page.waitForEvent("filechooser");
  await give(page, "paste", "pasted.png", "body");
  await comment.locator(".file-picture").waitFor();
  await page.keyboard.press("Shift+F");
  await (await chooser).setFiles({ name: "picked.png", mimeType: "image/png", buffer: png });
  await until(async () => (await comment.locator(".file-picture").count()) === 2, "both thumbnails");
  await comment.getByLabel("Caption of pasted.png").fill("All of it");
  await page.reload();
  await page.locator(".question").waitFor();
  await page.keyboard.press("l");
  await page.keyboard.press("l");
  await until(async () => (await comment.locator(".file-picture").count()) === 2, "both thumbnails after the reload");
  expect(await flaws(page, "files of a comment")).toEqual([]);
  await page.keyboard.press("ControlOrMeta+Enter");
  const { answers, comment: words, files = [] } = await result();
  expect([answers.map(({ values }) => values), words]).toEqual([[["yes"], ["yes"]], undefined]);
  expect(files.map(({ name, caption }) => [name, caption])).toEqual([
    ["pasted.png", "All of it"],
    ["picked.png", undefined],
  ]);
  for (const { path = "", sha256 } of files) expect(createHash("sha256").update(readFileSync(path)).digest("hex")).toBe(sha256);
  await until(async () => (await page.locator('[data-testid="outcome"] .file-picture').count()) === 2, "the thumbnails of the outcome");
});

test("a picture pasted into what is asked back reaches the agent with it, and stays in the thread", async () => {
  const { id, call } = await ask({ questions: [{ id: "look", question: "How should it look on a phone?" }] });
  const page = await opened(id, { viewport: phone });
  await page.getByRole("button", { name: "Ask the agent" }).click();
  const field = page.getByRole("textbox", { name: "What do you want to know first?" });
  await page.locator(".thread-ask").getByRole("button", { name: "Attach a file" }).waitFor();
  await give(page, "paste", "pasted.png", ".thread-ask");
  const thumbnail = page.locator(".thread-ask .file-picture");
  await thumbnail.waitFor();
  expect(await page.locator(".question .file").count()).toBe(0);
  await page.reload();
  await page.getByRole("button", { name: "Ask the agent" }).click();
  await thumbnail.waitFor();
  expect(await flaws(page, "asking back with a picture")).toEqual([]);
  await field.fill("Like this?");
  // With an answer that is ready to be sent, a key in a caption is still only about the message.
  await page.getByRole("textbox", { name: "How should it look on a phone?" }).fill("Wide");
  const caption = page.getByLabel("Caption of pasted.png");
  await caption.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Ask the agent" }).click();
  // Letter by letter, the first of which changes what the keys do.
  await caption.pressSequentially("The header");
  await caption.press("Enter");
  const { askedBack } = (await call).structuredContent as unknown as AskResult;
  const [file] = askedBack?.[0]?.files ?? [];
  expect([askedBack?.[0]?.text, file?.name, file?.mimeType, file?.caption]).toEqual([
    "Like this?",
    "pasted.png",
    "image/png",
    "The header",
  ]);
  expect(
    createHash("sha256")
      .update(readFileSync(file?.path ?? ""))
      .digest("hex"),
  ).toBe(file?.sha256);
  await page.locator(".thread-message .file-picture").waitFor();
  await page.getByRole("button", { name: "Ask the agent" }).click();
  await until(async () => (await field.inputValue()) === "" && (await page.locator(".thread-ask .file").count()) === 0, "a blank field");
});

test("a question for files takes only what it accepts, and is answered by their names once they have arrived, however early it was sent", async () => {
  const { id, result } = await ask({
    questions: [{ id: "shot", question: "What does it look like?", type: "file", accept: ["image/*"], maxFiles: 2, maxBytes: 1_000_000 }],
  });
  const page = await opened(id, { viewport: phone });
  const choose = page.getByRole("button", { name: "Choose a file, or drop or paste it here" });
  await choose.waitFor();
  await page.getByText("Pictures · Up to 2 files · At most 1 MB each").waitFor();
  expect(await flaws(page, "a question for files")).toEqual([]);
  await page.getByTestId("pick-files").setInputFiles([{ name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no picture") }]);
  await page.getByText("Files of another type were asked for: image/*.").waitFor();
  await page.getByRole("button", { name: "Remove notes.png" }).click();
  await page.getByTestId("pick-files").setInputFiles([{ name: "huge.png", mimeType: "image/png", buffer: Buffer.alloc(1_100_000) }]);
  await page.getByText("Too large: at most 1 MB per file.").waitFor();
  await page.getByRole("button", { name: "Remove huge.png" }).click();
  const thumbnails = (count: number) => until(async () => (await page.locator(".file-picture").count()) === count, `${count} thumbnails`);
  await give(page, "paste", "pasted.png");
  await thumbnails(1);
  const arrival = Promise.withResolvers<void>();
  await page.route("**/api/files?*", async (route) => {
    if (route.request().method() === "PATCH") await arrival.promise;
    await route.continue();
  });
  await give(page, "drop", "dropped.png");
  await page.getByRole("progressbar", { name: "Uploading dropped.png" }).waitFor();
  await choose.waitFor({ state: "detached" });
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.getByText("Sending…").waitFor({ state: "attached" });
  arrival.resolve();
  expect((await result()).answers[0]).toMatchObject({
    values: ["pasted.png", "dropped.png"],
    files: [{ name: "pasted.png" }, { name: "dropped.png" }],
  });
});
