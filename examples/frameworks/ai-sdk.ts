/** AI SDK: a tool with which the model asks a person. */
import { type Asker, askResult, parseAsk, standardPlatform } from "@askbox/core";
import { type Tool, tool } from "ai";
import * as z from "zod";

const platform = standardPlatform(globalThis);
const inputSchema = z.object({ question: z.string(), options: z.array(z.string()).min(2).max(10).optional() });

/** The result says whether anybody answered: a timeout is not a yes. */
export const askPerson = (asker: Asker): Tool<z.output<typeof inputSchema>, { answered: boolean; answer: string | undefined }> =>
  tool({
    description: "Ask a person a question and wait for the answer.",
    inputSchema,
    async execute({ question, options }, { abortSignal }) {
      const asked = options === undefined ? { question } : { question, type: "select", options };
      const request = parseAsk({ questions: [asked] }, platform);
      const { session, ack } = await asker.ask(request, { asker: { client: { name: "ai-sdk" } }, signal: abortSignal });
      await ack();
      const { answered, answers } = askResult(session);
      // Words of their own, if none of the options was right.
      return { answered, answer: answers[0]?.values[0] ?? answers[0]?.customText };
    },
  });
