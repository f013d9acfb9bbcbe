import { approvalDoors } from "@askbox/clients";
import { parseAsk } from "@askbox/core";
import { actionParts } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { exactText, terminalText } from "@askbox/terminal-text";
import fc from "fast-check";
import { claudeEvents } from "../../clients/support/claude-events.ts";
import { codexEvents } from "../../clients/support/codex-events.ts";
import { opencodeEvents } from "../../clients/support/opencode-events.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { fault, orRefusal } from "../engine/oracle.ts";

/** Events of clients' hooks: read as a request that is shown in full, or left to the client; and no answer except `allow` allows. */
fuzz({
  name: "approvals",
  input: fc.record({ event: mutated([claudeEvents, codexEvents, opencodeEvents].flatMap((events) => Object.values<object>(events))) }),
  runs: 60,
  open: () => ({
    async take({ event }) {
      for (const door of approvalDoors) {
        const read = door.read(event);
        if (read?.kind !== "ask") continue;
        if (JSON.stringify(door.reply(read, { kind: "deny" })).match(/"(?:allow|once)"/)) fault("A denial allows.");
        const asked = await orRefusal(() => parseAsk({ questions: [read.question], title: read.title }, { ids: seededIds() }));
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
