import { describe, expect, test } from "vitest";
import { platformOf } from "../../src/index.ts";
import { fatalEvents, ownKeys, permission, scene, select, staging } from "../support/scene.ts";
import type { TestedChat } from "../support/service.ts";

const spaces = " ".repeat(200_000);
const room = " ".repeat(15_000);
/** The longest text of a message, as any of the services counts it. */
const longest = 12_000;

/** What agents and people send that is far too long or far too much. */
export function abuseContract(chat: TestedChat): void {
  const { title } = chat;

  describe(`too much in ${title}`, () => {
    test.each(["title", "question"])("of 200 KB of spaces in a %s is one short message, which can be answered", async (where) => {
      const { posted, service, outcome } = await scene(chat);
      const questions = [select(["A", "B"], where === "question" ? { question: `${spaces}?` } : {})];
      const { id, message } = await posted({ title: where === "title" ? `${spaces}Deploy` : "Deploy", questions });
      expect(service.refused).toEqual([]);
      expect(message.text.length).toBeLessThan(longest);
      service.press(message, "B");
      expect(await outcome(id)).toMatchObject({ answers: [{ values: ["B"] }] });
    });

    test("of 200 KB of a command is attached whole, and can be denied", async () => {
      const { posted, service, outcome, until } = await scene(chat);
      const command = `rm -rf ${"x/../".repeat(40_000)}`;
      const { id, message } = await posted({ questions: [permission({ command })] });
      expect(message.text.length).toBeLessThan(longest);
      expect((await until(() => message.file)).text).toContain(command);
      service.press(message, "Deny");
      expect(await outcome(id)).toMatchObject({ answers: [{ values: ["deny"] }] });
      expect(service.refused).toEqual([]);
    });

    test("of what waits and of what was answered is a list of ten", async () => {
      const { ask, desk, service, until, last, status, state, settings } = await scene(chat, { settings: () => ({ after: 86_400 }) });
      const waiting: string[] = [];
      for (let count = 0; count < 1_000; count += 1) waiting.push(await ask({ ...staging, title: `Question ${count}`, timeout: 900_000 }));
      service.write("list");
      const list = await until(() => last()?.text.includes("questions wait") && last());
      expect(list.text).toContain("10 and more questions wait.");
      expect(list.text.split("\n")).toHaveLength(11);
      expect(list.buttons).toHaveLength(10);
      for (const id of waiting) await desk.answer(id, { answers: [{ questionId: "q_1", values: ["Staging"] }] });
      expect(await status(waiting.at(-1) ?? "")).toBe("answered");
      service.write("history");
      const past = await until(() => last()?.text.includes("The last questions") && last());
      expect(past.text.split("\n")).toHaveLength(11);
      expect(service.messages.filter(({ chat: id }) => id === service.ada.chat)).toHaveLength(2);
      // Only what was listed is remembered.
      expect(state().cards).toHaveLength(10);
      expect(settings()?.people).toHaveLength(1);
    });

    test("from somebody who isn't paired is answered by one sentence, and said in the log once", async () => {
      const { posted, service, log, last, until, outcome } = await scene(chat);
      const { id, message } = await posted();
      const { mallory, ada } = service;
      for (let count = 0; count < 500; count += 1)
        service.write(`list ${count} ${"please ".repeat(100)}`, { chat: mallory.chat, from: mallory });
      service.press(message, "Staging");
      await outcome(id);
      service.write("help");
      await until(() => last(ada.chat)?.text.includes("askbox asks you here"), 600_000);
      expect(service.messages.filter((each) => each.chat === mallory.chat).map(({ text }) => text)).toEqual([
        expect.stringMatching(/^You can't answer here\. /),
      ]);
      expect(log.filter((line) => line.includes("isn't paired"))).toHaveLength(1);
      expect(log.join().length).toBeLessThan(2_000);
    });

    test.each(["list", "history", "message", "message a_5f0c", "snooze", "help", "undo", "agents"])(
      "behind the command %s is one message back",
      async (command) => {
        const { service, until, last } = await scene(chat);
        const { mark } = platformOf(service.name);
        // Slack's texts are the longest, with 40,000 characters.
        service.write(`${mark}${command} ${"1".repeat(20_000)}${room}${"\u202e".repeat(1_000)}x`);
        const answer = await until(() => last());
        expect(answer.text.length).toBeLessThan(1_000);
        service.write(`${room}${mark}${command}${room}`);
        await until(() => service.messages.length === 2);
        expect(service.refused).toEqual([]);
      },
    );
  });

  describe(`names that every object has, in ${title},`, () => {
    // promise: outside-names
    test.each(ownKeys)("such as %s, are questions like any other, also after a restart", async (id) => {
      const its = await scene(chat);
      const { service, outcome, shows, until, labels } = its;
      const { message, id: session } = await its.posted({
        questions: [select(["A", "B"]), select(["C", "D"], { id, question: "And then?" })],
      });
      service.press(message, "A");
      await shows(message, "And then?");
      service.press(message, "D");
      await until(() => labels(message).includes("Send"));
      await its.again();
      expect(message.text).toContain("D");
      service.press(message, "Send");
      expect(await outcome(session)).toMatchObject({ answers: [{ values: ["A"] }, { questionId: id, values: ["D"] }] });
      const alone = await its.posted({ questions: [select(["A", "B"], { id })], title: "Alone" });
      service.press(alone.message, "B");
      expect(await outcome(alone.id)).toMatchObject({ answers: [{ questionId: id, values: ["B"] }] });
    });
  });

  describe(`what can't be done in ${title}`, () => {
    // promise: chat-failure-holds-back-nothing
    test("with one question is given up, and holds back no other", async () => {
      const its = await scene(chat, { starts: false });
      await its.open({ deskOf: fatalEvents(its.broker) });
      const broken = await its.posted({ ...staging, title: "Broken" });
      const other = await its.posted({ ...staging, title: "Other" });
      its.service.press(broken.message, "Staging");
      its.service.press(other.message, "Staging");
      expect(await its.outcome(other.id)).toMatchObject({ answers: [{ values: ["Staging"] }] });
      await its.told("askbox failed at this");
      expect(its.chats[0]?.status()[0]?.trouble).toContain("something that a person did in ");
      expect(its.log.filter((line) => line.includes("it is given up"))).toHaveLength(1);
      await its.again();
      its.service.press(broken.message, "Production");
      expect(await its.outcome(broken.id)).toMatchObject({ answers: [{ values: ["Production"] }] });
    });

    // promise: chat-failure-holds-back-nothing
    test("to show one question is given up, and holds back no other", async () => {
      const its = await scene(chat, { starts: false });
      const desk = its.broker.desk({ surface: "api" });
      let broken = "";
      await its.open({
        desk: {
          watch: desk.watch.bind(desk),
          get: async (id) => (id === broken ? { ...(await desk.get(id)), questions: null as never } : desk.get(id)),
        },
      });
      broken = await its.ask({ ...staging, title: "Broken" });
      const id = await its.ask({ ...staging, title: "Other" });
      const message = await its.until(() => its.last()?.text.includes("Other") && its.last(), 5_000);
      its.service.press(message, "Staging");
      await its.outcome(id);
      await its.until(() => its.chats[0]?.status()[0]?.trouble?.includes("a question could not be shown in "));
      expect(its.log.filter((line) => line.includes("could not be shown"))).toHaveLength(1);
    });
  });
}
