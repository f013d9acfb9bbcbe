import { describe, expect, test } from "vitest";
import { abuseContract } from "./contract/abuse.ts";
import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { placesContract } from "./contract/places.ts";
import { inTeam, question, scene, select, staging } from "./support/scene.ts";
import { slackChat } from "./support/slack-service.ts";

abuseContract(slackChat);
askingContract(slackChat);
peopleContract(slackChat);
placesContract(slackChat);

describe("Slack", () => {
  test("offers more than ten options in a menu, and takes the one that is chosen", async () => {
    const { posted, service, outcome, labels } = await scene(slackChat);
    const names = Array.from({ length: 14 }, (_, index) => `Option ${index + 1}`);
    const { id, message } = await posted({ questions: [select(names)] });
    expect(labels(message)).toEqual([...names, "In your own words", "More…"]);
    expect(service.refused).toEqual([]);
    service.press(message, "Option 13");
    expect(await outcome(id)).toMatchObject({ answers: [{ values: ["Option 13"] }] });
  });

  test("offers no menu for more options than one holds: they are listed, and answered by their number", async () => {
    const { posted, service, outcome, labels } = await scene(slackChat);
    const names = Array.from({ length: 101 }, (_, index) => `Option ${index + 1}`);
    const { id, message } = await posted({ questions: [select(names)] });
    expect(labels(message)).toEqual(["In your own words", "More…"]);
    expect(message.text).toContain("101. Option 101");
    service.write("101", { replyTo: message });
    expect(await outcome(id)).toMatchObject({ answers: [{ values: ["Option 101"] }] });
  });

  test("asks for another connection: the next one is there before the old one ends, and no press is lost", async () => {
    const { posted, service, outcome, until, log, chat } = await scene(slackChat);
    const first = await posted();
    const before = service.reads();
    const refresh = service.faults.refresh?.();
    await until(() => refresh?.connections() === 2, 1_000);
    expect(service.reads()).toBe(before + 1);
    // Slack still uses the old one.
    service.press(first.message, "Staging");
    await outcome(first.id);
    refresh?.end();
    await until(() => refresh?.connections() === 1, 1_000);
    const second = await posted({ questions: [select(["A", "B"])] });
    service.press(second.message, "B");
    expect(await outcome(second.id)).toMatchObject({ answers: [{ values: ["B"] }] });
    expect(service.reads()).toBe(before + 1);
    expect([log, chat?.status()[0]?.trouble]).toEqual([[], undefined]);
  });

  test("opens a form once for each press, and says so if it can't be opened", async () => {
    const { posted, service, outcome, until, told } = await scene(slackChat);
    const { id, message } = await posted({ questions: [question("text")] });
    service.press(message, "Write the answer");
    await until(() => service.asked());
    expect([service.refused, service.told]).toEqual([[], []]);
    service.repeat();
    await told("The form could not be opened; press the button again, or reply in the message's thread.");
    expect(service.refused).toEqual(["expired_trigger_id"]);
    service.fill("Hello");
    expect(await outcome(id)).toMatchObject({ answers: [{ values: ["Hello"] }] });
  });
});

// promise: chat-follows-its-group
test("a channel of Slack that gets another id keeps its messages, and gets what comes", async () => {
  const { service, posted, ask, until, outcome, settings, shows } = await scene(slackChat, { settings: inTeam });
  const { team, grace, ada } = service;
  const open = await posted({ ...staging, title: "Open" }, team.chat);
  const to = service.moveTeam?.({ isTold: true }) ?? "";
  await until(() => settings()?.places[0]?.chat === to);
  const id = await ask({ ...staging, title: "After it" });
  const after = await until(() => service.messages.find(({ chat, text }) => chat === to && text.includes("After it")));
  service.press(after, "Staging", grace);
  expect(await outcome(id)).toMatchObject({ by: { name: "Grace" } });
  service.press(open.message, "Production", ada);
  await outcome(open.id);
  await shows(open.message, "Answered by Ada");
  expect(service.messages).toHaveLength(2);
});
