/** Where a person answers, in words. */
const places: Readonly<Record<string, string>> = {
  terminal: "in a terminal",
  web: "in the browser",
  cli: "on the command line",
  client: "in the agent's own form",
  api: "through the API",
};
const nobody: Readonly<Record<string, string>> = { grant: "by a grant", asker: "by the agent", deadline: "by the deadline" };

/** Who and where: `by ada in the browser`. The name is as it was given. A surface without words here is shown by its name: `in Telegram`. */
export function actorWords({ surface, name }: { surface: string; name?: string | undefined }): string {
  const place = nobody[surface] ?? places[surface] ?? `in ${surface.charAt(0).toUpperCase()}${surface.slice(1)}`;
  return name === undefined || nobody[surface] !== undefined ? place : `by ${name} ${place}`;
}
