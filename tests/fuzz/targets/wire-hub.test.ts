import { channelPair, closeCodes, createWireClient, hubMessageSchema, refusalSchema, serveWire, welcomeSchema } from "@askbox/wire";
import fc from "fast-check";
import { fuzz } from "../engine/fuzz.ts";
import { mutated, mutatedPart } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { assertSentence, fault } from "../engine/oracle.ts";
import { agent, askerRequests, deskRequests } from "../engine/samples.ts";
import { openWorld, turns, type World } from "../engine/world.ts";

const hellos = {
  asker: { hello: { protocol: 2, token: "one", role: "asker", agent } },
  desk: { hello: { protocol: 2, token: "one", role: "desk", surface: "web", name: "ada", agent } },
};
const others = [{ cancel: 1 }, { ping: 5 }, { pong: 5 }];
const numbered = (requests: readonly object[]) => requests.map((request, index) => ({ id: index + 1, ...request }));
const frame = (requests: readonly { params?: unknown }[]) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...requests), fc.nat(20))
        .chain(([request, id]) => mutatedPart({ id, ...request, params: "@@part@@" }, request.params ?? {})),
    },
    { weight: 1, arbitrary: mutated([...numbered(requests), ...others], { damage: 0.1 }) },
  );
const input = fc.constantFrom("asker" as const, "desk" as const).chain((role) =>
  fc.record({
    hello: fc.oneof({ weight: 9, arbitrary: fc.constant(JSON.stringify(hellos[role])) }, { weight: 1, arbitrary: mutated([hellos[role]]) }),
    frames: fc.array(frame(role === "asker" ? askerRequests : deskRequests), { minLength: 1, maxLength: 6, size: "max" }),
  }),
);

/** What a client may send to a hub. */
fuzz({
  name: "wire-hub",
  input,
  runs: 80,
  open: () => ({
    async take({ hello, frames }) {
      const world = await openWorld({ isAskedBack: frames.length % 2 === 0 });
      const serve = serving(world);
      const [near, far] = channelPair();
      serve(far);
      near.onMessage(assertReply);
      near.onClose(({ code, reason }) => {
        if (!Object.values(closeCodes).includes(code as never)) fault(`The channel was closed with ${code}.`);
        assertSentence(reason, "The reason of a close");
      });
      near.send(writeOut(hello));
      await turns();
      for (const frame of frames) {
        near.send(writeOut(frame).replaceAll("@@session@@", world.session));
        await turns();
      }
      await world.platform.clock.advance(1_000);
      const client = createWireClient({
        connect: async () => {
          const [own, theirs] = channelPair();
          serve(theirs);
          return own;
        },
        hello: { token: "one", role: "desk", surface: "cli", agent },
        clock: world.platform.clock,
        ids: world.platform.ids,
        random: () => 0.5,
      });
      await client.desk.list();
      client.close();
      near.close();
      await world.assertServes();
      await world.close();
    },
  }),
});

function serving({ broker, platform, log }: World): (channel: Parameters<typeof serveWire>[0]) => void {
  return (channel) => {
    serveWire(channel, {
      hub: { version: "1.0.0", instance: "one" },
      log,
      ids: platform.ids,
      clock: platform.clock,
      authenticate: async (token) => (token === "one" ? { owner: "one", scopes: ["asker", "desk"] } : undefined),
      asker: (owner) => broker.asker(owner),
      desk: (by) => broker.desk(by),
      agents: broker.agents,
      control: { status: async () => ({}), stop: async () => {} },
    });
  };
}

/** Every message of a hub belongs to the protocol, and none reveals an internal error. */
function assertReply(text: string): void {
  const message: unknown = JSON.parse(text);
  const isKnown = [welcomeSchema, refusalSchema, hubMessageSchema].some((schema) => schema.safeParse(message).success);
  if (!isKnown) fault(`The hub says what no client understands: ${text.slice(0, 300)}`);
  const { error } = message as { error?: { code: string; message: string } };
  if (error === undefined) return;
  if (error.code === "INTERNAL") fault("A request became an accident.");
  assertSentence(error.message, error.code);
}
