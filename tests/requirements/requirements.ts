import { answerRequirements } from "./list/answers.ts";
import { askHumanRequirements } from "./list/ask-human.ts";
import { askUserQuestionsRequirements } from "./list/ask-user-questions.ts";
import { askingBackRequirements } from "./list/asking-back.ts";
import { callRequirements } from "./list/calls.ts";
import { exampleRequirements } from "./list/examples.ts";
import { inputRequirements } from "./list/input.ts";
import { otherShapeRequirements } from "./list/other-shapes.ts";
import { schemaRequirements } from "./list/schema.ts";
import { taskRequirements } from "./list/tasks.ts";
import { ticketRequirements } from "./list/tickets.ts";
import type { Requirement } from "./requirement.ts";

/** Requirements that also depend on transports: between client and server, and from the server to its hub. */
export const travellingRequirements: readonly Requirement[] = [
  ...exampleRequirements,
  ...answerRequirements,
  ...ticketRequirements,
  ...askingBackRequirements,
  ...taskRequirements,
  ...callRequirements,
];

/** Everything that askbox's MCP tools guarantee, for every transport and client. */
export const requirements: readonly Requirement[] = [
  ...schemaRequirements,
  ...inputRequirements,
  ...otherShapeRequirements,
  ...travellingRequirements,
  ...askUserQuestionsRequirements,
  ...askHumanRequirements,
];
