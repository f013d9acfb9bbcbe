import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** Runs a program that only waits; Node ends a program that it considers idle with code 13. */
async function program(text: string): Promise<string> {
  const { stdout } = await run(process.execPath, ["--conditions=askbox-source", "--input-type=module", "--eval", text], {
    cwd: join(import.meta.dirname, ".."),
  });
  return stdout.trim();
}

test("a program that waits for an answer from its own broker stays alive", async () => {
  const text = `
    import { createBroker, memoryStore, parseAsk, standardPlatform } from "@askbox/core";
    const platform = standardPlatform(globalThis);
    const broker = await createBroker({ store: memoryStore(), ...platform });
    const request = parseAsk({ questions: [{ question: "Deploy?", type: "confirm" }] }, platform);
    const { session } = await broker.asker("program").ask(request, { asker: { client: { name: "program" } }, maxWait: 200 });
    console.log(session.state);
  `;
  expect(await program(text)).toBe("pending");
});

test("a program that looks for a hub stays alive until it knows there is none", async () => {
  const text = `
    import { parseAsk, standardPlatform } from "@askbox/core";
    import { createWireClient } from "@askbox/wire";
    const platform = standardPlatform(globalThis);
    const hello = { token: "t", role: "asker", agent: { name: "program", version: "1" } };
    const connect = () => Promise.reject(new Error("nobody is there"));
    const { asker } = createWireClient({ connect, hello, clock: platform.clock, ids: platform.ids, timeout: 200 });
    const request = parseAsk({ questions: [{ question: "Deploy?", type: "confirm" }] }, platform);
    await asker.ask(request, { asker: { client: { name: "program" } } }).catch(({ code }) => console.log(code));
  `;
  expect(await program(text)).toBe("HUB_UNREACHABLE");
});
