import { answerRequirements } from "./list/answers.ts";
import { callRequirements } from "./list/calls.ts";
import { exampleRequirements } from "./list/examples.ts";
import { inputRequirements } from "./list/input.ts";
import { schemaRequirements } from "./list/schema.ts";
import { ticketRequirements } from "./list/tickets.ts";
import type { Requirement } from "./requirement.ts";

/** Everything that askbox's MCP tools promise, whatever the transport and the client. */
export const requirements: readonly Requirement[] = [
  ...schemaRequirements,
  ...inputRequirements,
  ...exampleRequirements,
  ...answerRequirements,
  ...ticketRequirements,
  ...callRequirements,
];
