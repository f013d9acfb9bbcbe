import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AskboxError, type AskRequest, type Question } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { buttonsOf } from "../src/button-press/button-press.ts";
import { eventOf } from "../src/event.ts";
import { webhookSchema } from "../src/index.ts";
import { eventNotice, withWhole } from "../src/notice.ts";
import { ntfyServer, type Push } from "./support/ntfy-server.ts";
import { comes, scene, target, temporaryFolder } from "./support/scene.ts";

const inbox = "https://askbox.example";
const option = (value: string, rest = {}) => ({ value, label: value, ...rest });
const select = (options: readonly object[], rest = {}) =>
  ({ id: "q_1", type: "select", question: "Where to?", required: true, options, allowOther: true, ...rest }) as Question;
const permission = (action: object, rest = {}) =>
  ({ id: "q_1", type: "approval", question: "May I?", required: true, action: { kind: "command", ...action }, ...rest }) as Question;
const staging = { title: "Deploy", questions: [select([option("Staging"), option("Production")])] };

type Settings = Parameters<typeof target>[0];

/** A stand-in server, a hub that pushes to it and reads its button presses, and the phone's last push of a session. */
async function phoneScene(settings: Settings = {}, server: Parameters<typeof ntfyServer>[0] = {}) {
  const ntfy = await ntfyServer(server);
  const phone = target({
    kind: "ntfy",
    url: `${ntfy.url}/questions`,
    events: ["session.opened", "session.replied_back"],
    after: 0,
    inbox,
    replyTopic: "replies-1f0c",
    name: "Ada",
    ...settings,
  });
  const buttonPresses = join(temporaryFolder(), "presses.json");
  const made = await scene({ targets: [phone], remote: { fetch: globalThis.fetch, buttonPresses } });
  await comes(() => expect(ntfy.readers()).toBe(1));
  const last = (id: string): Push | undefined => ntfy.pushes.findLast(({ sequence_id }) => sequence_id === id);
  /** Asks, and waits until the phone has it. */
  const push = async (request: Partial<AskRequest> = staging): Promise<{ id: string; push: Push }> => {
    const id = await made.ask(request);
    await made.clock.advance(0);
    return { id, push: await comes(() => last(id) ?? expect.fail("nothing was pushed")) };
  };
  const status = async (id: string) => (await made.desk.get(id)).status;
  return {
    ...made,
    ntfy,
    phone,
    buttonPresses,
    last,
    push,
    labels: ({ actions = [] }: Push) => actions.map(({ label }) => label),
    settles: (id: string) => comes(async () => expect(await status(id)).not.toBe("pending")),
    pushed: (id: string, text: string) => comes(() => expect(last(id)?.message).toContain(text)),
    logged: (text: string) => comes(() => expect(made.log.map(({ message }) => message).join("\n")).toContain(text)),
    tokenOf: ({ actions = [] }: Push, at: number) => actions[at]?.body ?? "",
    status,
  };
}

describe("a button on a phone", () => {
  test("never answers a question with pictures, which a push doesn't show, and is shown with an action's machine", async () => {
    const { push, desk } = await phoneScene();
    const session = await desk.get((await push()).id);
    const look = { max: 3, maxBody: 4_000, maxLabel: 80, allow: true };
    const image = { name: "a.png", mimeType: "image/png", size: 9, sha256: "0".repeat(64), width: 3, height: 2 };
    expect(buttonsOf(session, look)?.buttons).toHaveLength(2);
    for (const question of [select([option("A")], { images: [image] }), select([option("A", { images: [image] }), option("B")])]) {
      expect(buttonsOf({ ...session, questions: [question] }, look)).toBeUndefined();
    }
    const action = permission({ command: "rm" }, { images: [image] });
    const offered = await desk.get((await push({ questions: [permission({ command: "rm" })] })).id);
    const elsewhere = { ...offered, asker: { ...offered.asker, machine: "build-7" } };
    expect(
      [buttonsOf(offered, look)?.whole, buttonsOf(elsewhere, look)?.whole].map((text) => text?.includes("\nmachine: build-7")),
    ).toEqual([false, true]);
    const { whole, buttons = [] } = buttonsOf({ ...offered, questions: [action] }, look) ?? {};
    expect([whole, buttons.map(({ answer }) => answer.answers[0]?.values)]).toEqual([undefined, [["deny"]]]);
    const event = eventOf("session.opened", { ...offered, questions: [action] });
    const body = withWhole(eventNotice(event, { showText: true }).body, event, { whole, buttons: [] });
    expect(body).toMatch(/^.*\n.*\n1 picture: a\.png\nIt can't be allowed here, where its pictures aren't shown\.$/);
  });

  test("reads the names of the pictures that a push doesn't show, and how many more there are", async () => {
    const { push, desk } = await phoneScene();
    const session = await desk.get((await push()).id);
    const image = (name: string) => ({ name, mimeType: "image/png", size: 9, sha256: "0".repeat(64), width: 3, height: 2 });
    const bodyWith = (...names: string[]) => {
      const [first, ...others] = names.map(image);
      const question = select([option("A", { images: others }), option("B")], first && { images: [first] });
      return eventNotice(eventOf("session.opened", { ...session, questions: [question] }), { showText: true })
        .body.split("\n")
        .at(-1);
    };
    expect(bodyWith()).toBe("Where to?");
    expect(bodyWith("a.png", "b.png")).toBe("2 pictures: a.png, b.png");
    expect(bodyWith("a.png", "b.png", "c.png", "d.png", "e.png")).toBe("5 pictures: a.png, b.png, c.png, and 2 more");
    expect(bodyWith(`${"long ".repeat(1_000)}\u001b[31m\n.png`)).toMatch(/^1 picture: [a-z ]{1,39}…$/);
  });

  test("answers with its option, in the name of the phone's person, and the push says so", async () => {
    const { push, ntfy, labels, settles, desk, last, pushed } = await phoneScene({ replyToken: "tk_write" }, { writeToken: "tk_write" });
    const { id, push: shown } = await push();
    expect(labels(shown)).toEqual(["Staging", "Production", "Open"]);
    expect(shown.message).toBe("Deploy\nWhere to?\n• Staging\n• Production");
    expect(shown.actions?.[2]).toEqual({ action: "view", label: "Open", url: `${inbox}/s/${id}` });
    expect(await ntfy.press(shown, "Production")).toBe(200);
    await settles(id);
    expect((await desk.get(id)).outcome).toMatchObject({
      kind: "answered",
      by: { surface: "api", name: "Ada" },
      answers: [{ questionId: "q_1", values: ["Production"] }],
    });
    await pushed(id, "Answered by Ada through the API: Deploy");
    expect(last(id)?.actions).toBeUndefined();
  });

  test("carries a token of 38 characters that names neither session, question nor answer", async () => {
    const { push, tokenOf } = await phoneScene();
    const { id, push: shown } = await push();
    expect(tokenOf(shown, 1)).toMatch(/^a1\.[\w-]{16}\.1\.[\w-]{16}$/);
    expect(tokenOf(shown, 1)).not.toContain(id.slice(0, 8));
  });

  test("is remembered on disk before it is pushed", async () => {
    const { notify, phone, buttonPresses, startAgain, ask, clock } = await phoneScene();
    await notify.close();
    const remembered: boolean[] = [];
    const watching = async (url: string, init: RequestInit) => {
      const [, random = "nothing"] = /a1\.([\w-]{16})/.exec(String(init.body)) ?? [];
      if (init.method === "POST") remembered.push(readFileSync(buttonPresses, "utf8").includes(random));
      return fetch(url, init);
    };
    await startAgain({}, { targets: [phone], fetch: watching });
    await ask(staging);
    await clock.advance(0);
    await comes(() => expect(remembered).toEqual([true]));
  });

  test("that was pressed while no hub ran counts when one starts, once", async () => {
    const { push, ntfy, notify, startAgain, settles, buttonPresses, status } = await phoneScene();
    const { id, push: shown } = await push();
    await notify.close();
    expect(statSync(buttonPresses).mode & 0o777).toBe(0o600);
    await ntfy.press(shown, "Staging");
    expect(await status(id)).toBe("pending");
    const again = await startAgain();
    await settles(id);
    await again.close();
    const count = ntfy.pushes.length;
    await startAgain();
    await comes(() => expect(ntfy.readers()).toBe(1));
    expect(ntfy.state.since).toBe("m0000000001");
    const other = await push();
    await ntfy.press(other.push, "Staging");
    await settles(other.id);
    expect(ntfy.pushes.slice(count).filter(({ sequence_id }) => sequence_id === id)).toEqual([]);
  });

  test("counts although the hub stopped between storing the answer and its place in the stream, and changes nothing", async () => {
    const { push, ntfy, notify, startAgain, settles, buttonPresses, desk, pushed } = await phoneScene();
    const { id, push: shown } = await push();
    await ntfy.press(shown, "Staging");
    await settles(id);
    await pushed(id, "Answered");
    await notify.close();
    const { revision } = await desk.get(id);
    const count = ntfy.pushes.length;
    writeFileSync(buttonPresses, JSON.stringify({ ...JSON.parse(readFileSync(buttonPresses, "utf8")), read: {} }));
    await startAgain();
    const other = await push();
    await ntfy.press(other.push, "Staging");
    await settles(other.id);
    expect((await desk.get(id)).revision).toBe(revision);
    expect(ntfy.pushes.slice(count).filter(({ sequence_id }) => sequence_id === id)).toEqual([]);
  });

  test("that loses against an answer elsewhere changes nothing, and the person is told who was first", async () => {
    const { push, ntfy, desk, pushed } = await phoneScene();
    const { id, push: shown } = await push();
    await desk.answer(id, { answers: [{ questionId: "q_1", values: ["Staging"] }] });
    await pushed(id, "Answered on the command line: Deploy");
    await ntfy.press(shown, "Production");
    await pushed(id, "Your press came too late. Answered on the command line: Deploy");
    expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["Staging"] }] });
  });

  // promise: press-is-one-answer
  test("is void once another button of its question was pressed", async () => {
    const { push, ntfy, desk, pushed, settles } = await phoneScene();
    const { id, push: shown } = await push();
    await ntfy.press(shown, "Staging");
    await settles(id);
    await ntfy.press(shown, "Staging");
    await ntfy.press(shown, "Production");
    await pushed(id, "Your press came too late. Answered by Ada through the API: Deploy");
    expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["Staging"] }] });
  });

  test.each(["page", "phone"])("and an answer in the page at the same moment have one winner, with the %s ahead", async (ahead) => {
    const { push, ntfy, desk, settles, status } = await phoneScene();
    const { id, push: shown } = await push();
    const page = () =>
      desk.answer(id, { answers: [{ questionId: "q_1", values: ["Staging"] }] }).then(
        () => "page",
        () => "phone",
      );
    const phone = () => ntfy.press(shown, "Production");
    const [winner] = await Promise.all(ahead === "page" ? [page(), phone()] : [phone().then(page), undefined]);
    await settles(id);
    expect(await status(id)).toBe("answered");
    expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ values: [winner === "page" ? "Staging" : "Production"] }] });
  });

  // promise: press-is-one-answer
  test.each<[string, (token: string, other: string) => string]>([
    ["forged", (token) => `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`],
    ["of another option", (token) => token.replace(".1.", ".0.")],
    ["with another's signature", (token, other) => `${token.slice(0, 22)}${other.slice(22)}`],
    ["cut", (token) => token.slice(0, -2)],
    ["with something after it", (token) => `${token} `],
    ["no press at all", () => "Production"],
    ["empty", () => ""],
    ["long", () => "a1.".repeat(20_000)],
  ])("is refused if its token is %s, and that is logged once", async (_, forge) => {
    const { push, ntfy, tokenOf, status, settles, warnings } = await phoneScene();
    const { id, push: shown } = await push();
    const { push: other } = await push({ ...staging, title: "Other" });
    for (let count = 0; count < 3; count += 1) ntfy.publish("replies-1f0c", forge(tokenOf(shown, 1), tokenOf(other, 1)));
    const { id: good, push: next } = await push({ ...staging, title: "Next" });
    await ntfy.press(next, "Staging");
    await settles(good);
    expect(await status(id)).toBe("pending");
    expect(warnings().length).toBeLessThanOrEqual(1);
    expect(warnings().every((line) => line.includes("no press of a button"))).toBe(true);
    expect(JSON.stringify(warnings())).not.toContain("replies-1f0c");
  });

  test("of a place that was configured away, or of another key, is refused", async () => {
    const { push, ntfy, notify, startAgain, buttonPresses, status, logged } = await phoneScene();
    const { id, push: shown } = await push();
    await notify.close();
    writeFileSync(buttonPresses, "{]");
    await startAgain();
    await ntfy.press(shown, "Staging");
    await logged("that is no press of a button");
    expect(await status(id)).toBe("pending");
  });

  test("is taken by whichever of several hubs runs, and once by all", async () => {
    const { push, ntfy, notify, phone, clock, startAgain, settles, desk } = await phoneScene();
    await notify.close();
    const { sharedMemory } = await import("@askbox/core/stores");
    const shared = sharedMemory(clock);
    const claimed = new Set<string>();
    const claim = async (news: string) => !claimed.has(news) && claimed.add(news).size > 0;
    const hubs = [];
    for (const hub of ["one", "two"]) {
      hubs.push(await startAgain({}, { targets: [phone], claim, shared: shared.open(), buttonPresses: join(temporaryFolder(), hub) }));
    }
    await comes(() => expect(ntfy.readers()).toBe(2));
    const one = await push();
    await ntfy.press(one.push, "Staging");
    await settles(one.id);
    const two = await push({ ...staging, title: "Two" });
    await hubs[0]?.close();
    await ntfy.press(two.push, "Production");
    await settles(two.id);
    for (const { id } of [one, two]) expect((await desk.get(id)).outcome).toMatchObject({ by: { name: "Ada" } });
  });
});

describe("the stream of presses", () => {
  test("is opened again after it was dropped, and nothing that was pressed meanwhile is lost", async () => {
    const { push, ntfy, clock, settles } = await phoneScene();
    const { id, push: shown } = await push();
    ntfy.drop();
    await comes(() => expect(ntfy.readers()).toBe(0));
    await ntfy.press(shown, "Staging");
    await comes(async () => {
      await clock.advance(500);
      expect(ntfy.readers()).toBe(1);
    });
    await settles(id);
  });

  test("is opened again when nothing came for a minute, not even a sign of life", async () => {
    const { ntfy, clock } = await phoneScene();
    for (let count = 0; count < 3; count += 1) {
      await clock.advance(45_000);
      ntfy.keepAlive();
      await new Promise(setImmediate);
    }
    await comes(async () => {
      await clock.advance(30_000);
      expect(ntfy.state.opened).toBe(2);
    });
  });

  test("that is refused is in the status and logged once, and tried again", async () => {
    const { ntfy, clock, notify, warnings } = await phoneScene();
    ntfy.state.status = 403;
    ntfy.drop();
    await comes(async () => {
      await clock.advance(500);
      expect(notify.status()[0]?.trouble).toBe("reading its presses is answered 403");
    });
    await clock.advance(300_000);
    expect(warnings().filter((line) => line.includes("is answered 403"))).toHaveLength(1);
    ntfy.state.status = 200;
    await comes(async () => {
      await clock.advance(300_000);
      expect(ntfy.readers()).toBe(1);
    });
    await comes(() => expect(notify.status()[0]?.trouble).toBeUndefined());
  });

  test("is read again from a press that could not be stored", async () => {
    const { push, ntfy, notify, startAgain, desk, clock, settles } = await phoneScene();
    await notify.close();
    let fails = 2;
    const answerAs = () => ({
      get: desk.get.bind(desk),
      async answer(...args: Parameters<typeof desk.answer>) {
        fails -= 1;
        if (fails >= 0) throw new AskboxError("STORE_UNAVAILABLE", "The store cannot be reached.");
        return desk.answer(...args);
      },
    });
    await startAgain({}, { answerAs });
    const { id, push: shown } = await push();
    await ntfy.press(shown, "Staging");
    await comes(async () => {
      await clock.advance(1_000);
      expect((await desk.get(id)).status).toBe("answered");
    });
    await settles(id);
    expect(fails).toBe(-1);
  });

  test("that fails for another reason is given up, and holds back no other", async () => {
    const { push, ntfy, settles, desk, startAgain, clock, notify } = await phoneScene();
    await notify.close();
    const answerAs = () => ({
      get: desk.get.bind(desk),
      async answer(...args: Parameters<typeof desk.answer>) {
        if ((await desk.get(args[0])).title === "Broken") throw new TypeError("Cannot read properties of undefined");
        return desk.answer(...args);
      },
    });
    const again = await startAgain({}, { answerAs });
    const broken = await push({ ...staging, title: "Broken" });
    const other = await push();
    await ntfy.press(broken.push, "Staging");
    await ntfy.press(other.push, "Staging");
    await comes(async () => {
      await clock.advance(1_000);
      expect((await desk.get(other.id)).status).toBe("answered");
    });
    await settles(other.id);
    expect(again.status()[0]?.trouble).toContain("failed; the hub's log says why");
    expect((await desk.get(broken.id)).status).toBe("pending");
  });
});

describe("an action on a phone", () => {
  const command = "git push --force\nrm -rf build";

  // promise: phone-allows-only-where-on
  test("is shown whole, and can be denied and opened, but not allowed", async () => {
    const { push, ntfy, labels, settles, desk } = await phoneScene();
    const { id, push: shown } = await push({ title: "Push", questions: [permission({ tool: "Bash", command, cwd: "/srv/a\u202Eb" })] });
    expect(shown.message).toBe(`Push\nMay I?\ncommand:\n${command}\ntool: Bash\ncwd: /srv/a⟨U+202E⟩b`);
    expect(labels(shown)).toEqual(["Deny", "Open"]);
    await ntfy.press(shown, "Deny");
    await settles(id);
    expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["deny"] }], by: { name: "Ada" } });
  });

  // promise: phone-allows-only-where-on
  test("can be allowed once where that is on, and no longer where it was turned off since", async () => {
    const { push, ntfy, labels, settles, desk, notify, startAgain, phone, status, logged } = await phoneScene({ allow: true });
    const ask = { title: "Push", questions: [permission({ command }, { grants: [{ value: "session", label: "For this session" }] })] };
    const { id, push: shown } = await push(ask);
    expect(labels(shown)).toEqual(["Deny", "Allow once", "Open"]);
    await ntfy.press(shown, "Allow once");
    await settles(id);
    expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["allow"] }] });
    const other = await push(ask);
    await notify.close();
    await startAgain({}, { targets: [{ ...phone, allow: false }] });
    await ntfy.press(other.push, "Allow once");
    await logged("no longer offered");
    expect(await status(other.id)).toBe("pending");
    await ntfy.press(other.push, "Deny");
    await settles(other.id);
  });

  // promise: phone-long-action-attached
  test("that is too long to be shown whole can only be denied there, and is attached whole", async () => {
    const { push, ntfy, labels, settles, desk } = await phoneScene({ allow: true });
    const long = `${"é".repeat(1_200)}; rm -rf /\n\u202E`;
    const { id, push: shown } = await push({ title: "Größer: =?x", questions: [permission({ command: long })] });
    expect(labels(shown)).toEqual(["Deny", "Open"]);
    expect(shown.message).toMatch(/^é{139}…\n.*\nIt is too long to be allowed here: the attached file has it whole\.$/s);
    expect(shown.file).toEqual({
      name: "request.txt",
      text: `Größer: =?x\nMay I?\ncommand:\n${"é".repeat(1_200)}; rm -rf /\n⟨U+202E⟩\n`,
    });
    expect(ntfy.refused).toEqual([]);
    await ntfy.press(shown, "Deny");
    await settles(id);
    expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["deny"] }] });
  });

  test("that is too long is pushed without a file where the server takes none", async () => {
    const { push, ntfy, labels } = await phoneScene({ allow: true });
    ntfy.state.takesFiles = false;
    const { push: shown } = await push({ title: "Push", questions: [permission({ command: "x".repeat(3_000) })] });
    expect(labels(shown)).toEqual(["Deny", "Open"]);
    expect(shown.message).toContain("It is too long to be allowed here.");
    expect(shown.file).toBeUndefined();
    expect(ntfy.refused).toEqual([400]);
  });
});

describe("a push has no buttons", () => {
  test.each<[string, Partial<AskRequest>, Settings?]>([
    ["for several questions", {}],
    ["for more options than there is room", { questions: [select(["a", "b", "c", "d"].map((value) => option(value)))] }],
    ["for a label that is too long for a button", { questions: [select([option("a"), option("b".repeat(41))])] }],
    ["for a label with what a phone may not show", { questions: [select([option("a"), option("b\u202E")])] }],
    ["for a preview that does not fit", { questions: [select([option("a", { preview: "x".repeat(2_400) }), option("b")])] }],
    ["for a text", { questions: [{ id: "q_1", type: "text", question: "Name?", required: true }] }],
    ["if its text is off", staging, { text: false }],
    ["without a topic for replies", staging, { replyTopic: undefined }],
  ])("%s", async (_, request, settings = {}) => {
    const ntfy = await ntfyServer();
    const phone = target({
      kind: "ntfy",
      url: `${ntfy.url}/questions`,
      events: ["session.opened"],
      after: 0,
      replyTopic: "replies-1f0c",
      ...settings,
    });
    const { ask, clock } = await scene({ targets: [phone], remote: { fetch: globalThis.fetch } });
    await ask(request);
    await clock.advance(0);
    await comes(() => expect(ntfy.pushes).toHaveLength(1));
    expect(ntfy.pushes[0]?.actions).toBeUndefined();
  });

  test("that could be forged by a question's text: its labels are buttons only, and three of them fit", async () => {
    const { push, labels, ntfy } = await phoneScene();
    const { push: shown } = await push({ title: undefined, questions: [select(["a", "b", "c"].map((value) => option(value)))] });
    expect(labels(shown)).toEqual(["a", "b", "c"]);
    expect(ntfy.refused).toEqual([]);
  });
});

test.each([
  [{ replyToken: "tk_1" }, "has no replyTopic, which its buttons need"],
  [{ allow: true }, "has no replyTopic, which its buttons need"],
  [{ replyTopic: "questions" }, "has its own topic as its replyTopic"],
  [{ replyTopic: "a/b" }, "must be 1 to 64 letters"],
])("the settings %o are refused", (settings, why) => {
  const { error } = webhookSchema.safeParse({ kind: "ntfy", url: "https://ntfy.example/questions", ...settings });
  expect(error?.issues[0]?.message).toContain(why);
});
