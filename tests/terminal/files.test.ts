import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startAgent } from "../faults/support/agent.ts";
import { askbox, faultHome } from "../faults/support/home.ts";
import { pendingSession } from "../faults/support/questions.ts";
import { png } from "../setup/png.ts";
import { keys, type Size, terminals } from "./support/terminal.ts";

/** An agent that asks, its call, and terminals that show its question. */
async function asked(question: string, more: Record<string, unknown> = {}) {
  const home = faultHome();
  const opened = terminals();
  onTestFinished(() => opened.close());
  const agent = await startAgent(home);
  const call = agent.ask(question, more);
  const { desk } = await home.connect({ role: "desk", start: true });
  const { id } = await pendingSession(desk, question);
  const [node = "", script = ""] = askbox;
  const open = (size: Partial<Size> = {}) => opened.open({ ...size, command: [node, script, "--session", id], env: home.env });
  return { home, call, open };
}

test("files attached to a message, by a completed path and by dropping one, reach the agent with it", async () => {
  const { home, call, open } = await asked("How should it look?");
  const picture = png(2, 1, 0);
  writeFileSync(join(home.folder, "shot.png"), picture);
  writeFileSync(join(home.folder, "run log.txt"), "It failed.\n");
  const terminal = open();
  await terminal.sees("Type your answer");
  terminal.send("\u001bi");
  await terminal.sees("Ask the agent first.");
  terminal.send("Like this?", keys.ctrl("o"));
  await terminal.sees("The path of a file");
  terminal.send(join(home.folder, "sho"), keys.tab);
  await terminal.sees("shot.png");
  terminal.send(keys.enter);
  await terminal.sees(`shot.png (${picture.length} bytes, image/png)`);
  terminal.send(keys.paste(`'${join(home.folder, "run log.txt")}' `));
  await terminal.sees("run log.txt (11 bytes, text/plain)");
  terminal.send(keys.enter);
  const [message] = (await call.reply).result?.askedBack ?? [];
  expect(message).toMatchObject({ text: "Like this?", files: [{ name: "shot.png" }, { name: "run log.txt" }] });
  expect(readFileSync(message?.files?.[0]?.path ?? "")).toEqual(picture);
  await terminal.sees(/Asked back.*Like this\?.*run log\.txt/s);
});

test("files attached to the comment on all answers show on another terminal, and reach the agent; a removed one does not", async () => {
  const questions = ["Which?", "Why?"].map((question) => ({ question, required: false }));
  const { home, call, open } = await asked("Which?", { questions });
  const picture = png(2, 1, 0);
  writeFileSync(join(home.folder, "shot.png"), picture);
  writeFileSync(join(home.folder, "run log.txt"), "It failed.\n");
  const inReview = async (size: Size) => {
    const terminal = open(size);
    await terminal.sees("Type your answer");
    terminal.send(keys.ctrl("s"));
    await terminal.sees("› [ Send ]");
    return terminal;
  };
  const terminal = await inReview({ columns: 40, rows: 12 });
  for (const [path, shown] of [
    [join(home.folder, "sho"), "shot.png ("],
    [join(home.folder, "run"), "run log.txt ("],
  ] as const) {
    terminal.send("F");
    await terminal.sees("The path of a file");
    terminal.send(path, keys.tab);
    await terminal.sees(shown.slice(0, -2));
    terminal.send(keys.enter);
    await terminal.sees(shown);
  }
  const other = await inReview({ columns: 80, rows: 24 });
  await other.sees(/A comment for the agent\s+shot\.png \(\d+ bytes, image\/png\)\s+run log\.txt \(11 bytes, text\/plain\)\s+› \[ Send \]/);
  other.send(keys.up);
  await other.sees("› run log.txt");
  other.send("\u001b[3~");
  await other.sees("Removed run log.txt.");
  await terminal.until((screen) => !screen.includes("(11 bytes, text/plain)"), "the file to be gone here, too");
  terminal.send(keys.ctrl("s"));
  const { comment, files = [] } = (await call.reply).result ?? {};
  expect([comment, files.map(({ name, mimeType }) => [name, mimeType])]).toEqual([undefined, [["shot.png", "image/png"]]]);
  expect(readFileSync(files[0]?.path ?? "")).toEqual(picture);
});
