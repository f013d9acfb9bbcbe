import { isAskboxError } from "@askbox/core";
import { arrive } from "../../faults/traffic/actors.ts";
import { spend } from "../../support/until.ts";
import { type Actor, bearer } from "./target.ts";
import { unlessReset } from "./unless-reset.ts";

/** A surface that connects, lists, opens a session, types a draft that it never sends, and disconnects. */
export const lookingSurface: Actor = async (target, name, chance) => {
  const { ended, count } = target;
  while (!ended.aborted) {
    const client = await arrive(target, { role: "desk", name });
    if (client === undefined) continue;
    const { desk, close } = client;
    const watch = await desk.watch(chance.percent(50) ? {} : { project: "/project" }, () => {});
    count();
    for (let look = chance.between(1, 4); look > 0 && !ended.aborted; look -= 1) {
      const { items } = await desk.list({ statuses: ["pending"], limit: 20 });
      const session = items[chance.between(0, 19)];
      await spend(chance.between(1, 60));
      if (session === undefined) continue;
      await unlessSettled(async () => {
        const leave = await desk.attend(session.id);
        await desk.saveDraft(session.id, { fields: { q: { values: [`half of ${name}'s answer`] } } });
        await spend(chance.between(1, 30));
        // Sometimes it just vanishes.
        if (chance.percent(70)) leave();
      });
    }
    if (chance.percent(70)) watch.close();
    close();
    await spend(chance.between(5, 100));
  }
};

async function unlessSettled(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // It was answered in the meantime.
    if (!isAskboxError(error, "SESSION_CLOSED") && !isAskboxError(error, "SESSION_NOT_FOUND")) throw error;
  }
}

/** Reads the inbox's event stream for a while and disconnects in the middle of it. */
export const eventReader: Actor = async ({ url, deskToken, ended, count }, _name, chance) => {
  while (!ended.aborted) {
    const hangUp = new AbortController();
    const response = await unlessReset(() => fetch(`${url}/api/events`, { headers: bearer(deskToken), signal: hangUp.signal }));
    count();
    const reader = response?.body?.getReader();
    for (let piece = chance.between(1, 20); piece > 0; piece -= 1) await Promise.race([reader?.read().catch(() => {}), spend(200)]);
    hangUp.abort();
    await spend(chance.between(20, 200));
  }
};
