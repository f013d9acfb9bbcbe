import { answerRequirements } from "./list/answers.ts";
import { askHumanRequirements } from "./list/ask-human.ts";
import { askUserQuestionsRequirements } from "./list/ask-user-questions.ts";
import { askingBackRequirements } from "./list/asking-back.ts";
import { callRequirements } from "./list/calls.ts";
import { exampleRequirements } from "./list/examples.ts";
import { feedbackRequirements } from "./list/feedback.ts";
import { inputRequirements } from "./list/input.ts";
import { otherShapeRequirements } from "./list/other-shapes.ts";
import { schemaRequirements } from "./list/schema.ts";
import { seamlessRequirements } from "./list/seamless-agent.ts";
import { taskRequirements } from "./list/tasks.ts";
import { ticketRequirements } from "./list/tickets.ts";
import type { Requirement } from "./requirement.ts";

/** Everything that askbox's MCP tools guarantee. All of it is tested in process, with every client. */
export const requirements: readonly Requirement[] = [
  ...schemaRequirements,
  ...inputRequirements,
  ...otherShapeRequirements,
  ...exampleRequirements,
  ...answerRequirements,
  ...askingBackRequirements,
  ...taskRequirements,
  ...ticketRequirements,
  ...callRequirements,
  ...askUserQuestionsRequirements,
  ...askHumanRequirements,
  ...feedbackRequirements,
  ...seamlessRequirements,
];

/** What a transport can break: a call's way there and back, progress, several at once, tickets, and calls that end before their answer. */
const smokeIds = [
  "answer.both-fields",
  "answer.delivered",
  "answer.at-once",
  "back.asked",
  "task.answered",
  "task.listened",
  "ticket.redeemed",
  "ticket.earlier",
  "call.heartbeat-at-once",
  "call.cancelled-withdraws",
  "call.hung-up",
];

/** Eleven of them, for each transport with every client. */
export const smoke: readonly Requirement[] = smokeIds.map((id) => {
  const found = requirements.find((requirement) => requirement.id === id);
  if (found === undefined) throw new Error(`There is no requirement ${id}.`);
  return found;
});
