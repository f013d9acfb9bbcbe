/** Where a person answers, in words. */
const places: ReadonlyMap<string, string> = new Map(
  Object.entries({
    terminal: "in a terminal",
    web: "in the browser",
    cli: "on the command line",
    client: "in the agent's own form",
    api: "through the API",
  }),
);
const nobody: ReadonlyMap<string, string> = new Map(
  Object.entries({ grant: "by a grant", asker: "by the agent", deadline: "by the deadline" }),
);

/** Who and where: `by ada in the browser`. The name is as it was given. A surface without words here is shown by its name: `in Telegram`. */
export function actorWords({ surface, name }: { surface: string; name?: string | undefined }): string {
  const place = nobody.get(surface) ?? places.get(surface) ?? `in ${surface.charAt(0).toUpperCase()}${surface.slice(1)}`;
  return name === undefined || nobody.has(surface) ? place : `by ${name} ${place}`;
}
