import { type AppServerChannel, type CodexRequest, followCodex } from "@askbox/clients/codex-socket";
import fc from "fast-check";
import {
  codexElicitation,
  codexNotifications,
  codexRequests,
  codexReview,
  codexThread,
  lastTurn,
} from "../../clients/support/codex-socket-messages.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";
import { turns } from "../engine/world.ts";

const answers = [
  { id: 0, result: { data: [codexThread.id], nextCursor: null } },
  { id: 0, result: { thread: codexThread, cwd: codexThread.cwd, initialTurnsPage: lastTurn("call_2") } },
  { id: 0, result: {} },
  { id: 0, error: { code: -32_600, message: "no rollout found" } },
];
const messages = [
  ...[...Object.values(codexRequests), codexElicitation, ...codexNotifications],
  { method: "item/autoApprovalReview/completed", params: codexReview },
];

/** What Codex' daemon, or something that is none, may send to whoever follows it: whatever comes, only a person's decision is passed on. */
fuzz({
  name: "codex-socket",
  input: fc.record({
    /** In the place of 0 comes the id of the request that is answered. */
    answers: fc.array(mutated(answers, { damage: 0.1 }), { minLength: 1, maxLength: 8 }),
    messages: fc.array(mutated(messages, { damage: 0.1 }), { minLength: 1, maxLength: 12 }),
    decision: fc.constantFrom("deny" as const, "nobody" as const),
  }),
  runs: 80,
  open: () => ({
    async take(input) {
      const listeners: ((text: string) => void)[] = [];
      const ends: (() => void)[] = [];
      const asked: CodexRequest[] = [];
      /** Thrown at the end: who sends it catches what is thrown here. */
      const wrong: string[] = [];
      let sent = 0;
      const tell = (text: string) => listeners.forEach((listener) => void listener(text));
      const channel: AppServerChannel = {
        send(text) {
          const { id, method, result } = JSON.parse(text) as {
            id?: number;
            method?: string;
            result?: { decision?: string; action?: string };
          };
          if (method === undefined) {
            if (!asked.some((request) => request.id === id)) wrong.push(`Answered what nobody was asked: ${text}`);
            if (input.decision !== "deny" || (result?.decision ?? result?.action) !== "decline") wrong.push(`Nobody decided this: ${text}`);
            return;
          }
          if (id === undefined) return;
          if (method === "thread/approveGuardianDeniedAction" && input.decision === "deny") wrong.push(`Nobody overruled this: ${text}`);
          const answer = input.answers[sent % input.answers.length] ?? "";
          sent += 1;
          const first = id <= 3 ? JSON.stringify({ ...(id === 1 ? answers[2] : id === 2 ? answers[0] : answers[1]), id }) : undefined;
          queueMicrotask(() => tell(first ?? writeOut(answer).replace(/"id":\s*0\b/, `"id":${id}`)));
        },
        close: () => ends.forEach((end) => void end()),
        onMessage: (listener) => void listeners.push(listener),
        onClose: (listener) => void ends.push(listener),
      };
      const gone = new AbortController();
      const done = followCodex(channel, {
        inbox: {
          async ask(request) {
            asked.push(request);
            return input.decision === "deny" ? { isAllowed: false, reason: "No" } : undefined;
          },
          settled: async () => {},
          denied: async () => input.decision !== "deny",
          allowed: async () => {},
          refused: async () => {},
          follows: (sessions) => {
            if (sessions.length > 400) wrong.push(`It follows ${sessions.length} sessions.`);
          },
        },
        version: "1.0.0",
        signal: gone.signal,
        tooLarge: new Set(),
      });
      await turns();
      for (const message of input.messages) {
        tell(writeOut(message));
        await turns();
      }
      gone.abort();
      await done.catch(() => {});
      if (wrong[0] !== undefined) fault(wrong[0]);
    },
  }),
});
