import { existsSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Checklist, TuiSettings } from "@askbox/tui";
import type { CommandContext, DeskOptions, GlobalOptions, InboxOptions } from "./context.ts";
import { hubCommand } from "./hub-command.ts";
import type { Io } from "./io.ts";
import { version } from "./version.ts";

/** A context for commands, with the hub named by the options, the environment or this home; it connects on first use. */
export function hubContext(options: GlobalOptions, io: Io, host: NodeJS.Process): CommandContext {
  const closing: (() => void)[] = [];
  // If the caller leaves during the lookup, no connection is left open.
  const over = new AbortController();
  const stayAlive = (): void => {
    if (over.signal.aborted) return;
    // While a lost hub is being looked for, neither a socket nor a timer of the connection keeps Node running.
    const timer = setInterval(() => {}, 60_000);
    closing.push(() => clearInterval(timer));
  };
  const connect = async (role: "desk" | "asker", { surface = "cli", start = true }: DeskOptions = {}) => {
    stayAlive();
    const { connectHub } = await import("@askbox/home");
    const client = await connectHub({
      role,
      ...(role === "desk" ? { surface, ...personsName(io.env) } : {}),
      agent: { name: "askbox", version },
      env: io.env,
      hubUrl: options.hub,
      tokenFile: options.tokenFile,
      start,
      hubCommand: hubCommand(host),
      replaceOlder: true,
      notice: (sentence) => void io.stderr.write(`${sentence}\n`).catch(() => {}),
      signal: over.signal,
    });
    closing.push(() => client.close());
    if (over.signal.aborted) client.close();
    return client;
  };
  const place = () => ({ env: io.env, hubUrl: options.hub, tokenFile: options.tokenFile, start: true, hubCommand: hubCommand(host) });
  const upload: CommandContext["upload"] = async (sessionId, path) => {
    const { findHub, uploadFile } = await import("@askbox/home");
    const hub = await findHub({ ...place(), role: "desk", signal: over.signal });
    // A shell leaves `ID=~/PATH` as it is.
    const whole = /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : isAbsolute(path) ? path : resolve(host.cwd(), path);
    return uploadFile(hub, { sessionId, path: whole, upload: crypto.randomUUID() });
  };
  return {
    io,
    globals: options,
    desk: async (options) => (await connect("desk", options)).desk,
    upload,
    async edit(name, text) {
      const [{ homeFiles, homeFolders }, { editedFile }] = await Promise.all([import("@askbox/home"), import("./editing/edited-file.ts")]);
      const { env } = io;
      const folder = homeFiles(homeFolders({ env })).edits;
      const onKept = (path: string) => io.stderr.write(`Going on with what you wrote before, in ${path}.\n`);
      return editedFile({ folder, name, text, env, platform: host.platform, onKept });
    },
    async sendPictures(request) {
      const { allImages } = await import("@askbox/core/questions");
      if (allImages(request.questions).length === 0) return request;
      const [{ findHub, uploadPicture, workingFolder }, { withUploads }] = await Promise.all([
        import("@askbox/home"),
        import("@askbox/files/asking"),
      ]);
      const hub = await findHub({ ...place(), role: "asker", signal: over.signal });
      return withUploads(request, { base: workingFolder(host) ?? homedir(), upload: (picture) => uploadPicture(hub, picture) });
    },
    asker: async () => (await connect("asker")).asker,
    agents: async (options) => (await connect("desk", options)).agents,
    ran: async () => (await connect("desk")).ran,
    askerInfo: async () => {
      const { gitPlace, knownConversation, projectFolder, workingFolder } = await import("@askbox/home/environment");
      const folder = workingFolder(host);
      const project = folder === undefined ? undefined : await projectFolder(folder);
      return { client: { name: "askbox ask", version }, project, ...(await gitPlace(project)), conversation: knownConversation(io.env) };
    },
    settings: async () => {
      const { timeout, limits } = await config(io.env, (line) => io.stderr.write(`askbox: ${line}\n`));
      return { timeout, requestBytes: limits.requestBytes };
    },
    async asksElsewhere() {
      const { homeFolders, readJoinedFile } = await import("@askbox/home");
      const joined = options.hub || io.env["ASKBOX_HUB"] ? undefined : readJoinedFile(homeFolders({ env: io.env }));
      return joined?.scope === "asker" ? joined : undefined;
    },
    agent: () => agentAround(io.env),
    agentToRefuse: async () => {
      const agent = await agentAround(io.env);
      return agent === undefined || (await config(io.env)).allowAnswerFromAgents ? undefined : agent;
    },
    ...(hasTerminal(host) && {
      async terminalInbox({ project, once, session, besideOutput, codeOnInterrupt, signal }: InboxOptions) {
        const { runTui } = await terminal();
        return runTui({
          connect: async () => {
            const { desk, grants, ran, state, onState } = await connect("desk", { surface: "terminal" });
            const named = async (sessionId: string, path: string) => ({ name: basename(path), ...(await upload(sessionId, path)) });
            const picture = async (sessionId: string, sha256: string) => {
              const { downloadFile, findHub } = await import("@askbox/home");
              const hub = await findHub({ ...place(), role: "desk", signal: over.signal });
              return (await downloadFile(hub, { sessionId, sha256, fit: "png", signal: over.signal })).bytes;
            };
            return { desk, state, onState, upload: named, picture, grants, ran };
          },
          async openInBrowser(id) {
            const [{ loginLinks, linkTo }, { isOpened }] = await Promise.all([import("./login-link.ts"), import("./browser.ts")]);
            const { link } = await loginLinks({ io, globals: options });
            return isOpened(linkTo(link, id), io.env);
          },
          settings: looks(io.env),
          project,
          once: once === true,
          sessionId: session,
          host,
          output: besideOutput === true ? host.stderr : host.stdout,
          codeOnInterrupt,
          signal,
        });
      },
    }),
    ...(hasTerminal(host) &&
      host.stdout.isTTY === true && {
        async checklist(list: Checklist) {
          const [{ askChecklist }, { theme }] = await Promise.all([terminal(), looks(io.env)]);
          return askChecklist(list, { theme, host });
        },
      }),
    now: Date.now,
    onInterrupt: (listener, signals = ["SIGINT"]) => {
      for (const signal of signals) host.once(signal, listener);
      return () => signals.forEach((signal) => host.off(signal, listener));
    },
    close: async () => {
      over.abort();
      for (const close of closing) close();
    },
  };
}

/** Whether a screen can be drawn and keys read here. */
function hasTerminal({ stdin, stdout, stderr, env }: NodeJS.Process): boolean {
  return stdin.isTTY === true && (stdout.isTTY === true || stderr.isTTY === true) && env["TERM"] !== "dumb";
}

async function terminal(): Promise<typeof import("@askbox/tui")> {
  (await import("@askbox/home/environment")).leaveRemovedFolder();
  return import("@askbox/tui");
}

async function agentAround(env: Io["env"]): Promise<string | undefined> {
  const { knownAgent } = await import("@askbox/home/environment");
  return knownAgent(env);
}

/** The user's settings for the terminal inbox. Without a config file the config code is not loaded, so that the screen appears sooner. */
async function looks(env: Io["env"]): Promise<TuiSettings> {
  const { homeFiles, homeFolders } = await import("@askbox/home/environment");
  if (!existsSync(homeFiles(homeFolders({ env })).config)) return {};
  const { keys, theme, undo } = await config(env);
  return { keys, theme, undoDelay: undo * 1_000 };
}

/** `warn` gets a line for each variable that is ignored. */
async function config(env: Io["env"], warn?: (line: string) => Promise<void>) {
  const { homeFolders, loadConfig } = await import("@askbox/home");
  const { config, ignored } = loadConfig({ folders: homeFolders({ env }), env });
  for (const line of ignored) await warn?.(line);
  return config;
}

/** Who answers; unnamed if the system has no user name, as in a container without an account. */
function personsName(env: Io["env"]): { name?: string } {
  try {
    return { name: userInfo().username };
  } catch {
    const name = env["USER"] ?? env["USERNAME"];
    return name === undefined ? {} : { name };
  }
}
