import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AskerInfo, standardPlatform } from "@askbox/core";
import { expect, test } from "vitest";
import { faultHome } from "../../../../tests/faults/support/home.ts";
import { until } from "../../../../tests/support/until.ts";
import { changeDesk } from "../src/index.ts";
import { countedNetwork } from "./support/network.ts";
import { select } from "./support/scene.ts";
import { slackChat } from "./support/slack-service.ts";

const asker: AskerInfo = { client: { name: "claude-code", version: "1" }, project: "/home/ada/engine", agentId: "claude" };

/** When the hub is killed, after a press. */
const moments = ["it could take it", "it confirmed it", "the answer was stored"] as const;

// Slack tells of a press only once. The other services, and a kill at every other moment: contract/people-and-faults.ts.
// promise: chat-press-not-lost
test("a hub with Slack that is killed around a press neither loses nor repeats it, and posts nothing twice", async () => {
  const service = await slackChat.start(standardPlatform(globalThis).clock, countedNetwork());
  const { name, ada, secrets, bot, url } = service;
  const home = faultHome();
  writeFileSync(home.files.config, JSON.stringify({ undo: 0 }));
  await changeDesk(join(home.folder, "chat.json"), name, () => ({
    secrets,
    bot,
    api: url,
    after: 0,
    people: [{ id: ada.id, name: ada.name }],
    places: [{ chat: ada.chat, members: [{ person: ada.id, allow: false }] }],
  }));
  let hub = await home.startHub();
  const wire = await home.connect({ role: "asker" });
  const { desk } = await home.connect({ role: "desk" });
  for (const moment of moments) {
    const questions = [select(["Staging", "Production"])];
    const { session } = await wire.asker.ask({ title: moment, questions, timeout: 600_000 }, { asker, maxWait: 0 });
    const its = () => service.messages.filter(({ text }) => text.includes(moment));
    const message = await until("it was posted", () => its()[0]);
    await until("presses are received", () => service.isRead());
    const outcome = async () => (await desk.get(session.id)).outcome;
    const told = service.told.length;
    const taken = Promise.withResolvers<void>();
    service.onTaken(() => {
      // In the same turn, before the hub can do anything else.
      if (moment === "it confirmed it") hub.child.kill("SIGKILL");
      taken.resolve();
    });
    service.press(message, "Staging");
    if (moment === "it confirmed it") await taken.promise;
    if (moment === "the answer was stored") await until(moment, outcome);
    await hub.kill();
    hub = await home.startHub();
    const isTold = () => moment === "it could take it" && service.told.slice(told).some((said) => /work|failed/.test(said));
    await until("it was taken, or its person told that it was not", async () => (await outcome()) !== undefined || isTold());
    if ((await outcome()) === undefined) {
      await until("presses are received again", () => service.isRead());
      // The service may have delivered the first press again by now.
      if (message.buttons.length > 0) service.press(message, "Staging");
    }
    const ended = await until("it is answered", outcome);
    expect(ended).toMatchObject({ kind: "answered", answers: [{ values: ["Staging"] }], by: { surface: name, name: "Ada" } });
    await until("the message says so", () => message.text.includes("Answered by Ada in Slack."));
    expect(its()).toHaveLength(1);
  }
});
