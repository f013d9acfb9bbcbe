import { mkdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { changeDesk, platformOf } from "../../src/index.ts";
import { createCode, hashOfCode } from "../../src/settings.ts";
import { permission, scene, select } from "../support/scene.ts";
import type { Service, TestedChat } from "../support/service.ts";

const command = permission({ command: "rm -rf build" });
/** Ada was paired in the group with the right to allow; Grace there and alone, without it. */
const apart = ({ team, ada, grace }: Service) => ({
  people: [ada, grace].map(({ id, name }) => ({ id, name })),
  places: [
    {
      ...team,
      members: [
        { person: ada.id, allow: true },
        { person: grace.id, allow: false },
      ],
    },
    { chat: grace.chat, members: [{ person: grace.id, allow: false }] },
  ],
});

/** Whose right counts where. */
export function placesContract(chat: TestedChat): void {
  const { title } = chat;
  describe(`a place in ${title}`, () => {
    // promise: chat-rights-by-place
    test("has its own people with their own rights: only who was given it there can allow", async () => {
      const { posted, service, status, told, outcome, labels } = await scene(chat, { settings: apart });
      const { ada, grace, team } = service;
      const { id, message } = await posted({ questions: [command] }, team.chat);
      expect(labels(message)).toContain("Allow once");
      service.press(message, "Allow once", grace);
      await told("You can deny actions here, but not allow them");
      expect(await status(id)).toBe("pending");
      service.press(message, "Allow once", ada);
      expect(await outcome(id)).toMatchObject({ answers: [{ values: ["allow"] }], by: { name: "Ada" } });
      const own = await posted({ questions: [command], title: "Alone" }, grace.chat);
      expect(labels(own.message)).not.toContain("Allow once");
      const denied = await posted({ questions: [command], title: "Denied" }, team.chat);
      service.press(denied.message, "Deny", grace);
      expect(await outcome(denied.id)).toMatchObject({ answers: [{ values: ["deny"] }], by: { name: "Grace" } });
    });

    // promise: chat-rights-by-place
    test("where one person has picked to allow is no way to send it for another", async () => {
      const { posted, service, status, told, shows, until, labels, outcome } = await scene(chat, { settings: apart });
      const { ada, grace, team } = service;
      const { id, message } = await posted({ questions: [{ ...command, id: "q_0" }, select(["A", "B"])] }, team.chat);
      service.press(message, "Allow once", ada);
      await shows(message, "2 of 2");
      service.press(message, "A", grace);
      await until(() => labels(message).includes("Send"));
      service.press(message, "Send", grace);
      await told("You can deny actions here, but not allow them");
      expect(await status(id)).toBe("pending");
      service.press(message, "Send", ada);
      expect(await outcome(id)).toMatchObject({ by: { name: "Ada" } });
    });

    // promise: chat-rights-by-place
    test("is not open to who was paired elsewhere", async () => {
      const { posted, service, status, told } = await scene(chat, {
        settings: (its) => ({ ...apart(its), places: [{ ...its.team, members: [{ person: its.ada.id, allow: true }] }] }),
      });
      const { id, message } = await posted(undefined, service.team.chat);
      service.press(message, "Staging", service.grace);
      await told("You can't answer here.");
      expect(await status(id)).toBe("pending");
    });

    // promise: chat-rights-by-place
    test("keeps the others' rights when somebody is added without them", async () => {
      const code = createCode();
      const { service, settings, until } = await scene(chat, {
        settings: (its) => ({
          ...apart(its),
          pairing: { hash: hashOfCode(code), until: 2e12, group: true, allow: false, wrong: 0 },
        }),
      });
      const { mallory, team, ada, grace } = service;
      service.write(platformOf(service.name).groupCode(code, service.bot), { chat: team.chat, from: mallory, group: team.title });
      await until(() => settings()?.people.length === 3);
      expect(settings()?.places.find((place) => place.chat === team.chat)?.members).toEqual([
        { person: ada.id, allow: true },
        { person: grace.id, allow: false },
        { person: mallory.id, allow: false },
      ]);
    });
  });

  describe(`a code in ${title}`, () => {
    const opened = (code = createCode(), rest = {}) => ({
      hash: hashOfCode(code),
      until: 2e12,
      group: false,
      allow: true,
      wrong: 0,
      ...rest,
    });

    // promise: chat-removed-stays-out
    test("that comes after somebody was removed, before the hub has noticed, doesn't bring them back", async () => {
      const code = createCode();
      const { service, settings, file, until, last } = await scene(chat, { settings: (its) => ({ ...apart(its), pairing: opened(code) }) });
      const { mallory, grace, ada, team } = service;
      await changeDesk(
        file,
        service.name,
        (desk) =>
          desk && {
            ...desk,
            after: 1,
            people: desk.people.filter(({ id }) => id !== grace.id),
            places: [{ ...team, members: [{ person: ada.id, allow: true }] }],
          },
      );
      service.write(createCode(), { chat: mallory.chat, from: mallory });
      await until(() => last(mallory.chat)?.text === "This is not the code that the terminal shows.");
      expect(settings()).toMatchObject({ after: 1, people: [{ id: ada.id }], pairing: { wrong: 1 } });
      service.write(code, { chat: mallory.chat, from: mallory });
      await until(() => settings()?.pairing === undefined);
      expect(settings()).toMatchObject({ after: 1, people: [{ id: ada.id }, { id: mallory.id }], places: [team, { chat: mallory.chat }] });
    });

    test("is none in a word of eight letters of who may answer, nor in a group", async () => {
      const { posted, service, settings, outcome, until } = await scene(chat, {
        settings: (its) => ({ ...apart(its), pairing: opened() }),
      });
      const { grace, team } = service;
      const { id, message } = await posted({ questions: [select(["A", "B"])] }, grace.chat);
      service.write("features", { chat: grace.chat, from: grace, replyTo: message });
      expect(await outcome(id)).toMatchObject({ answers: [{ customText: "features" }] });
      const own = await posted({ questions: [select(["A", "B"])], title: "Group" }, team.chat);
      service.write("database", { chat: team.chat, from: service.ada, group: team.title, replyTo: own.message });
      expect(await outcome(own.id)).toMatchObject({ answers: [{ customText: "database" }] });
      expect(settings()?.pairing?.wrong).toBe(0);
      service.write("FEATURES", { chat: service.mallory.chat, from: service.mallory });
      await until(() => settings()?.pairing?.wrong === 1);
    });

    test("that can't be stored holds back nobody else", async () => {
      const code = createCode();
      const { posted, service, settings, file, told, outcome } = await scene(chat, {
        settings: (its) => ({ ...apart(its), pairing: opened(code) }),
      });
      const { mallory, team, ada } = service;
      const { id, message } = await posted(undefined, team.chat);
      // A folder in place of the lock.
      rmSync(`${file}.lock`);
      mkdirSync(`${file}.lock`);
      service.write(code, { chat: mallory.chat, from: mallory });
      await told("The code could not be stored");
      service.press(message, "Staging", ada);
      await outcome(id);
      rmSync(`${file}.lock`, { recursive: true });
      service.write(code, { chat: mallory.chat, from: mallory });
      await told("Paired.");
      expect(settings()?.people).toHaveLength(3);
    });

    test("is refused where there is no room for one more person", async () => {
      const code = createCode();
      const people = Array.from({ length: 100 }, (_, index) => ({ id: `7${index}`, name: "Somebody" }));
      const { service, settings, told } = await scene(chat, { settings: () => ({ people, places: [], pairing: opened(code) }) });
      service.write(code);
      await told("There are 100 people or chats already");
      expect(settings()?.people).toHaveLength(100);
    });
  });
}
