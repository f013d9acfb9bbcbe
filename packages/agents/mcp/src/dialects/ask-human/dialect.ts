import { once } from "../../once.ts";
import { alwaysLoad, askAnnotations, type Dialect } from "../dialect.ts";

const description = `Ask the person you work for one question in plain text, and wait for their reply in this call. The result is the reply itself.

Use it whenever a clarification would change your approach. Always pass your agent_id exactly as it was given to you. The person has 10 minutes; a result that begins with "Failed:" is not a reply, and not consent. One that begins with "Asked back:" is the person's question to you: reply by calling ask_human with in_reply_to.`;

/** The `ask_human` contract. */
export const askHuman: Dialect = {
  traits: { format: "text", agentId: true, inTurn: true, inlineReply: true },
  advice: "Ask one short question that is understandable on its own, always with your agent_id exactly as it was given to you,",
  definition: () => ({
    name: "ask_human",
    title: "Ask a human",
    description,
    inputSchema: {
      type: "object",
      properties: {
        question: { type: "string", description: "The question, understandable without the rest of the conversation", minLength: 1 },
        agent_id: { type: "string", description: "Your agent id, exactly as it was given to you", minLength: 1 },
        in_reply_to: {
          type: "string",
          description:
            'After "Asked back:", the id from that result; question is then your reply to the person, and the call keeps waiting',
        },
      },
      required: ["question", "agent_id"],
    },
    annotations: askAnnotations,
    _meta: alwaysLoad,
  }),
  codec: once(async () => (await import("./codec.ts")).askHumanCodec),
};
