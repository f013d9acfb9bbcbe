import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import * as z from "zod";
import { attentionModes } from "./channels/index.ts";
import { quietHoursOf, quietHoursPattern, type Times } from "./milestones.ts";

/** Hours in which nobody is notified. */
export const quietHoursSchema = z
  .string()
  .regex(quietHoursPattern, 'must be two different times of day, such as "22:00-07:00"')
  .refine((text) => quietHoursOf(text) !== undefined, 'must be two different times of day, such as "22:00-07:00"');

/** One entry of `attentionFor`: settings for some of the questions. */
export const attentionRuleSchema = z
  .strictObject({
    client: z.string().min(1).optional().describe("Only questions from this client, by the name that it reports or its title."),
    project: z.string().min(1).optional().describe("Only questions from this folder, and those inside it."),
    attention: z.enum(attentionModes).optional().describe("How you are notified on this machine."),
    after: z
      .union([z.number().min(0).max(86_400), z.literal("never")])
      .optional()
      .describe("Seconds until a question that nobody has seen is pushed to a person elsewhere, or never."),
    quietHours: z
      .union([quietHoursSchema, z.literal("off")])
      .optional()
      .describe("The quiet hours, or off."),
  })
  .refine(({ client, project }) => client !== undefined || project !== undefined, "must name a client or a project");
/** Settings for the questions of a client, of a project, or of a client in a project. */
export type AttentionRule = z.output<typeof attentionRuleSchema>;

/** How people are notified; the first rule that matches a question counts for it. */
export interface AttentionRules {
  quietHours?: string | undefined;
  rules: readonly AttentionRule[];
}

/** Every question is announced alike, at any hour. */
export const noRules: AttentionRules = { rules: [] };

/** What the rules say about a question; `after` in seconds. Undefined: the channel's own. */
export function settingsFor({ rules, quietHours }: AttentionRules, { asker }: Pick<SessionView, "asker">) {
  const rule = rules.find(({ client, project }) => {
    const isClient = client === undefined || namesOf(asker.client.name).includes(client.toLowerCase());
    return isClient && (project === undefined || (asker.project !== undefined && isInside(asker.project, project)));
  });
  const quiet = rule?.quietHours ?? quietHours;
  return { attention: rule?.attention, after: rule?.after, quiet: quiet === undefined ? undefined : quietHoursOf(quiet) };
}

/** When a person elsewhere is told of a question: `seconds` after it came, unless a rule says otherwise; undefined for never. */
export function timesElsewhere(rules: AttentionRules, session: SessionView, seconds: number): Times | undefined {
  const { after = seconds, quiet } = settingsFor(rules, session);
  return after === "never" ? undefined : { after: after * 1_000, quiet };
}

const namesOf = (reported: string): string[] => [reported.toLowerCase(), clientTitle(reported).toLowerCase()];

/** Whether a path is this folder or inside it. Both are POSIX or Windows paths. */
function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [segmentsOf(path), segmentsOf(folder)];
  return outer.every((segment, index) => segment === inner[index]);
}

const segmentsOf = (path: string): string[] => path.split(/[\\/]/).filter((segment, index) => segment !== "" || index === 0);
