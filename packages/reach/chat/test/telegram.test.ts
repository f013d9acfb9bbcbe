import { AskboxError } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { describe, expect, test } from "vitest";
import { createCode, hashOfCode } from "../src/settings.ts";
import { eventOfUpdate, updateSchema } from "../src/telegram/messages.ts";
import { abuseContract } from "./contract/abuse.ts";
import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { placesContract } from "./contract/places.ts";
import { inTeam, permission, scene, staging } from "./support/scene.ts";
import { telegramChat } from "./support/telegram-service.ts";

abuseContract(telegramChat);
askingContract(telegramChat);
peopleContract(telegramChat);
placesContract(telegramChat);

test("a button of a message that was shared by way of another bot is refused", async () => {
  const { posted, service, told, status } = await scene(telegramChat);
  const { id, message } = await posted();
  service.forge({ chat: message.chat, message: "", id: message.buttons[0]?.id ?? "", from: service.ada });
  await told("This button belongs to another message.");
  expect(await status(id)).toBe("pending");
});

test("a file sent as the message to the agent goes with it, and none with a comment", async () => {
  const { posted, service, until, fill, desk, told } = await scene(telegramChat);
  const { id, message } = await posted();
  const files = [{ name: "a.txt", bytes: Buffer.from("A") }];
  service.press(message, "More…");
  await until(() => message.buttons.some(({ label }) => label === "Ask back"));
  service.press(message, "Ask back");
  await fill("", files);
  const thread = await until(async () => (await desk.get(id)).thread);
  expect(thread).toMatchObject([{ text: "", files: [{ name: "a.txt", mimeType: "text/plain", size: 1 }], by: { name: "Ada" } }]);
  service.press(message, "Comment");
  await fill("See", files);
  await told("A file goes with an answer: reply to the question with it.");
});

test("what an anonymous admin or a channel writes in a group is nobody's: all of them have the same account there", () => {
  const update = (more = {}) =>
    eventOfUpdate(
      updateSchema.parse({
        update_id: 1,
        message: {
          message_id: 2,
          chat: { id: -5, type: "supergroup", title: "Team" },
          from: { id: 1087968824, is_bot: true, first_name: "Group" },
          text: "/pair K7QF-2M9X",
          ...more,
        },
      }),
    );
  expect(update()).toMatchObject({ from: { id: "1087968824" } });
  expect(update({ sender_chat: { id: -5, type: "supergroup", title: "Team" } })).toBeUndefined();
});

test("a write that Redis has made without confirming it doesn't end the chat of a hub", async () => {
  const its = await scene(telegramChat, { starts: false });
  const shared = sharedMemory(its.clock).open();
  let unconfirmed = 0;
  const swap: typeof shared.swap = async (key, ...change) => {
    const isDone = await shared.swap(key, ...change);
    if (key !== "chat:telegram" || unconfirmed === 0) return isDone;
    unconfirmed -= 1;
    throw new AskboxError("STORE_UNAVAILABLE", "Redis has the change, but its disk has not confirmed it.");
  };
  await its.open({ shared: { ...shared, swap } });
  for (const title of ["Before", "Meanwhile", "After"]) {
    unconfirmed = title === "Meanwhile" ? 2 : 0;
    const { id, message } = await its.posted({ ...staging, title });
    its.service.press(message, "Staging");
    await its.outcome(id);
  }
});

describe("a group of Telegram that becomes a supergroup", () => {
  // promise: chat-follows-its-group
  test.each([
    ["says so", true],
    ["is only noticed when something is sent to it", false],
  ])("and %s gets what is open and what comes, and its people answer there", async (_how, isTold) => {
    const { clock, service, settings, last, posted, ask, until, outcome, log } = await scene(telegramChat, {
      settings: inTeam,
      denialDigest: 60_000,
    });
    const { ada, grace, team } = service;
    const denial = { reviewer: "auto mode", status: "denied" };
    const denied = await posted({ questions: [permission({ command: "ls" }, { denial })] }, team.chat);
    expect(denied.message.text).toContain("1 call was denied by a model");
    const open = await posted({ ...staging, title: "Open" }, team.chat);
    const to = service.moveTeam?.({ isTold }) ?? "";
    const id = await ask({ ...staging, title: "After it" });
    const after = await until(() => service.messages.find(({ chat, text }) => chat === to && text.includes("After it")));
    expect(settings()?.places).toEqual([
      { chat: to, title: team.title, members: [ada, grace].map(({ id: person }) => ({ person, allow: false })) },
    ]);
    service.press(after, "Staging", grace);
    expect(await outcome(id)).toMatchObject({ by: { name: "Grace" } });
    const again = await until(() => service.messages.find(({ chat, text }) => chat === to && text.includes("Open")));
    service.press(again, "Production", ada);
    expect(await outcome(open.id)).toMatchObject({ answers: [{ values: ["Production"] }] });
    await until(() => last(to)?.text.includes("Answered by Ada"));
    // What models have denied was told before.
    await clock.advance(300_000);
    expect(service.messages.filter(({ chat }) => chat === to)).toHaveLength(2);
    expect(log.filter((line) => line.includes("has another id now"))).toHaveLength(1);
  });
});

test("a topic of a group of Telegram gets the questions if the code was sent there", async () => {
  const code = createCode();
  const pairing = { hash: hashOfCode(code), until: 2e12, group: true, allow: false, wrong: 0 };
  const { service, settings, posted, until, outcome, last } = await scene(telegramChat, {
    settings: () => ({ people: [], places: [], pairing }),
  });
  const { grace, team } = service;
  const topic = "-100300:7";
  service.write(`/pair ${code}`, { chat: topic, from: grace, group: team.title });
  await until(() => last(topic)?.text === "Questions come to this group from now on.");
  expect(settings()?.places).toEqual([{ chat: topic, title: "Team: Deploys", members: [{ person: grace.id, allow: false }] }]);
  const { id, message } = await posted(undefined, topic);
  service.write("Canary", { chat: topic, from: grace, group: team.title, replyTo: message });
  expect(await outcome(id)).toMatchObject({ answers: [{ customText: "Canary" }] });
  service.write("/list", { chat: topic, from: grace, group: team.title });
  await until(() => last(topic)?.text === "Nothing waits for you.");
  service.write("/list", { chat: "-100300", from: grace, group: team.title });
  await posted(undefined, topic);
  expect(service.messages.filter(({ chat }) => chat === "-100300")).toEqual([]);
});
