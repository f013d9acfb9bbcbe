import * as z from "zod";
import { storedAskerSchema } from "../session/asker-info.ts";
import { timeSchema } from "../session/outcome.ts";
import { statusSchema } from "../session/view.ts";

/** What an agent does: it waits for an answer, works (it is connected, will return, or was heard of lately), or has gone. */
const conversationStates = ["waiting", "working", "gone"] as const;

/** Checks a conversation. */
export const conversationSchema = /* @__PURE__ */ (() =>
  z.object({
    id: z.string(),
    /** As it described itself with its latest question. */
    asker: storedAskerSchema,
    /** The name that its id was registered with. */
    name: z.string().optional(),
    state: z.enum(conversationStates),
    /** Since when: the oldest question that it waits for, or when it was last heard of. */
    since: timeSchema,
    /** Its first question, of those that were read. */
    startedAt: timeSchema,
    /** How to continue it after it has gone, with a command line for a POSIX shell. */
    resume: z.object({ how: z.enum(["registered", "conversation", "latest"]), command: z.string() }).optional(),
    /** Messages to the agent that it has not received. */
    undelivered: z.int(),
    /** Whether a message can reach it: it has asked with a tool, rather than only for approval. */
    takesMessages: z.boolean(),
    /** Its latest, newest first: at most 5. The question is the first one, shortened to 200 characters; an action is the title. */
    sessions: z.array(
      z.object({
        id: z.string(),
        title: z.string().optional(),
        question: z.string(),
        status: statusSchema,
        createdAt: timeSchema,
      }),
    ),
  }))();
/** An agent's conversation, as its questions show it. Times are wall time in ms since the epoch. */
export type Conversation = z.infer<typeof conversationSchema>;
