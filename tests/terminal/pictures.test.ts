import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { inboxForEachTest } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

const png = Buffer.alloc(60);
Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(png);
png.writeUInt32BE(200, 16);
png.writeUInt32BE(200, 20);
const picture = png.toString("base64");

const which: Question = {
  id: "q_which",
  type: "select",
  question: "Which header?",
  required: true,
  allowOther: false,
  images: [{ src: "header.png", alt: "The header" }],
  options: ["Light", "Dark"].map((label) => ({ label, value: label })),
};
const removed = "\u001b_Ga=d,d=I,i=4217,q=2\u001b\\";

test("in kitty, v shows a picture on a screen of its own, and the form is there again afterwards", async () => {
  const id = await inbox.hub.ask({ questions: [which] });
  const terminal = inbox.open({ env: { TERM: "xterm-kitty" }, tui: { picture } });
  await terminal.sees("Press v to see it.");
  terminal.send("v");
  await terminal.sees("esc back");
  await terminal.until(() => terminal.output().includes(`q=2,m=0;${picture}\u001b\\`), "the picture");
  expect(terminal.screen()[0]).toContain("Picture: header.png");
  expect(terminal.text()).not.toContain("Which header?");
  terminal.send(keys.escape);
  await terminal.sees("Which header?");
  const output = terminal.output();
  expect(output.lastIndexOf(removed)).toBeGreaterThan(output.lastIndexOf("a=T"));
  terminal.send("2", keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["Dark"] }]);
});

test("the program ends with a picture on the screen, and leaves the terminal as it was", async () => {
  await inbox.hub.ask({ questions: [which] });
  const terminal = inbox.open({ isProcess: true, env: { TERM: "xterm-kitty" }, tui: { picture } });
  await terminal.sees("Press v to see it.");
  terminal.send("v");
  await terminal.sees("esc back");
  terminal.kill("SIGTERM");
  expect(await terminal.exited).toBe(0);
  const output = terminal.output();
  expect(output.lastIndexOf(removed)).toBeGreaterThan(output.lastIndexOf("a=T"));
  expect(output.lastIndexOf("\u001b[?1049l")).toBeGreaterThan(output.lastIndexOf("\u001b[?1049h"));
  expect(output.lastIndexOf("\u001b[?25h")).toBeGreaterThan(output.lastIndexOf("\u001b[?25l"));
});
