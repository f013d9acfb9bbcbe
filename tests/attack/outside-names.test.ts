import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { standardPlatform } from "@askbox/core";
import { anAsker } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { createCode, hashOfCode } from "../../packages/reach/chat/src/settings.ts";
import { countedNetwork } from "../../packages/reach/chat/test/support/network.ts";
import { option, permission, select } from "../../packages/reach/chat/test/support/scene.ts";
import type { Service } from "../../packages/reach/chat/test/support/service.ts";
import { telegramChat } from "../../packages/reach/chat/test/support/telegram-service.ts";
import { askbox, type FaultHome, faultHome } from "../faults/support/home.ts";
import { until } from "../support/until.ts";

/** Names that every object of JavaScript has. */
const names = ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "__defineGetter__", "__lookupSetter__"];

/** A hub with a bot of the stand-in, with the people and places that an earlier askbox has stored, or this one. */
async function hubWithChat(desk: (service: Service) => object): Promise<{ home: FaultHome; service: Service; settings(): object }> {
  const service = await telegramChat.start(standardPlatform(globalThis).clock, countedNetwork());
  const home = faultHome();
  writeFileSync(home.files.config, JSON.stringify({ undo: 0 }));
  const file = join(home.folder, "chat.json");
  const { secrets, bot, url } = service;
  writeFileSync(file, JSON.stringify({ telegram: { secrets, bot, api: url, after: 0, ...desk(service) } }), { mode: 0o600 });
  await home.startHub();
  return { home, service, settings: () => JSON.parse(readFileSync(file, "utf8")).telegram };
}
const alone = ({ ada }: Service) => ({
  people: [{ id: ada.id, name: ada.name }],
  places: [{ chat: ada.chat, person: ada.id, allow: true }],
});

// promise: outside-names, chat-failure-holds-back-nothing
test("questions with the names of every object are posted in a chat, shown and answered, and hold back no other", async () => {
  const { home, service } = await hubWithChat(alone);
  const { asker } = await home.connect({ role: "asker" });
  const { desk } = await home.connect({ role: "desk" });
  const ask = async (title: string, ids: readonly string[]) => {
    const questions = ids.map((id) => select(["A", "B"], { id, question: `${title} ${id}?` }));
    return (await asker.ask({ title, questions, timeout: 600_000 }, { asker: anAsker(), key: title, maxWait: 0 })).session.id;
  };
  const posted = (title: string) => until(`${title} was posted`, () => service.messages.find((message) => message.text.includes(title)));
  const answered = (id: string) => until("it was answered", async () => (await desk.get(id)).outcome);
  const whole = await ask("All of them", names);
  await desk.saveDraft(whole, { comment: "not yet" });
  const shown = await home.run(["show", whole]);
  expect([shown.code, shown.stdout.includes("not yet")]).toEqual([0, true]);
  const message = await posted("All of them");
  for (const name of names) {
    await until(`it asks ${name}`, () => message.text.includes(`${name}?`));
    service.press(message, "B");
  }
  await until("all are picked", () => message.buttons.some(({ label }) => label === "Send"));
  const single = await ask("One of them", ["constructor"]);
  service.press(await posted("One of them"), "A");
  expect(await answered(single)).toMatchObject({ answers: [{ questionId: "constructor", values: ["A"] }] });
  service.press(message, "Send");
  expect(await answered(whole)).toMatchObject({ answers: names.map((questionId) => ({ questionId, values: ["B"] })) });
  expect(home.log().filter(({ level }) => level === "error")).toEqual([]);
});

// promise: outside-names
test("a client's own question with the name of every object is answered, never allowed without an answer", async () => {
  const { home } = await hubWithChat(alone);
  const { desk } = await home.connect({ role: "desk" });
  const asked = ["__proto__", ...names]
    .slice(0, 4)
    .map((question) => ({ question, header: question, options: [option("A"), option("B")] }));
  const event = {
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: home.folder,
    tool_name: "AskUserQuestion",
    tool_input: { questions: asked },
  };
  const [node = "", script = ""] = askbox;
  const hook = spawn(node, [script, "hook", "claude-code"], { env: home.env, stdio: ["pipe", "pipe", "ignore"] });
  hook.stdin.end(JSON.stringify(event));
  const session = await until("it was asked", async () => (await desk.list({ statuses: ["pending"] })).items[0]);
  await desk.answer(session.id, { answers: session.questions.map(({ id }) => ({ questionId: id, values: ["B"] })) });
  const answers = `{${asked.map(({ question }) => `"${question}":"B"`).join()}}`;
  expect(await text(hook.stdout)).toContain(`"answers":${answers}`);
});

// promise: chat-rights-by-place
test("who was paired alone without the right to allow has none in a group that another one may allow in", async () => {
  const { home, service } = await hubWithChat(({ ada, grace, team }) => ({
    people: [ada, grace].map(({ id, name }) => ({ id, name })),
    places: [
      { ...team, allow: true },
      { chat: ada.chat, person: ada.id, allow: true },
      { chat: grace.chat, person: grace.id, allow: false },
    ],
  }));
  const { asker } = await home.connect({ role: "asker" });
  const { desk } = await home.connect({ role: "desk" });
  const { session } = await asker.ask(
    { questions: [permission({ command: "rm -rf build" })], timeout: 600_000 },
    { asker: anAsker(), maxWait: 0 },
  );
  const message = await until("it was posted in the group", () => service.messages.find(({ chat }) => chat === service.team.chat));
  service.press(message, "Allow once", service.grace);
  await until("she was refused", () => service.told.some((said) => said.startsWith("You can deny actions here")));
  expect((await desk.get(session.id)).status).toBe("pending");
  service.press(message, "Allow once", service.ada);
  await until("he allowed it", async () => (await desk.get(session.id)).outcome);
});

// promise: chat-removed-stays-out
test("who is removed while codes come stays removed", async () => {
  const code = createCode();
  const { home, service, settings } = await hubWithChat((its) => ({
    people: [its.ada, its.grace].map(({ id, name }) => ({ id, name })),
    places: [its.ada, its.grace].map(({ id, chat }) => ({ chat, person: id, allow: true })),
    pairing: { hash: hashOfCode(code), until: 2e12, group: false, allow: false, wrong: -1_000 },
  }));
  const { mallory, grace, ada } = service;
  await until("the bot is read", () => service.isRead());
  let isRemoved = false;
  const removed = home.run(["chat", "remove", "telegram", "Grace"]).finally(() => {
    isRemoved = true;
  });
  const wrong = () => service.messages.filter(({ text: said }) => said.startsWith("This is not the code")).length;
  // One after the other, so that some are taken while the command writes.
  while (!isRemoved) {
    const before = wrong();
    service.write(createCode(), { chat: mallory.chat, from: mallory });
    await until("it was refused", () => wrong() > before);
  }
  expect((await removed).code).toBe(0);
  service.write(code, { chat: mallory.chat, from: mallory });
  await until("the code was taken", () => service.messages.some(({ text: said }) => said.startsWith("Paired.")));
  expect(settings()).toMatchObject({ people: [{ id: ada.id }, { id: mallory.id }], places: [{ chat: ada.chat }, { chat: mallory.chat }] });
  service.write("list", { chat: grace.chat, from: grace });
  await until("she is refused", () =>
    service.messages.some(({ chat, text: said }) => chat === grace.chat && said.startsWith("You can't answer")),
  );
});
