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

/** Requirements about calls that end before their answer, which clients of every revision end in their own way. */
export const endedCallRequirements: readonly Requirement[] = [...ticketRequirements, ...callRequirements];

/** Requirements that also depend on transports: between client and server, and from the server to its hub. */
export const travellingRequirements: readonly Requirement[] = [
  ...exampleRequirements,
  ...answerRequirements,
  ...askingBackRequirements,
  ...taskRequirements,
  ...endedCallRequirements,
];

/** Everything that askbox's MCP tools guarantee. All of it is tested with every client in process, and with one over HTTP. */
export const requirements: readonly Requirement[] = [
  ...schemaRequirements,
  ...inputRequirements,
  ...otherShapeRequirements,
  ...travellingRequirements,
  ...askUserQuestionsRequirements,
  ...askHumanRequirements,
];
