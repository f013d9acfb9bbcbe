import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changeDesk, platformOf, sendChatTests } from "../../src/index.ts";
import { createCode, hashOfCode } from "../../src/settings.ts";
import { inTeam, option, question, scene, staging } from "../support/scene.ts";
import type { TestedChat } from "../support/service.ts";

const colours = ["Red", "Green", "Blue"];
const many = (names: readonly string[], rest = {}) =>
  question("multi-select", { options: names.map((name) => option(name)), allowOther: true, ...rest });

/** Who may do what in a chat, and what happens when the service, the store or a hub fails. */
export function peopleContract(chat: TestedChat): void {
  const { title } = chat;
  describe(`people in ${title}`, () => {
    // promise: chat-people-by-id
    test("who are not known can neither press nor write, and are told so", async () => {
      const { posted, service, status, until, last } = await scene(chat);
      const { id, message } = await posted();
      const { mallory } = service;
      service.press(message, "Production", mallory);
      await until(() => service.told.some((said) => said.startsWith("You can't answer here.")));
      service.write("list", { chat: mallory.chat, from: mallory });
      await until(() => last(mallory.chat)?.text.startsWith("You can't answer here."));
      expect(last(mallory.chat)?.text).not.toContain("Deploy");
      expect(await status(id)).toBe("pending");
    });

    test("of a group are each named by their own account", async () => {
      const { posted, service, outcome } = await scene(chat, { settings: inTeam });
      const { id, message } = await posted(undefined, service.team.chat);
      service.press(message, "Staging", service.grace);
      expect(await outcome(id)).toMatchObject({ by: { surface: service.name, name: "Grace" } });
    });

    test("cannot use a button in another chat or message than its own", async () => {
      const { posted, service, status, told } = await scene(chat, {
        settings: (its) => ({
          ...inTeam(its),
          places: [...(inTeam(its).places ?? []), { chat: its.ada.chat, members: [{ person: its.ada.id, allow: false }] }],
        }),
      });
      const { ada, team } = service;
      const { id, message } = await posted(undefined, ada.chat);
      const [button] = message.buttons;
      service.forge({ chat: team.chat, message: message.id, id: button?.id ?? "", from: service.ada });
      await told("This button belongs to another chat.");
      service.forge({ chat: ada.chat, message: "9999", id: button?.id ?? "", from: service.ada });
      await told("This button belongs to another message.");
      expect(await status(id)).toBe("pending");
    });

    // promise: chat-refusals-are-said
    test("are told in one sentence why a press counts for nothing", async () => {
      const { posted, service, status, told, desk, outcome } = await scene(chat, { undo: 0 });
      const { ada, mallory } = service;
      const { id, message } = await posted();
      const [first, production] = message.buttons.map((button) => button.id);
      const press = (button = "", more = {}) => service.forge({ chat: message.chat, message: message.id, id: button, from: ada, ...more });
      press(`${first?.slice(0, -1)}7`);
      await told("This button is no longer offered.");
      press("AAAAAAAAAAAAAAAA.a0.0");
      await told("This message is too old");
      press(first, { message: "9999" });
      await told("This button belongs to another message.");
      press(first, { from: mallory });
      await told("You can't answer here.");
      expect(await status(id)).toBe("pending");
      press(production);
      await outcome(id);
      press(production);
      await told(`Answered by Ada in ${title}.`);
      const late = await posted({ ...staging, title: "Late" });
      const [button] = late.message.buttons;
      await desk.answer(late.id, { answers: [{ questionId: "q_1", values: ["Staging"] }] });
      press(button?.id, { message: late.message.id });
      await told("Your answer came too late: answered by Grace in the browser.");
    });

    test("who write the bot's token in a group are told that others could use it", async () => {
      const { service, told, log } = await scene(chat, { settings: inTeam });
      const { team, grace } = service;
      const [secret = ""] = Object.values(service.secrets);
      service.write(platformOf(service.name).groupCode(secret, service.bot), { chat: team.chat, from: grace, group: team.title });
      await told("This is the bot's token, with which others could speak for it");
      expect(log.join()).not.toContain(secret);
    });

    test("are paired by a code, once, and in a group only if it was named", async () => {
      const { service, settings, open, file, until, ask, last } = await scene(chat, {
        starts: false,
        settings: () => ({ people: [], places: [] }),
      });
      const { ada, grace, mallory, team } = service;
      const code = createCode();
      const pair = (rest = {}) =>
        changeDesk(
          file,
          service.name,
          (desk) => desk && { ...desk, pairing: { hash: hashOfCode(code), until: 2e12, group: false, allow: true, wrong: 0, ...rest } },
        );
      await pair({ person: "Ada L." });
      const running = await open();
      service.write(createCode());
      await until(() => last()?.text === "This is not the code that the terminal shows.");
      service.write(code);
      await until(() => last()?.text === "Paired. Questions come here from now on.");
      expect(settings()).toMatchObject({
        people: [{ id: ada.id, name: "Ada L." }],
        places: [{ chat: ada.chat, members: [{ person: ada.id, allow: true }] }],
      });
      expect(settings()?.pairing).toBeUndefined();
      // Pairing starts the desk again, perhaps before the service knew that the code was received. Telegram knows by the next poll.
      if (!platformOf(service.name).keepsEvents) service.repeat();
      await ask();
      await until(() => last()?.text.includes("Where to?"));
      expect(service.messages.filter(({ text }) => text.startsWith("Reply to a question"))).toEqual([]);
      service.write(code, { chat: mallory.chat, from: mallory });
      await until(() => last(mallory.chat)?.text.startsWith("You can't answer here."));
      await pair();
      await running.reload();
      const spoken = platformOf(service.name).groupCode(code, service.bot);
      service.write(spoken, { chat: team.chat, from: grace, group: team.title });
      await until(() => last(team.chat)?.text.startsWith("The code was sent in a group"));
      expect(settings()?.people).toHaveLength(1);
      await pair({ group: true });
      await running.reload();
      service.write(spoken, { chat: team.chat, from: grace, group: team.title });
      await until(() => service.messages.some(({ text }) => text === "Questions come to this group from now on."));
      expect(settings()?.places).toContainEqual({ ...team, members: [{ person: grace.id, allow: true }] });
    });

    test("connect a bot by its secrets, unless the service doesn't know them", async () => {
      const { service, clock, network } = await scene(chat, { starts: false });
      const { identify, secrets } = platformOf(service.name);
      for (const { name, form } of secrets) expect(service.secrets[name]).toMatch(form);
      const access = { secrets: service.secrets, api: service.url, clock, fetch: network.fetch };
      expect(await identify(access)).toEqual(service.bot);
      for (const { name } of secrets) {
        const other = { ...service.secrets, [name]: service.secrets[name]?.replace(/\w$/, "0") ?? "" };
        await expect(identify({ ...access, secrets: other })).rejects.toMatchObject({
          code: "VALIDATION",
          message: expect.stringContaining(`${title} does not know this token`),
        });
      }
    });

    test("have five tries", async () => {
      const pairing = { hash: hashOfCode(createCode()), until: 2e12, group: false, allow: false, wrong: 0 };
      const { service, settings, until } = await scene(chat, { settings: () => ({ people: [], places: [], pairing }) });
      const { mallory } = service;
      for (let tries = 0; tries < 5; tries += 1) service.write(createCode(), { chat: mallory.chat, from: mallory });
      await until(() => settings()?.pairing?.refused?.startsWith("Too many wrong codes"));
    });

    test("read what they can do, and that nothing waits", async () => {
      const { service, until, last } = await scene(chat);
      service.write("help");
      await until(() => last()?.text.includes("askbox asks you here"));
      service.write("list");
      await until(() => last()?.text === "Nothing waits for you.");
      service.write("history");
      await until(() => last()?.text === "Nothing was answered yet.");
    });

    test("see their agents, and write to one by its id or as a reply to its question", async () => {
      const { ask, posted, service, until, last, desk, told } = await scene(chat);
      const { mark } = platformOf(service.name);
      service.write("agents");
      await until(() => last()?.text === "No agent has asked yet.");
      const { id, message } = await posted();
      await ask({ ...staging, title: "Only <!here>" }, { client: { name: "codex" }, project: "/home/ada/site", branch: "next" });
      service.write(`${mark}agents`);
      const list = await until(() => (last()?.text.startsWith("Your agents") ? last() : undefined));
      expect(list.text).toMatch(/^a_[0-9a-f]{12} Claude Code in engine \(main\): .+\n {4}Deploy$/m);
      expect(list.marks.filter(({ text }) => text !== `${mark}message`)).toEqual([]);
      const [, codex = ""] = /^(a_[0-9a-f]{12}) Codex in site \(next\): /m.exec(list.text) ?? [];
      service.write(`${mark}message ${codex} Use the new API:\nv2`);
      await told("Wrote to Codex in site (next). It gets this now, and its question stays open.");
      service.write(`${mark}message Thanks`, { replyTo: message });
      await told("Wrote to Claude Code in engine (main).");
      expect((await desk.get(id)).thread).toMatchObject([{ text: "Thanks", by: { surface: service.name, name: "Ada" } }]);
      const written = (await desk.conversations()).map(({ undelivered }) => undelivered);
      expect(written).toEqual([1, 1]);
      service.write(`${mark}message a_0123456789ab Hello`);
      await told("No agent that asked lately has the id");
      service.write(`${mark}message ${codex}`, { replyTo: message });
      await told("Name the agent and your message");
    });

    test("get a question from the list, and a list of what was answered", async () => {
      const { ask, service, until, last, outcome, desk } = await scene(chat, { settings: () => ({ after: 3_600 }) });
      const id = await ask();
      service.write("list");
      const list = await until(() => (last()?.text.includes("1 question waits.") ? last() : undefined));
      expect(list.text).toContain("1. Claude Code in engine (main): Deploy");
      service.press(list, "1");
      const message = await until(() => (last()?.text.includes("Where to?") ? last() : undefined));
      const { mark } = platformOf(service.name);
      service.write(`${mark}snooze 99d`, { replyTo: message });
      // Without its mark, it would be taken as an answer there.
      await until(() => last()?.text.endsWith(`such as ${mark}snooze 2h.`));
      service.write(`${mark}snooze 2h`, { replyTo: message });
      await until(() => last()?.text.startsWith("Snoozed until"));
      expect((await desk.get(id)).status).toBe("pending");
      service.press(message, "Staging");
      await outcome(id);
      service.write("history");
      await until(() => last()?.text.includes(`Deploy: Answered by Ada in ${title}. Staging`));
    });
  });

  describe(`when ${title} fails`, () => {
    const pressed = async ({ posted, service, outcome, until }: Awaited<ReturnType<typeof scene>>) => {
      const { id, message } = await posted({ ...staging, title: "After it" });
      if (!chat.keepsPresses) await until(() => service.isRead(), 10_000);
      service.press(message, "Staging");
      await outcome(id);
    };

    test("a dropped connection is there again within 0.5 s", async () => {
      const its = await scene(chat);
      await its.until(() => its.service.isRead());
      const before = its.service.reads();
      its.service.faults.drop();
      await its.until(() => its.service.reads() > before, 500);
      await pressed(its);
    });

    test("a connection that fell silent is noticed within 10 s", async () => {
      const its = await scene(chat);
      const { id, message } = await its.posted();
      const before = its.service.reads();
      its.service.faults.halfOpen(true);
      its.service.press(message, "Staging");
      await its.clock.advance(1_000);
      expect(await its.status(id)).toBe("pending");
      await its.until(() => its.service.reads() > before, 9_000);
      its.service.faults.halfOpen(false);
      if (chat.keepsPresses) await its.until(async () => (await its.status(id)) === "answered", 10_000);
      else await pressed(its);
    });

    test.each(chat.refusals)("it goes on when %s", async (_what, reason, why) => {
      const its = await scene(chat);
      await its.until(() => its.service.isRead());
      its.service.faults.refuseReading(reason);
      await its.until(() => its.chat?.status()[0]?.trouble?.includes(why));
      expect(its.log.filter((line) => line.includes(why))).toHaveLength(1);
      its.service.faults.refuseReading(undefined);
      await its.until(() => its.chat?.status()[0]?.trouble === undefined);
      await pressed(its);
    });

    test("what happened in an outage of 120 s is caught up with, once, within seconds of its end", async () => {
      const its = await scene(chat);
      const { id, message } = await its.posted();
      its.service.faults.outage(true);
      const missed = await its.ask({ ...staging, title: "Missed" });
      await its.desk.cancel(id);
      await its.clock.advance(120_000);
      expect(its.service.messages).toHaveLength(1);
      its.service.faults.outage(false);
      await its.shows(message, "Declined by Grace", 10_000);
      await its.until(() => its.last()?.text.includes("Missed"), 10_000);
      expect(await its.status(missed)).toBe("pending");
      expect(its.service.messages).toHaveLength(2);
      await pressed(its);
    });

    test("a message whose answer is lost is not posted twice, and its buttons work", async () => {
      const its = await scene(chat);
      its.service.faults.loseAnswer();
      const { id, message } = await its.posted();
      await its.clock.advance(60_000);
      expect(its.service.messages).toHaveLength(1);
      its.service.press(message, "Staging");
      await its.outcome(id);
      await its.shows(message, "Answered by Ada");
    });

    test("a message that is too early is posted when the service allows it", async () => {
      const its = await scene(chat);
      its.service.faults.limitRate(7);
      const id = await its.ask();
      await its.clock.advance(6_000);
      expect(its.service.messages).toEqual([]);
      await its.until(() => its.last()?.text.includes("Where to?"), 3_000);
      expect(await its.status(id)).toBe("pending");
      // The metrics count it once.
      const { name } = its.service;
      await its.until(() => its.results.includes(`${name} delivered`));
      expect(its.results.filter((result) => result !== `${name} retried`)).toEqual([`${name} delivered`]);
    });

    test("a file that can't be stored is said to be so, and holds back nobody else", async () => {
      const its = await scene(chat, { starts: false });
      const { AskboxError } = await import("@askbox/core");
      const put = async () => Promise.reject(new AskboxError("STORE_UNAVAILABLE", "The file cannot be stored: the disk is full."));
      await its.open({ files: { most: 1_000_000, put } });
      const { id, message } = await its.posted();
      its.service.write("", { replyTo: message, files: [{ name: "a.txt", bytes: Buffer.from("A") }] });
      await its.told("txt could not be stored, and the hub's log says why. Send it again when that is fixed.");
      expect(its.log.filter((line) => line.includes("the disk is full"))).toHaveLength(1);
      its.service.press(message, "Staging");
      await its.outcome(id);
    });

    test("a press is not lost while the store cannot be reached, and taken once", async () => {
      const its = await scene(chat, { starts: false });
      let isDown = true;
      const taken: string[] = [];
      const { AskboxError } = await import("@askbox/core");
      await its.open({
        deskOf: (surface, person) => {
          const desk = its.broker.desk({ surface, name: person });
          const answer: typeof desk.answer = async (...args) => {
            if (isDown) throw new AskboxError("STORE_UNAVAILABLE", "down");
            taken.push(args[2]?.idempotencyKey ?? "");
            return desk.answer(...args);
          };
          return Object.assign(Object.create(desk), { answer, attend: (id: string) => desk.attend(id) });
        },
      });
      const { id, message } = await its.posted();
      its.service.press(message, "Staging");
      await its.clock.advance(5_000);
      expect(await its.status(id)).toBe("pending");
      isDown = false;
      await its.outcome(id);
      expect(taken).toHaveLength(1);
    });
  });

  describe(`a hub with ${title}`, () => {
    // promise: chat-press-not-lost
    test("that is killed between a press and the store takes the press when it is back, and once", async () => {
      const its = await scene(chat, { starts: false });
      const hang = Promise.withResolvers<never>();
      const first = await its.open({
        deskOf: (surface, person) => {
          const desk = its.broker.desk({ surface, name: person });
          return Object.assign(Object.create(desk), { answer: () => hang.promise, attend: (id: string) => desk.attend(id) });
        },
      });
      const { id, message } = await its.posted();
      its.service.press(message, "Staging");
      await its.clock.advance(1_000);
      // As if it were killed: what it still does comes to nothing.
      hang.reject(new Error("killed"));
      await first.close();
      await its.open();
      expect(await its.outcome(id)).toMatchObject({ answers: [{ values: ["Staging"] }], by: { name: "Ada" } });
      await its.shows(message, "Answered by Ada");
      expect(its.service.messages).toHaveLength(1);
    });

    // promise: chat-press-not-lost
    test.each([
      ["is killed and back", true],
      ["takes longer than the service waits", false],
    ])("that %s before it can store a press tells the person if it came too late", async (_what, isKilled) => {
      const its = await scene(chat, { starts: false });
      const gate = Promise.withResolvers<void>();
      const first = await its.open({
        deskOf: (surface, person) => {
          const desk = its.broker.desk({ surface, name: person });
          const answer: typeof desk.answer = async (...args) => {
            await gate.promise;
            return desk.answer(...args);
          };
          return Object.assign(Object.create(desk), {
            answer,
            attend: (id: string) => desk.attend(id),
            get: (id: string) => desk.get(id),
          });
        },
      });
      const { id, message } = await its.posted();
      its.service.press(message, "Staging");
      await its.clock.advance(2_500);
      await its.desk.answer(id, { answers: [{ questionId: "q_1", values: ["Production"] }] });
      if (isKilled) {
        // As if it were killed: what it still does comes to nothing.
        gate.reject(new Error("killed"));
        await first.close();
        await its.open();
      } else gate.resolve();
      await its.told("Your answer came too late: answered by Grace in the browser.");
    });

    test("that is killed after it has posted, before it has stored that it announced, doesn't post again", async () => {
      const its = await scene(chat);
      const { id, message } = await its.posted();
      await its.until(() => Object.values(its.state().announced).flat().length > 0);
      await its.chat?.close();
      writeFileSync(join(its.folder, `chat-${its.service.name}.json`), JSON.stringify({ ...its.state(), announced: {} }));
      await its.open();
      await its.clock.advance(30_000);
      expect(its.service.messages).toEqual([message]);
      await its.desk.cancel(id);
      await its.shows(message, "Declined by Grace");
    });

    test("that is killed after the store, before the service knew, changes nothing", async () => {
      const its = await scene(chat);
      const { id, message } = await its.posted({ questions: [many(colours)] });
      its.service.press(message, "☐ Red");
      await its.shows(message, "Chosen: Red");
      its.service.repeat();
      its.service.repeat();
      await its.clock.advance(3_000);
      expect(message.text).toContain("Chosen: Red");
      its.service.press(message, "Send");
      await its.outcome(id);
      const before = await its.desk.get(id);
      its.service.repeat();
      await its.clock.advance(3_000);
      expect((await its.desk.get(id)).revision).toBe(before.revision);
    });

    test("that starts again neither posts twice nor forgets a button", async () => {
      const its = await scene(chat);
      const { id, message } = await its.posted();
      await its.chat?.close();
      await its.open();
      await its.clock.advance(30_000);
      expect(its.service.messages).toHaveLength(1);
      its.service.press(message, "Production");
      expect(await its.outcome(id)).toMatchObject({ answers: [{ values: ["Production"] }] });
    });

    test("edits what was settled while none ran", async () => {
      const its = await scene(chat);
      const { id, message } = await its.posted();
      await its.chat?.close();
      await its.desk.cancel(id);
      await its.open();
      await its.shows(message, "Declined by Grace in the browser.");
    });

    test("among several is the only one that talks to the bot, and another one takes over", async () => {
      const its = await scene(chat, { starts: false, isShared: true });
      const [one, two] = [await its.open({ instance: "one" }), await its.open({ instance: "two" })];
      const { id, message } = await its.posted();
      await its.clock.advance(30_000);
      expect(its.service.messages).toHaveLength(1);
      const before = its.service.reads();
      await one.close();
      if (!chat.keepsPresses) await its.until(() => its.service.reads() > before && its.service.isRead());
      its.service.press(message, "Staging");
      await its.outcome(id);
      await its.clock.advance(10_000);
      expect(its.service.messages).toHaveLength(1);
      expect(two.status()[0]?.trouble).toBeUndefined();
    });

    test("answers a test of its ways", async () => {
      const { service, file, clock, network, until } = await scene(chat);
      let buttons = 0;
      const onSent = (count: number) => {
        buttons = count;
      };
      const tested = sendChatTests({ file, clock, fetch: network.fetch, timeout: 60_000, onSent });
      service.press(await until(() => service.messages[0]), "It works");
      let results: Awaited<typeof tested> | undefined;
      void tested.then((all) => {
        results = all;
      });
      const [result] = await until(() => results);
      expect(buttons).toBe(1);
      expect(result).toMatchObject({ way: `${title} to Ada`, pressedAfter: expect.any(Number) });
    });
  });
}
