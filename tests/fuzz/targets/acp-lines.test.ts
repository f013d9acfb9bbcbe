import { silentLog } from "@askbox/core";
import fc from "fast-check";
import type { InboxDecision } from "../../../packages/agents/acp/src/inbox.ts";
import { Lines, LineWriter } from "../../../packages/agents/acp/src/lines.ts";
import { Pass } from "../../../packages/agents/acp/src/pass.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";
import { turns } from "../engine/world.ts";

const options = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
const message = (method: string, params: object, id?: number | string) => ({
  jsonrpc: "2.0",
  ...(id !== undefined && { id }),
  method,
  params,
});
const permission = { sessionId: "s", toolCall: { toolCallId: "c", title: "npm test", kind: "execute" }, options };
const fromAgent = [
  message("session/request_permission", permission, 0),
  message("session/request_permission", { ...permission, sessionId: "child" }, "0"),
  message("elicitation/create", { sessionId: "s", mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } }, 1),
  message("session/update", { sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "c", rawInput: {} } }),
  message("$/cancel_request", { requestId: 0 }),
  { jsonrpc: "2.0", id: 3, result: { sessionId: "s" } },
];
const fromEditor = [
  message("initialize", { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: "zed" } }, 2),
  message("session/new", { cwd: "/work", mcpServers: [] }, 3),
  message("session/prompt", { sessionId: "s", prompt: [] }, 4),
  message("session/cancel", { sessionId: "s" }),
  { jsonrpc: "2.0", id: 0, result: { outcome: { outcome: "selected", optionId: "once" } } },
  [{ jsonrpc: "2.0", id: "0", error: { code: -32_800, message: "Cancelled" } }],
];
const step = fc.oneof(
  fc.record({ agent: mutated(fromAgent, { damage: 0.2 }) }),
  fc.record({ editor: mutated(fromEditor, { damage: 0.2 }) }),
  fc.record({ inbox: fc.constantFrom("allow", "deny", "nobody", "away") }),
);

/** What an agent and an editor may write: each permission request is answered at most once, and what is not understood is forwarded as it came. */
fuzz({
  name: "acp-lines",
  input: fc.array(step, { minLength: 1, maxLength: 12, size: "max" }),
  runs: 200,
  open: () => ({
    async take(steps) {
      const toAgent: string[] = [];
      const toEditor: string[] = [];
      const since = new Map<string, number>();
      const asks: { decide(decision: InboxDecision | undefined): void; away(): void }[] = [];
      const pass = new Pass({
        toAgent: new LineWriter((bytes) => toAgent.push(bytes.toString())),
        toEditor: new LineWriter((bytes) => toEditor.push(bytes.toString())),
        inbox: {
          ask({ request }, onAway) {
            for (const id of idsIn(request.toString())) if (!since.has(id)) since.set(id, toAgent.length);
            const { promise, resolve } = Promise.withResolvers<InboxDecision | undefined>();
            asks.push({ decide: resolve, away: () => onAway("No hub is running.") });
            return { decided: promise, isHeld: () => true, end: () => resolve(undefined), drop: async () => resolve(undefined) };
          },
        },
        answer: "both",
        after: 0,
        forms: true,
        clock: { setTimer: () => () => {} },
        log: silentLog,
        cwd: "/",
      });
      const [agent, editor] = [new Lines(pass.fromAgent), new Lines(pass.fromEditor)];
      /** How often the agent has used an id, and what it had been told when the first such request was taken to the inbox. */
      const asked = new Map<string, number>();
      for (const each of steps) {
        if ("inbox" in each) {
          const last = asks.at(-1);
          if (each.inbox === "away") last?.away();
          else last?.decide(each.inbox === "nobody" ? undefined : { kind: "permission", isAllowed: each.inbox === "allow" });
        } else {
          const line = `${writeOut("agent" in each ? each.agent : each.editor).replaceAll("\n", " ")}\n`;
          if ("agent" in each) for (const id of idsIn(line)) asked.set(id, (asked.get(id) ?? 0) + 1);
          ("agent" in each ? agent : editor).push(Buffer.from(line));
        }
        await turns();
      }
      for (const [id, from] of since) {
        const answers = toAgent
          .slice(from)
          .flatMap(responsesIn)
          .filter((each) => each === id);
        if (answers.length > (asked.get(id) ?? 0)) fault(`The request ${id} was answered more often than it was asked.`);
      }
      const last = '{"jsonrpc":"2.0",  "method":"_last"}\n';
      agent.push(Buffer.from(last));
      editor.push(Buffer.from(last));
      if (toAgent.at(-1) !== last || toEditor.at(-1) !== last) fault("What comes after it is not forwarded as it came.");
      await pass.end();
    },
  }),
});

const objectsIn = (line: string): Record<string, unknown>[] => {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value] : [];
  } catch {
    return [];
  }
};
const idsIn = (line: string): string[] =>
  objectsIn(line).flatMap(({ id, method }) => (method !== undefined && isId(id) ? [JSON.stringify(id)] : []));
const responsesIn = (text: string): string[] =>
  objectsIn(text).flatMap(({ id, method }) => (method === undefined && isId(id) ? [JSON.stringify(id)] : []));
const isId = (id: unknown) => typeof id === "string" || typeof id === "number";
