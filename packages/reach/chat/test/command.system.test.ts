import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { standardPlatform } from "@askbox/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "../../../../tests/command/support/home.ts";
import { until } from "../../../../tests/support/until.ts";
import { countedNetwork } from "./support/network.ts";
import { telegramChat } from "./support/telegram-service.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
  await writeFile(join(home.path, "config.json"), JSON.stringify({ undo: 0 }));
  await home.serve();
});
afterEach(() => home.close());

test("a person pairs with a bot in a terminal, is asked in the chat, answers there, and is removed", async () => {
  const service = await telegramChat.start(standardPlatform(globalThis).clock, countedNetwork());
  const {
    name,
    secrets: { token = "" },
  } = service;
  const { title } = telegramChat;
  const wrong = await home.run(["chat", name, "--api", service.url], { stdin: "not a token\n" });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("This is not the bot's token") });
  const foreign = await home.run(["chat", name, "--api", service.url], { stdin: token.replace(/\w$/, "0") });
  expect(foreign.stderr).toContain(`${title} does not know this token`);

  const pairing = home.start(["chat", name, "--api", service.url, "--after", "0", "--person", "Ada L."], { stdin: token });
  const [, code = ""] = await pairing.says(/^([A-Z2-9]{4}-[A-Z2-9]{4})$/m);
  service.write(code);
  expect(await pairing.done).toMatchObject({ code: 0, stdout: expect.stringContaining(`Ada L. can answer in ${title} now.`) });
  expect((await stat(join(home.path, "chat.json"))).mode & 0o077).toBe(0);

  const asked = home.start(["ask", "Deploy?", "--type", "confirm"]);
  await until("it was posted", () => service.messages.some(({ text }) => text.includes("Deploy?")));
  const message = service.messages.find(({ text }) => text.includes("Deploy?"));
  if (message !== undefined) service.press(message, "Yes");
  expect(await asked.done).toMatchObject({ code: 0, stdout: "yes\n" });
  await until("the message says so", () => message?.text.includes(`Answered by Ada L. in ${title}.`) === true);

  const doctor = home.start(["doctor", "--send"]);
  await until("a test was posted", () => service.messages.some(({ text }) => text.includes("A test of askbox")));
  const tested = service.messages.find(({ text }) => text.includes("A test of askbox"));
  if (tested !== undefined) service.press(tested, "It works");
  expect((await doctor.done).stdout.replace(/\s+/g, " ")).toMatch(
    new RegExp(`The test by ${title} to Ada L\\. was sent, and its button pressed after \\d\\.\\d s\\.`),
  );

  expect((await home.run(["chat", "list"])).stdout).toBe(
    `${title}, as ${service.bot.name}; what nobody has seen for 0 s\n- to Ada L.\n- answers from Ada L.\n`,
  );
  expect((await home.run(["hub", "status"])).stdout).toContain(`Chat       ${name}, as ${service.bot.name}\n`);
  expect((await home.run(["chat", "remove", name, "Ada L."])).stdout).toBe(`Removed Ada L. from ${title}.\n`);
  expect((await home.run(["chat", "list"])).stdout).toBe("There are no chats; askbox chat telegram adds one.\n");
});

test("a group is paired by the person who sends the line there, and the terminal names who can answer", async () => {
  const service = await telegramChat.start(standardPlatform(globalThis).clock, countedNetwork());
  const stdin = `${service.secrets["token"]}\n`;
  const pairing = home.start(["chat", "telegram", "--api", service.url, "--group", "--person", "Grace"], { stdin });
  const [line = ""] = await pairing.says(/^.*[A-Z2-9]{4}-[A-Z2-9]{4}$/m);
  const { team, grace } = service;
  service.write(line, { chat: team.chat, group: team.title, from: grace });
  expect((await pairing.done).stdout).toContain(`\nGrace can answer in ${team.title} in Telegram now. `);
});
