import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AskboxError } from "@askbox/core";
import { type HomeFolders, readJsonFile, refuseForeign, writePrivateFile } from "@askbox/home";
import * as z from "zod";

/**
 * What a restore has left to do once everything is copied: renames, which are written down first. A restore that is killed in between is
 * finished by the next hub or restore of the home, and nobody ever sees a mixture.
 */
const movesSchema = z.object({
  format: z.literal(1),
  /** What is there now, and where it goes. */
  aside: z.array(z.object({ from: z.string(), to: z.string() })),
  /** What comes in its place. */
  into: z.array(z.object({ from: z.string(), to: z.string() })),
});
export type Moves = z.infer<typeof movesSchema>;

const planOf = (folders: HomeFolders): string => join(folders.data, "restore.json");

/** Moves everything; `step` is called before each step. */
export function carryOut(folders: HomeFolders, moves: Moves, step: () => void = () => {}): void {
  step();
  writePrivateFile(planOf(folders), JSON.stringify(moves));
  move(folders, moves, step);
}

/** Whether a restore was interrupted that nobody has finished yet. */
export const isInterrupted = (folders: HomeFolders): boolean => existsSync(planOf(folders));

/** Finishes a restore that was interrupted; returns whether there was one. Throws `STORE_DAMAGED` if that isn't possible. */
export function finishRestore(folders: HomeFolders): boolean {
  if (!isInterrupted(folders)) return false;
  const plan = planOf(folders);
  refuseForeign(plan);
  const moves = movesSchema.safeParse(readJsonFile(plan));
  if (!moves.success) throw interrupted(plan, "its list cannot be read");
  move(folders, moves.data, () => {});
  return true;
}

function move(folders: HomeFolders, { aside, into }: Moves, step: () => void): void {
  for (const { from, to } of aside) {
    step();
    // If it is there, this was done before, and what is in its old place has been restored.
    if (existsSync(to) || !existsSync(from)) continue;
    rename(folders, from, to);
  }
  for (const { from, to } of into) {
    step();
    if (existsSync(from)) rename(folders, from, to);
    else if (!existsSync(to)) throw interrupted(planOf(folders), `${from} is missing`);
  }
  step();
  rmSync(planOf(folders));
}

function rename(folders: HomeFolders, from: string, to: string): void {
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
  } catch (cause) {
    throw interrupted(planOf(folders), `${from} cannot become ${to} (${String((cause as { code?: string }).code)})`, cause);
  }
}

const interrupted = (plan: string, why: string, cause?: unknown) =>
  new AskboxError(
    "STORE_DAMAGED",
    `A restore of this home was interrupted and cannot be finished: ${why}. Change that and start again; or remove ${plan}, then put back what was there before, which is in the folders before-restore-…, or restore a backup again.`,
    { cause },
  );
