import { askResultSchema } from "@askbox/core/schemas";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { mcpHttpClient } from "../../../bench/parts/mcp-http-client.ts";
import type { Chance } from "../../faults/support/rounds.ts";
import { spend } from "../../support/until.ts";
import { type Actor, bearer, type SoakTarget } from "./target.ts";
import { unlessReset } from "./unless-reset.ts";

const questions = ["Which colour?", "Which name?", "Which port?"];
const ask = (question: string) => ({ questions: [{ id: "q", question }] });

/** An agent of revision 2026-07-28: a request per call, and no session. */
export const httpAgent: Actor = async ({ url, askerToken, recorder, ended, count }, name, chance) => {
  const client = mcpHttpClient(`${url}/mcp?max-wait=0&agent=${name}`, askerToken);
  while (!ended.aborted) {
    const call = recorder.call(`bench/${name}`);
    const text = await unlessReset(() => client.call("ask_user", ask(chance.pick(questions))));
    count();
    if (text !== undefined) recorder.handedByResult(call, askResultSchema.parse(resultIn(text)));
    await spend(chance.between(0, 40));
  }
  client.close();
};

/** An agent of 2025: a session with its own stream, some calls, an end. */
export const sessionAgent: Actor = async (target, name, chance) => {
  while (!target.ended.aborted) {
    await unlessReset(() => oneSession(target, name, chance));
    await spend(chance.between(0, 100));
  }
};

async function oneSession({ url, askerToken, recorder, count }: SoakTarget, name: string, chance: Chance): Promise<void> {
  const client = new Client({ name: "soak-session", version: "1" });
  const address = new URL(`${url}/mcp?max-wait=0&agent=${name}`);
  const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers: bearer(askerToken) } });
  await client.connect(transport as never);
  await client.listTools();
  const calls = chance.between(1, 4);
  for (let index = 0; index < calls; index += 1) {
    const call = recorder.call(`soak-session/${name}`);
    const result = await client.callTool({ name: "ask_user", arguments: ask(chance.pick(questions)) });
    count();
    recorder.handedByResult(call, askResultSchema.parse(result.structuredContent));
  }
  await transport.terminateSession();
  await client.close();
}

/** A response is JSON, or an event stream whose last message is the result. */
function resultIn(text: string): unknown {
  const last = text
    .split("\n")
    .filter((line) => line.startsWith("data: ") || line.startsWith("{"))
    .at(-1);
  const message = JSON.parse((last ?? "{}").replace(/^data: /, "")) as { result?: { structuredContent?: unknown } };
  if (message.result?.structuredContent === undefined) throw new Error(`A call brought no result: ${text.slice(0, 500)}`);
  return message.result.structuredContent;
}
