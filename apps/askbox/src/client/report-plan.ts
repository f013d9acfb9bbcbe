import { diffOf, type Step } from "@askbox/clients";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import type { CommandContext } from "../context.ts";
import { writeJson } from "../json-output.ts";
import { paintFor } from "../text/paint.ts";

export interface PlanReport {
  client: string;
  /** A sentence about the result of the plan, also if there was nothing to do. */
  done: string;
  nothing: string;
  steps: readonly Step[];
  notes: readonly string[];
  dryRun: boolean;
  json: boolean;
  /** Secrets, which are replaced in terminal output and logs. */
  secret?: string | undefined;
  more?: Record<string, unknown>;
}

const words = { create: "wrote", change: "changed", remove: "removed", none: "left" } as const;
const planned = { create: "would write", change: "would change", remove: "would remove", none: "would leave" } as const;

/** Executes the steps, unless it is a dry run, and prints what was done. */
export async function carryOut({ io }: CommandContext, report: PlanReport): Promise<void> {
  const { client, steps, notes, dryRun, json, done, nothing, secret, more = {} } = report;
  const shown = (step: Step) => (secret === undefined ? diffOf(step) : diffOf(step).replaceAll(secret, "•••"));
  if (!dryRun) for (const step of steps) step.carryOut();
  const changed = steps.filter(({ action }) => action !== "none");
  if (json) {
    const files = steps.map((step) => ({
      path: step.path,
      ...(step.target !== step.path && { target: step.target }),
      action: step.action,
      ...(dryRun && { diff: shown(step) }),
    }));
    await writeJson(io.stdout, { client, dryRun, changed: changed.length > 0, files, notes, ...more });
    return;
  }
  if (dryRun) {
    const paint = paintFor(io.stdout);
    for (const step of changed) await io.stdout.write(painted(terminalText(shown(step)), paint));
    const last = changed.length === 0 ? nothing : changed.map((step) => `${planned[step.action]} ${place(step)}`).join("\n");
    await io.stdout.write(`${last}\nNothing was written.\n`);
    return;
  }
  const lines = changed.map((step) => `  ${words[step.action]} ${place(step)}`);
  await io.stdout.write(`${[changed.length === 0 ? nothing : done, ...lines, ...notes.map(terminalLine)].join("\n")}\n`);
}

/** The path, and its target if it is a link. */
const place = ({ path, target }: Step): string => terminalLine(path === target ? path : `${path} (${target})`);

function painted(diff: string, paint: ReturnType<typeof paintFor>): string {
  const colours = { "+": "green", "-": "red", "@": "cyan" } as const;
  const lines = diff.split("\n").map((line) => {
    const colour = colours[line.charAt(0) as keyof typeof colours];
    return colour === undefined ? line : paint(colour, line);
  });
  return lines.join("\n");
}
