import { once } from "../../once.ts";
import { alwaysLoad, askAnnotations, type Dialect } from "../dialect.ts";

/** What one of the tools is for, and the statuses of its results. */
interface Kind {
  name: string;
  title: string;
  what: string;
  use: string;
  approved: "approved" | "acknowledged";
}

const description = ({
  what,
  use,
  approved,
}: Kind) => `Show the person you work for a ${what}, and wait for their review in this call. ${use}

The result is JSON with status, requiredRevisions and reviewId. Each of requiredRevisions has revisedPart, which they quote from the ${what}, and revisorInstructions.
- ${approved}: go on, and take requiredRevisions into account.
- recreateWithChanges: change the ${what} accordingly, and call this again.
- cancelled: they declined or did not answer. That is not consent.
- pending: they have not answered yet; what follows says what to call.`;

/** A review contract of seamless-agent. */
const reviewTool = (kind: Kind): Dialect => ({
  traits: { format: "text", agentId: false, inTurn: false, inlineReply: false },
  advice: `Give the whole ${kind.what}, understandable on its own,`,
  definition: () => ({
    name: kind.name,
    title: kind.title,
    description: description(kind),
    inputSchema: {
      type: "object",
      properties: {
        plan: { type: "string", description: `The ${kind.what}, in markdown` },
        title: { type: "string", description: "What it is about" },
        chatId: { type: "string", description: "Accepted, and not used" },
      },
      required: ["plan"],
    },
    annotations: askAnnotations,
    _meta: alwaysLoad,
  }),
  codec: once(async () => (await import("./codec.ts")).planReviewCodec(kind)),
});

export const planReview = reviewTool({
  name: "plan_review",
  title: "Review a plan",
  what: "plan",
  use: "Use it before you carry out a plan of several steps.",
  approved: "approved",
});

export const walkthroughReview = reviewTool({
  name: "walkthrough_review",
  title: "Review a walkthrough",
  what: "walkthrough",
  use: "Use it for a step-by-step explanation that they should read and may comment.",
  approved: "acknowledged",
});
