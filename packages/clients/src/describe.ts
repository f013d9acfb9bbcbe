import { type Client, type Place, type Scope, type Setup, scopes } from "./client.ts";
import { type FileChange, formats } from "./plan.ts";
import { stdioReach } from "./reach.ts";

/** One file that `install` writes for a client, as it is where there was none. */
export interface DescribedFile {
  path: string;
  format: FileChange["format"];
  text: string;
}

/** A machine that is notified of, not one that is there: `~` is the person's home, and paths in a project have nothing before them. */
function toldPlace(): Place {
  return { platform: "linux", env: {}, home: "~", project: "", exists: () => false, settings: () => undefined };
}

/** What `askbox install` writes, by the same code that writes it. Undefined where the client has no settings in that scope. */
export function describeInstall(client: Client, scope: Scope, launch: readonly string[]): DescribedFile[] | undefined {
  const place = toldPlace();
  const file = client.file(place, scope);
  if (file === undefined) return undefined;
  const { tools, raisedTo } = client;
  const reach = stdioReach({ launch, tools, maxWait: raisedTo === undefined ? undefined : raisedTo - 10, env: {}, cwd: "/" });
  const setup: Setup = { scope, place, reach, tools, prefer: false, exclusive: false };
  return client.changes(setup, file).map(({ path, format, changes }) => ({
    path,
    format,
    text: changes.reduce((text, change) => formats[format].apply(text, change).text, ""),
  }));
}

/** The main file of each scope. */
export function settingsFiles(client: Client): Partial<Record<Scope, string>> {
  const place = toldPlace();
  return Object.fromEntries(
    scopes.flatMap((scope) => {
      const file = client.file(place, scope);
      return file === undefined ? [] : [[scope, file]];
    }),
  );
}
