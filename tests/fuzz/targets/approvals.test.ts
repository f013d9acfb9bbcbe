import { approvalSources } from "@askbox/clients";
import { parseAsk } from "@askbox/core";
import { actionParts } from "@askbox/core/questions";
import { isTooManyValues, parseAskJson, parseExact } from "@askbox/core/schemas";
import { seededIds } from "@askbox/core/testing";
import { exactText, terminalText } from "@askbox/terminal-text";
import fc from "fast-check";
import { acpEvents } from "../../clients/support/acp-events.ts";
import { claudeEvents } from "../../clients/support/claude-events.ts";
import { codexEvents } from "../../clients/support/codex-events.ts";
import { codexRequests, codexReview, codexThread, fileChanges } from "../../clients/support/codex-socket-messages.ts";
import { opencodeEvents } from "../../clients/support/opencode-events.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { fault, orRefusal } from "../engine/oracle.ts";

const { id: session, cwd } = codexThread;
const requests = Object.values(codexRequests).map((request) => ({
  type: "request",
  session,
  askbox: { folder: cwd, branch: "main" },
  changes: fileChanges,
  ...request,
}));
const denied = { type: "denied", session, askbox: { folder: cwd, branch: "main" }, review: codexReview };
const codexSocketEvents = [
  ...[...requests, { ...requests[0], type: "settled" }, { type: "follows", sessions: [session] }],
  ...[denied, { ...denied, type: "refused", why: "invalid Guardian denial event" }],
];

/** Events of clients' hooks: read as a request that is shown in full, or left to the client; and no answer except `allow` allows. */
fuzz({
  name: "approvals",
  input: fc.record({
    event: mutated(
      [acpEvents, claudeEvents, codexEvents, opencodeEvents, codexSocketEvents].flatMap((events) => Object.values<object>(events)),
    ),
  }),
  runs: 60,
  open: () => ({
    async take({ event: text }) {
      const event = parsed(writeOut(text));
      // As the hub does.
      for (const source of approvalSources) {
        const read = source.read(event);
        if (read?.kind === "form") {
          const declined = read.reply({ kind: "cancelled", reason: undefined });
          if (JSON.stringify(declined).includes('"accept"')) fault("A form that was not filled in is accepted.");
          for (const part of read.parts) await orRefusal(() => parseAsk(part, { ids: seededIds() }));
        }
        const request = read?.kind === "call" ? read.ask() : read;
        if (request?.kind !== "ask" && request?.kind !== "denied") continue;
        if (request.kind === "ask" && JSON.stringify(source.reply(request, { kind: "deny" })).match(/"(?:allow|once)"|"isAllowed":true/))
          fault("A denial allows.");
        const asked = await orRefusal(() =>
          parseAsk({ questions: [parseAskJson(JSON.stringify(request.question))], title: request.title }, { ids: seededIds() }),
        );
        const [question] = asked?.questions ?? [];
        if (question === undefined || !("action" in question)) continue;
        for (const { text } of actionParts(question.action)) {
          const shown = exactText(text);
          if (terminalText(shown) !== shown) fault("What is shown of an action is changed once more on its way to a terminal.");
        }
      }
    },
  }),
});

/** As the hub reads a body. */
function parsed(text: string): unknown {
  try {
    return isTooManyValues(JSON.parse(text)) ? undefined : parseExact(text);
  } catch {
    return undefined;
  }
}
