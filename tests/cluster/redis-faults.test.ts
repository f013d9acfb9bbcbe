import { isAskboxError } from "@askbox/core";
import { earlierOf, resumed } from "@askbox/core/testing";
import { cutProxy, startRedis, startSentinels } from "@askbox/store-redis/testing";
import { expect, onTestFinished, test } from "vitest";
import { answerOf, asker, oneQuestion, textOf } from "../faults/support/questions.ts";
import { timeout } from "../faults/support/rounds.ts";
import { until } from "../support/until.ts";
import { type Member, startCluster } from "./support/cluster.ts";

/** Opens a question at a hub and waits for it there; resolves once the wait has started. */
async function asked(member: Member, question: string) {
  const { asker: port } = await member.home.connect({ role: "asker" });
  const { control, desk, close } = await member.home.connect({ role: "desk" });
  const waiting = async () => Number((await control.status())["waiting"]);
  const before = await waiting();
  const { session } = await port.ask(oneQuestion(question), { asker: asker("a1"), maxWait: 0 });
  const wait = resumed(port, session.id);
  wait.catch(() => {});
  await until("the call waits", async () => (await waiting()) > before);
  // The hub has read the session for the wait by then, since it reads in order.
  await desk.get(session.id);
  close();
  return { id: session.id, wait };
}

/** In ms: a sentinel waits for seconds before it promotes a replica, and hubs find the new master after that. */
const failover = 60_000;

const deskOf = async ({ home }: Member) => (await home.connect({ role: "desk" })).desk;
const readiness = async ({ home }: Member) => (await fetch(`${home.hub()?.url}/readyz`)).status;

/** Answers repeatedly until the store accepts it; returns how often it was rejected. */
async function answerUntilTaken(member: Member, id: string, text: string): Promise<number> {
  const desk = await deskOf(member);
  let refused = 0;
  await until(
    "the answer is taken",
    async () => {
      try {
        await desk.answer(id, answerOf(text));
        return true;
      } catch (error) {
        if (isAskboxError(error, "SESSION_CLOSED")) return true;
        if (!isAskboxError(error, "STORE_UNAVAILABLE")) throw error;
        refused += 1;
        return false;
      }
    },
    failover,
  );
  return refused;
}

// promise: redis-away-refuses, redis-fault-refused
test("while a Redis is restarted or stopped, requests are rejected, and everything recovers afterwards", {
  tags: "nightly",
  timeout,
}, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const [a, b] = (await startCluster(() => redis.url, 2)).members as [Member, Member];
  const first = await asked(a, "Restarted?");
  const second = await asked(a, "Paused?");
  await redis.kill();
  await expect((await deskOf(b)).answer(first.id, answerOf("early"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await until("it is said that it is not ready", async () => (await readiness(b)) === 503);
  await redis.start();
  await answerUntilTaken(b, first.id, "after the restart");
  expect(textOf((await first.wait).context.outcome)).toBe("after the restart");

  await until("it is ready again", async () => (await readiness(b)) === 200);
  redis.pause();
  const refused = (await deskOf(b)).answer(second.id, answerOf("while it was paused"));
  await expect(refused).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  redis.resume();
  await answerUntilTaken(b, second.id, "after the pause");
  const outcome = textOf((await second.wait).context.outcome);
  // A change reported as not confirmed may have been made all the same.
  expect(["while it was paused", "after the pause"]).toContain(outcome);
  expect(textOf((await (await deskOf(b)).get(second.id)).outcome)).toBe(outcome);
});

// promise: redis-away-refuses, redis-fault-refused
test("a hub that is disconnected from Redis rejects requests and is not ready, and works again afterwards", { timeout }, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const proxy = await cutProxy(redis.port);
  onTestFinished(() => proxy.close());
  const [a] = (await startCluster(() => redis.url.replace(String(redis.port), String(proxy.port)), 1)).members as [Member];
  const { id, wait } = await asked(a, "Cut off?");
  proxy.cut();
  await expect((await deskOf(a)).answer(id, answerOf("lost?"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await until("it is said that it is not ready", async () => (await readiness(a)) === 503);
  proxy.fix();
  await until("it is ready again", async () => (await readiness(a)) === 200);
  await (await deskOf(a)).answer(id, answerOf("afterwards"));
  expect(textOf((await wait).context.outcome)).toBe("afterwards");
});

// promise: redis-away-refuses, redis-fault-refused
test("a hub that is disconnected from Redis rejects requests while the others continue; then its own calls get their answers", {
  tags: "redis",
  timeout,
}, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const proxy = await cutProxy(redis.port);
  onTestFinished(() => proxy.close());
  const url = (member: number) => (member === 0 ? redis.url.replace(String(redis.port), String(proxy.port)) : redis.url);
  const [a, b, c] = (await startCluster(url)).members as [Member, Member, Member];
  const atCut = await asked(a, "Cut off?");
  const elsewhere = await asked(b, "Elsewhere?");
  proxy.cut();
  await expect((await deskOf(a)).answer(elsewhere.id, answerOf("lost?"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await until("it is said that it is not ready", async () => (await readiness(a)) === 503);
  expect(await readiness(c)).toBe(200);
  await (await deskOf(c)).answer(elsewhere.id, answerOf("still here"));
  expect(textOf((await elsewhere.wait).context.outcome)).toBe("still here");
  const desk = await deskOf(c);
  await until("nobody is shown at the hub that was cut off", async () => (await desk.get(atCut.id)).presence.asker === "away");
  await desk.answer(atCut.id, answerOf("while it was cut off"));
  proxy.fix();
  expect(textOf((await atCut.wait).context.outcome)).toBe("while it was cut off");
  await until("it is ready again", async () => (await readiness(a)) === 200);
});

// promise: redis-away-refuses, redis-fault-refused
test("a Redis that fails over to its replica keeps every acknowledged answer", { tags: "nightly", timeout }, async () => {
  const sentinels = await startSentinels();
  onTestFinished(() => sentinels.stop());
  // Nobody is told of an answer before the replica has it.
  const url = `${sentinels.url}?replicas=1`;
  const [a, b] = (await startCluster(() => url, 2)).members as [Member, Member];
  const before = await asked(a, "Before?");
  const after = await asked(a, "After?");
  await (await deskOf(b)).answer(before.id, answerOf("before"));
  await sentinels.master.kill();
  // The remaining server has no replica: nothing more is confirmed until there is one again.
  await until(
    "the replica is the master",
    async () => (await sentinels.replica.command<string>("INFO", "replication").catch(() => "")).includes("role:master"),
    failover,
  );
  await sentinels.master.start();
  await until(
    "it is the replica of the new one",
    () =>
      sentinels.master.command("REPLICAOF", "127.0.0.1", String(sentinels.replica.port)).then(
        () => true,
        () => false,
      ),
    failover,
  );
  await answerUntilTaken(b, after.id, "after");
  expect(textOf((await before.wait).context.outcome)).toBe("before");
  expect(textOf((await after.wait).context.outcome)).toBe("after");
  const desk = await deskOf(a);
  expect([textOf((await desk.get(before.id)).outcome), textOf((await desk.get(after.id)).outcome)]).toEqual(["before", "after"]);
});

// promise: teams-kept-apart
test("teams that share a Redis see nothing of each other", { timeout }, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const red = await startCluster(() => redis.url, 1, { ASKBOX_SPACE: "red" });
  const blue = await startCluster(() => redis.url, 1, { ASKBOX_SPACE: "blue" });
  const [ofRed, ofBlue] = [red.members[0], blue.members[0]] as [Member, Member];
  const received: string[] = [];
  const blueDesk = await deskOf(ofBlue);
  await blueDesk.watch({}, ({ type }) => void received.push(type));
  const { id } = await asked(ofRed, "Whose?");
  const redDesk = await deskOf(ofRed);
  await redDesk.saveDraft(id, { fields: { q: { values: ["ours"] } } });
  // All are handled from the start: a failure while another is awaited would be an unhandled rejection.
  const attempts = [
    blueDesk.get(id),
    blueDesk.answer(id, answerOf("mine")),
    blueDesk.getDraft(id),
    blueDesk.attend(id),
    blueDesk.extend(id, { timeout: null }),
  ];
  await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" })));
  expect((await blueDesk.list({})).items).toEqual([]);
  const { asker: blueAsker } = await ofBlue.home.connect({ role: "asker" });
  await expect(resumed(blueAsker, id)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  expect(await earlierOf(blueAsker, asker("a1"))).toEqual([]);
  const equal = await blueAsker.ask(oneQuestion("Whose?"), { asker: asker("a1"), key: "same", maxWait: 0 });
  expect([equal.joined, equal.session.id === id]).toEqual([false, false]);
  await until("its own question is told", () => received.includes("session"));
  expect(
    received.filter((type) => type === "draft"),
    "drafts of the other team",
  ).toEqual([]);
  // One team's tokens are not valid for the other.
  const redUrl = ofRed.home.hub()?.url ?? "";
  const token = ofBlue.home.hub()?.askerToken ?? "";
  const answer = await fetch(`${redUrl}/api/sessions/${id}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(401);
  const figures = async (member: Member) => {
    const { desk: _, control, close } = await member.home.connect({ role: "desk" });
    const { pending, peers } = await control.status();
    close();
    return { pending, peers };
  };
  expect(await figures(ofRed)).toEqual({ pending: 1, peers: [] });
  expect(await figures(ofBlue)).toEqual({ pending: 1, peers: [] });
});

// promise: killed-hubs-lose-no-answer
test("a hub that is killed while 1,000 calls wait at it loses none: each continues at another and gets its own answer", {
  tags: "nightly",
  timeout,
}, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const { members, outside, balancer } = await startCluster(() => redis.url);
  const [victim, ...others] = members as [Member, ...Member[]];
  const all = balancer.targets;
  balancer.targets = [victim.port];
  const { asker: port } = await outside.connect({ role: "asker" });
  const names = Array.from({ length: 1_000 }, (_, index) => `Call ${index}?`);
  const calls: { id: string; name: string; wait: Promise<string | undefined> }[] = [];
  for (let start = 0; start < names.length; start += 50) {
    const opened = await Promise.all(
      names
        .slice(start, start + 50)
        .map(async (name) => ({ name, ...(await port.ask(oneQuestion(name), { asker: asker(name), maxWait: 0 })) })),
    );
    for (const { name, session } of opened)
      calls.push({ id: session.id, name, wait: resumed(port, session.id).then(({ context }) => textOf(context.outcome)) });
  }
  const { control } = await victim.home.connect({ role: "desk" });
  await until("all wait", async () => (await control.status())["waiting"] === 1_000);
  balancer.targets = all.filter((target) => target !== victim.port);
  await victim.kill();
  const desk = await deskOf(others[0] as Member);
  for (let start = 0; start < calls.length; start += 50) {
    await Promise.all(calls.slice(start, start + 50).map(({ id, name }) => desk.answer(id, answerOf(`to ${name}`))));
  }
  const got = await Promise.all(calls.map(({ wait }) => wait));
  expect(got).toEqual(names.map((name) => `to ${name}`));
});
