import { join } from "node:path";
import type { AskRequest } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { describe, expect, test } from "vitest";
import { webhookSchema, webhookTargets } from "../src/index.ts";
import { comes, type SceneOptions, scene, target, temporaryFolder } from "./support/scene.ts";

const minute = 60_000;
const denialDigest = 15 * minute;

/** A scene in which a model denies commands. */
async function denying(options: SceneOptions = {}) {
  const all = await scene({ mode: "notify", denialDigest, ...options });
  const { ask, desk, started } = all;
  return {
    ...all,
    deny: (command: string, about: { project?: string } = {}) => {
      const denial = { reviewer: "auto mode", status: "denied", reason: "Never trust this." } as const;
      const action = { kind: "command", tool: "Bash", command, description: "Harmless." } as const;
      const questions: AskRequest["questions"] = [
        { id: "q", type: "approval", question: "Overrule that?", required: true, action, denial },
      ];
      return ask({ questions, timeout: 24 * 60 * minute }, about);
    },
    decide: (id: string, value: "allow" | "deny") => desk.answer(id, { answers: [{ questionId: "q", values: [value] }] }),
    /** Title and body of each notification. */
    shown: () => started.map(({ request }) => request.args.slice(-2)),
  };
}

describe("a digest of what models have denied", () => {
  test("is off by default", async () => {
    const { deny, clock, started, received } = await denying({ denialDigest: 0, targets: [target()] });
    await deny("ls");
    await clock.advance(60 * minute);
    expect([started.length, received.length]).toEqual([0, 0]);
  });

  test("tells of several at once, the newest by its action, and not again within its time", async () => {
    const { deny, clock, shown } = await denying();
    for (const command of ["ls", "rm -r build", "curl -s x"]) await deny(command);
    await clock.advance(denialDigest - 1);
    expect(shown()).toEqual([]);
    await clock.advance(1);
    const first = ["askbox: 3 calls were denied by a model", "The newest: Claude Code in engine (main): Bash: curl -s x"];
    expect(shown()).toEqual([first]);
    await deny("make");
    await clock.advance(denialDigest - 1);
    expect(shown()).toEqual([first]);
    await clock.advance(1);
    expect(shown()).toEqual([first, ["askbox: 1 call was denied by a model", "Claude Code in engine (main): Bash: make"]]);
    await clock.advance(60 * minute);
    expect(shown()).toHaveLength(2);
  });

  test("leaves out actions where no text may be shown", async () => {
    const { deny, clock, shown } = await denying({ settings: { showText: false } });
    await deny("ls");
    await clock.advance(denialDigest);
    expect(shown()).toEqual([["askbox: 1 call was denied by a model", "Claude Code in engine"]]);
  });

  test("doesn't count what was overruled, agreed with or seen", async () => {
    const { deny, decide, desk, clock, shown } = await denying();
    const [overruled, agreed, seen] = [await deny("a"), await deny("b"), await deny("c")];
    await deny("d");
    await decide(overruled, "allow");
    await decide(agreed, "deny");
    (await desk.attend(seen))();
    await clock.advance(denialDigest);
    expect(shown().map(([title]) => title)).toEqual(["askbox: 1 call was denied by a model"]);
  });

  test("is not for somebody who is at an inbox", async () => {
    const { deny, clock, somebody, shown } = await denying();
    await deny("ls");
    somebody.there = true;
    await clock.advance(denialDigest);
    somebody.there = false;
    await clock.advance(60 * minute);
    expect(shown()).toEqual([]);
  });

  test("waits in quiet hours for their end", async () => {
    const { clock: from } = await scene();
    const time = (at: number) => new Date(at).toTimeString().slice(0, 5);
    const quietHours = `${time(from.now() - minute)}-${time(from.now() + 40 * minute)}`;
    const { deny, clock, shown } = await denying({ rules: { quietHours, rules: [] } });
    await deny("ls");
    await clock.advance(39 * minute);
    expect(shown()).toEqual([]);
    await clock.advance(minute);
    expect(shown()).toHaveLength(1);
  });

  test("follows the rules for a client, a project or a machine", async () => {
    const { deny, clock, started } = await denying({
      settings: { command: "note" },
      rules: {
        rules: [
          { project: "/srv/silent", attention: "none" },
          { project: "/srv/page", attention: "browser" },
          { project: "/srv/own", attention: "command" },
        ],
      },
    });
    for (const project of ["silent", "page", "own"]) await deny(project, { project: `/srv/${project}` });
    await clock.advance(denialDigest);
    expect(started.map(({ request }) => [request.program, request.env["ASKBOX_DENIED"], request.env["ASKBOX_QUESTION"]])).toEqual([
      ["note", "1", "Bash: own"],
    ]);
    expect(JSON.parse(started[0]?.request.input ?? "")).toMatchObject({ count: 1, sessions: [{ denied: true, question: "Bash: own" }] });
    expect(started[0]?.request.input).not.toMatch(/Overrule|Harmless|trust/);
  });

  test("comes once, and at its time, across restarts", async () => {
    const { deny, clock, notify, startAgain, shown } = await denying({ file: join(temporaryFolder(), "told.json") });
    await deny("ls");
    await clock.advance(10 * minute);
    await notify.close();
    const second = await startAgain();
    await clock.advance(5 * minute);
    await comes(() => expect(shown()).toHaveLength(1));
    await second.close();
    await startAgain();
    await clock.advance(60 * minute);
    expect(shown()).toHaveLength(1);
  });
});

const digests = ["denials.digest"] as const;
const hook = target({ events: digests, inbox: "https://askbox.example" });
const phone = target({ kind: "ntfy", url: "https://ntfy.example/my-topic", events: digests, inbox: "https://askbox.example/" });
const elsewhere = (options: SceneOptions = {}) => denying({ mode: "none", ...options });

describe("a digest of denials elsewhere", () => {
  test("comes to a webhook whose events name it, with their number, the newest one's action and no words of the agent or the model", async () => {
    const { deny, clock, bodies, ids } = await elsewhere({ targets: [hook] });
    const [one] = [await deny("ls")];
    await clock.advance(denialDigest);
    const [more, newest] = [await deny("make"), await deny("rm -r build")];
    await clock.advance(denialDigest);
    const [first, second] = bodies();
    expect(first).toMatchObject({ type: "denials.digest", data: { count: 1, url: `https://askbox.example/s/${one}` } });
    expect(second).toMatchObject({
      type: "denials.digest",
      timestamp: new Date(clock.now()).toISOString(),
      data: {
        count: 2,
        session: { id: newest, status: "pending", asker: { project: "/home/ada/engine" }, action: "Bash: rm -r build" },
        url: "https://askbox.example/",
      },
    });
    expect(JSON.stringify([first, second])).not.toMatch(/Overrule|Harmless|trust/);
    expect(JSON.stringify(second)).not.toContain(more);
    expect(ids()).toEqual([`${one}.denials`, `${newest}.denials`]);
  });

  // promise: digest-overrules-nothing
  test("comes to a phone, without a button that could overrule, also where actions can be allowed", async () => {
    const { deny, clock, received } = await elsewhere({ targets: [{ ...phone, replyTopic: "replies", allow: true }] });
    await deny("ls");
    await deny("make");
    await clock.advance(denialDigest);
    expect(received.filter(({ url }) => !url.includes("replies")).map(({ body }) => JSON.parse(body))).toEqual([
      {
        topic: "my-topic",
        sequence_id: expect.any(String),
        title: "askbox: 2 calls were denied by a model",
        message: "The newest: Claude Code in engine (main): Bash: make\nLook at them in the inbox.",
        tags: ["no_entry"],
        click: "https://askbox.example/",
      },
    ]);
  });

  test("has no action where no text is sent", async () => {
    const { deny, clock, received } = await elsewhere({ targets: [hook, phone].map((each) => ({ ...each, text: false })) });
    await deny("secret-command");
    await clock.advance(denialDigest);
    expect(received).toHaveLength(2);
    expect(received.map(({ body }) => body).join("\n")).not.toMatch(/secret-command|main\)/);
  });

  test("comes to nobody who lists no events, or only others, and to nobody while it is off", async () => {
    const entries = [{ url: "https://receiver.example/hook" }, { kind: "ntfy", url: "https://ntfy.example/topic" }];
    const targets = webhookTargets(
      entries.map((entry) => webhookSchema.parse(entry)),
      "/",
    );
    for (const options of [{ targets }, { targets: [hook, phone], denialDigest: 0 }]) {
      const { deny, clock, received } = await elsewhere(options);
      await deny("ls");
      await clock.advance(60 * minute);
      expect(received).toEqual([]);
    }
  });

  test("counts what the target asks for, and of that what was not decided or seen", async () => {
    const { deny, decide, desk, clock, bodies } = await elsewhere({ targets: [{ ...hook, project: "/srv/own" }] });
    const here = { project: "/srv/own" };
    const [decided, seen] = [await deny("a", here), await deny("b", here)];
    await deny("c", here);
    await deny("d", { project: "/srv/other" });
    await decide(decided, "deny");
    (await desk.attend(seen))();
    await clock.advance(denialDigest);
    expect(bodies()).toMatchObject([{ data: { count: 1, session: { action: "Bash: c" } } }]);
  });

  test("comes to a phone by its rules and quiet hours, which a webhook doesn't know", async () => {
    const { clock: from } = await scene();
    const time = (at: number) => new Date(at).toTimeString().slice(0, 5);
    const quietHours = `${time(from.now() - minute)}-${time(from.now() + 40 * minute)}`;
    const rules = { quietHours, rules: [{ project: "/srv/silent", after: "never" as const, quietHours: "off" }] };
    const { deny, clock, received } = await elsewhere({ targets: [hook, phone], rules });
    await deny("a");
    await deny("b", { project: "/srv/silent" });
    await clock.advance(39 * minute);
    expect(received.map(({ url }) => url)).toEqual([hook.url]);
    await clock.advance(minute);
    expect(received.map(({ url }) => url)).toEqual([hook.url, "https://ntfy.example/"]);
    expect(received[1]?.body).toContain("1 call was denied");
  });

  test("is delivered again when it has failed, under the same id", async () => {
    const { deny, clock, answers, ids } = await elsewhere({ targets: [hook] });
    answers.push({ status: 503 });
    const id = await deny("ls");
    await clock.advance(denialDigest + 10_000);
    expect(ids()).toEqual([`${id}.denials`, `${id}.denials`]);
  });

  // promise: denial-in-one-digest
  test("counts a denial once across restarts, also if the hub ended before the digest was delivered", async () => {
    const folder = temporaryFolder();
    const remote = { file: join(folder, "webhooks.json") };
    const { deny, clock, notify, startAgain, answers, ids } = await elsewhere({ targets: [hook], file: join(folder, "told.json"), remote });
    answers.push("hangs");
    const first = await deny("ls");
    await clock.advance(denialDigest);
    await comes(() => expect(ids()).toHaveLength(1));
    await notify.close();
    await startAgain();
    await comes(() => expect(ids()).toEqual([`${first}.denials`, `${first}.denials`]));
    const second = await deny("make");
    await clock.advance(60 * minute);
    await comes(() => expect(ids().slice(2)).toEqual([`${second}.denials`]));
  });

  // promise: denial-in-one-digest
  test("comes from one of two hubs, and a hub that comes later knows what was told", async () => {
    const { clock: own } = await scene();
    const space = sharedMemory(own);
    const { deny, clock, startAgain, bodies } = await elsewhere({ targets: [hook], remote: { shared: space.open() } });
    const other = await startAgain({}, { shared: space.open() });
    await deny("a");
    await deny("b");
    await clock.advance(denialDigest);
    expect(bodies().map(({ data }) => data.count)).toEqual([2]);
    // A hub that comes later knows what was told.
    await other.close();
    await startAgain({}, { shared: space.open() });
    await deny("c");
    await clock.advance(60 * minute);
    expect(bodies().map(({ data }) => [data.count, data.session.action])).toEqual([
      [2, "Bash: b"],
      [1, "Bash: c"],
    ]);
  });

  test("waits for its time since another hub's last one", async () => {
    const { clock: own } = await scene();
    const shared = sharedMemory(own).open();
    const { deny, clock, bodies } = await elsewhere({ targets: [hook], remote: { shared } });
    await deny("ls");
    await clock.advance(denialDigest - minute);
    const told = JSON.stringify({ at: clock.now(), told: ["another"] });
    await shared.swap(`digest:denials@${hook.url}`, undefined, told, denialDigest);
    await clock.advance(denialDigest - 1);
    expect(bodies()).toEqual([]);
    await clock.advance(1);
    expect(bodies()).toHaveLength(1);
  });

  test("waits while it is unknown what other hubs have told", async () => {
    const { clock: own } = await scene();
    const shared = sharedMemory(own).open();
    let isDown = true;
    const get: typeof shared.get = (key) => (isDown ? Promise.reject(new Error("down")) : shared.get(key));
    const { deny, clock, bodies, warnings } = await elsewhere({ targets: [hook], remote: { shared: { ...shared, get } } });
    await deny("ls");
    await clock.advance(2 * denialDigest);
    expect([bodies(), warnings()]).toEqual([[], ["A digest of denials could not be sent."]]);
    isDown = false;
    await clock.advance(denialDigest);
    expect(bodies()).toHaveLength(1);
  });
});
