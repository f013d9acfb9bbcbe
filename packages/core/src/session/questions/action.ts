import * as z from "zod";

/** What an agent wants to do, by what it is shown as. */
export const actionKinds = ["command", "edit", "fetch", "tool", "plan", "other"] as const;

/** What is asked permission for. All of it is shown, and it is the whole of what a grant is matched with. */
export const actionSchema = z.object({
  kind: z.enum(actionKinds),
  /** The client's own name of the tool. */
  tool: z.string().optional(),
  /** What it does in a few words of the agent's: shown, and never taken for what it does. */
  title: z.string().optional(),
  /** The shell command. */
  command: z.string().optional(),
  /** The folder that it runs in. */
  cwd: z.string().optional(),
  /** The file that is written, or the address that is fetched. */
  path: z.string().optional(),
  /** A unified diff. */
  diff: z.string().optional(),
  /** A plan, as markdown. */
  text: z.string().optional(),
  /** The tool's arguments as the client will run it. */
  input: z.record(z.string(), z.unknown()).optional(),
});
/** What an agent asks permission for: a command, an edit, a fetch, a tool, a plan or something else. */
export type Action = z.infer<typeof actionSchema>;

/** Bytes of an action as JSON. What is larger is more than a person reads, and is left to the client's own prompt. */
export const maxActionBytes = 204_800;

/** The length of a text in UTF-8, counted without encoding it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7ff) bytes += 2;
    else if (unit > 0x7f) bytes += 1;
    // A pair is four bytes, and was counted as two units of three each.
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length) bytes -= 1;
    if (unit >= 0xdc00 && unit <= 0xdfff) bytes -= 1;
  }
  return bytes;
}

/**
 * The arguments that the other parts of the action do not show yet, in their own order: what is shown as a command, a file or a plan need not be read twice, and
 * whatever else the tool is given must not go unseen.
 */
export function otherArguments({ command, path, text, diff, input = {} }: Action): [name: string, value: unknown][] {
  const shown = new Set([command, path, text, diff].filter((part) => part !== undefined));
  return Object.entries(input).filter(([, value]) => typeof value !== "string" || !shown.has(value));
}
