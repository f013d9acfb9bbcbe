import type { Clock } from "@askbox/core";
import { createAskbox, type Inbox } from "@askbox/inbox";
import { keymapWith, terminalActions } from "@askbox/inbox/commands";
import { App } from "./app/app.ts";
import type { AppOptions } from "./app/app-options.ts";
import { pendingConnection, pendingDesk } from "./pending.ts";
import { createTerminal, wantsScreenReader } from "./terminal/terminal.ts";
import { createPainter } from "./text/painter.ts";
import { colorDepthOf, themeWith } from "./theme/theme.ts";
import type { TuiConnection, TuiOptions, TuiSettings } from "./tui-options.ts";
import { mount } from "./ui/screen.ts";

export interface ScreenOptions extends TuiOptions {
  settings: TuiSettings;
  host: NodeJS.Process;
  clock: Clock;
}

/** Milliseconds that the hub holds an answer unless the settings say otherwise; equals the default of the config's `undo`. */
const defaultUndoDelay = 5_000;
/** Milliseconds that exiting waits for drafts to reach the hub. */
const flushWithin = 1_500;

export async function runScreen(options: ScreenOptions): Promise<number> {
  const { host, clock, settings, project, once = false, sessionId, codeOnInterrupt = 0 } = options;
  const output = options.output ?? host.stdout;
  const connecting = Promise.withResolvers<TuiConnection>();
  const askbox = createAskbox({
    desk: pendingDesk(connecting.promise),
    connection: pendingConnection(connecting.promise),
    clock,
    filter: { project },
  });
  const { inbox, forms } = askbox;
  const grants: TuiConnection["grants"] = {
    list: async () => (await connecting.promise).grants.list(),
    remove: async (id) => (await connecting.promise).grants.remove(id),
  };
  const ran: TuiConnection["ran"] = { list: async (query) => (await connecting.promise).ran.list(query) };
  const upload: AppOptions["upload"] = async (sessionId, path) => {
    const { upload } = await connecting.promise;
    if (upload !== undefined) return upload(sessionId, path);
    throw new Error("This connection takes no files.");
  };
  const picture: AppOptions["picture"] = async (sessionId, sha256) => {
    const { picture } = await connecting.promise;
    if (picture !== undefined) return picture(sessionId, sha256);
    throw new Error("This connection has no pictures.");
  };
  const { keymap, warnings: keyWarnings } = keymapWith(terminalActions, settings.keys);
  const { theme, warnings: themeWarnings } = themeWith(settings.theme);
  const { promise: left, resolve: leave } = Promise.withResolvers<number>();
  const { undoDelay = defaultUndoDelay } = settings;
  const terminal = createTerminal({ process: host, stdout: output, clock, leave });
  const app = new App({
    ...askbox,
    grants,
    ran,
    upload,
    picture,
    keymap,
    host: terminal.host,
    openInBrowser: options.openInBrowser,
    once,
    sessionId,
    undoDelay,
    codeOnInterrupt,
  });
  const stopTitle = terminal.keepTitle(inbox);
  let failure: { error: unknown } | undefined;
  connecting.promise.catch((error: unknown) => {
    failure = { error };
    leave(1);
  });
  const stop = inbox.start();
  const screenReader = wantsScreenReader(host.env);
  const painter = createPainter(theme, colorDepthOf(host.env));
  const screen = mount({ app, painter, stdin: host.stdin, stdout: output, screenReader, clock, onTerminal: terminal.lend });
  terminal.attach(screen);
  options.connect().then(connecting.resolve, connecting.reject);
  const [warning] = [...keyWarnings, ...themeWarnings];
  if (warning !== undefined) app.say(warning, "warning");

  const onAbort = () => leave(0);
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted) onAbort();

  const code = await left;
  options.signal?.removeEventListener("abort", onAbort);
  const unsent = unsentWords(inbox, app, options.once ? options.sessionId : undefined);
  await flushed(forms.flush(), clock);
  stopTitle();
  app.close();
  stop();
  await terminal.detach();
  if (failure !== undefined) throw failure.error;
  if (unsent !== undefined && code === 0) terminal.write(`${unsent}\n`);
  return code;
}

function flushed(flush: Promise<unknown>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(flushWithin, resolve);
    void flush.then(() => {
      cancel();
      resolve();
    });
  });
}

/** The message on exit if there are unsent answers; only about one session if the program was opened for it. */
function unsentWords(inbox: Inbox, app: App, only: string | undefined): string | undefined {
  const { pending, drafts } = inbox.getState();
  const isMeant = (id: string) => pending.has(id) && (only === undefined || id === only);
  const begun = new Set(
    [...drafts.values()]
      .filter(({ scheduled }) => scheduled === undefined)
      .map(({ sessionId }) => sessionId)
      .filter(isMeant),
  );
  const form = app.form()?.getState();
  if (form !== undefined && form.phase === "editing" && form.mode === "answer" && (form.unsaved || form.progress.answered > 0))
    begun.add(form.session.id);
  if (begun.size === 0) return undefined;
  return begun.size === 1 ? "Your draft is kept; askbox opens it again." : `Your ${begun.size} drafts are kept; askbox opens them again.`;
}
