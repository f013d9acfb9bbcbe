import { once } from "../../once.ts";
import { alwaysLoad, askAnnotations, askOne, type Dialect } from "../dialect.ts";

const description = `Show the person you work for a message, and wait for their reply in this call. They may choose from predefined options, write their own reply, or both.

The result is a text: the chosen options, an empty line, and their own words. One with "Failed:" or "Pending:" is no reply, and not consent.`;

/** The `zhi` contract of cunzhi. */
export const zhi: Dialect = {
  traits: { format: "text", agentId: false, inTurn: false, inlineReply: false },
  advice: askOne,
  definition: () => ({
    name: "zhi",
    title: "Ask the person",
    description,
    inputSchema: {
      type: "object",
      properties: {
        message: { type: "string", description: "The message to show" },
        predefined_options: { type: "array", items: { type: "string" }, description: "Options to choose from, one or several" },
        is_markdown: { type: "boolean", description: "Whether the message is markdown (default: true)", default: true },
      },
      required: ["message"],
    },
    annotations: askAnnotations,
    _meta: alwaysLoad,
  }),
  codec: once(async () => (await import("./codec.ts")).zhiCodec),
};
