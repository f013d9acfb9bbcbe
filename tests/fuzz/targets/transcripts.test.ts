import { lastOf } from "@askbox/clients";
import { backgroundSchema } from "@askbox/core/schemas";
import fc from "fast-check";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";

const said = { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "Done." }] } };
const call = { message: { role: "assistant", content: [{ type: "tool_use", name: "Bash", input: { command: "make" } }] } };
const item = { payload: { type: "function_call", name: "shell", arguments: '{"command":["ls"]}' } };

/** Transcripts of clients: whatever is in them, what is read fits in an ask. */
fuzz({
  name: "transcripts",
  input: fc.record({ lines: fc.array(mutated([said, call, item]), { maxLength: 4 }) }),
  runs: 60,
  open: () => ({
    async take({ lines }) {
      const read = backgroundSchema.safeParse(lastOf(lines.map(writeOut).join("\n")));
      if (!read.success) fault("What is read from a transcript does not fit in an ask.");
    },
  }),
});
