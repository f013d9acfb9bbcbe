import { answerRequirements } from "./list/answers.ts";
import { askHumanRequirements } from "./list/ask-human.ts";
import { askUserQuestionsRequirements } from "./list/ask-user-questions.ts";
import { callRequirements } from "./list/calls.ts";
import { exampleRequirements } from "./list/examples.ts";
import { inputRequirements } from "./list/input.ts";
import { otherShapeRequirements } from "./list/other-shapes.ts";
import { schemaRequirements } from "./list/schema.ts";
import { taskRequirements } from "./list/tasks.ts";
import { ticketRequirements } from "./list/tickets.ts";
import type { Requirement } from "./requirement.ts";

/** Everything that askbox's MCP tools promise, whatever the transport and the client. */
export const requirements: readonly Requirement[] = [
  ...schemaRequirements,
  ...inputRequirements,
  ...otherShapeRequirements,
  ...exampleRequirements,
  ...answerRequirements,
  ...ticketRequirements,
  ...taskRequirements,
  ...callRequirements,
  ...askUserQuestionsRequirements,
  ...askHumanRequirements,
];
