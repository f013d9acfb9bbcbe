import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Log, toAskboxError } from "@askbox/core";
import { parseExact } from "@askbox/core/schemas";
import { downloadFile, type FoundHub, findHub, gitPlace, projectFolder, requestHub } from "@askbox/home";
import type { AcpAsk, AcpInbox, Asking, Attached, EditorDecision, InboxDecision } from "./inbox.ts";
import { isObject, own, textAt } from "./messages.ts";
import { merged } from "./tool-calls.ts";

/**
 * Asks the hub: each ask is a request that the hub holds until a person decides. The hub withdraws the question when the request's connection
 * ends, so that nothing waits for an agent whose process was killed. If the hub goes away, the next one is asked by the same name and goes on
 * with the same question; one is started if there is none. Each time that fails, `onAway` says so.
 */

export interface HubInboxOptions {
  env: NodeJS.ProcessEnv;
  hub: string | undefined;
  tokenFile: string | undefined;
  /** The command line that runs a hub in the background. */
  hubCommand: readonly string[];
  log: Log;
}

/** The hub's path for these requests, which the ACP source in `@askbox/clients` reads. */
const path = "/hooks/acp";
/** Errors after which another try may succeed. */
const passing: readonly string[] = ["HUB_UNREACHABLE", "HUB_CLOSING", "STORE_UNAVAILABLE", "ABORTED", "INTERNAL"];
/** The most pictures that go on to the agent. */
const maxPictures = 5;
/** Milliseconds: the first and longest pause between tries; how long a hub that had the request may take to restart; how long it may take to learn of an end. */
const times = { first: 200, longest: 5_000, restart: 20_000, end: 2_000 };

export function hubInbox({ env, hub: hubUrl, tokenFile, hubCommand, log }: HubInboxOptions): AcpInbox {
  const instance = randomUUID();

  return {
    ask(ask, onAway): Asking {
      const stop = new AbortController();
      const { signal } = stop;
      const run = `${instance}/${ask.key}`;
      let held: FoundHub | undefined;
      let heldSince = 0;
      /** When a hub that had the request was lost. */
      let lostAt: number | undefined;
      let isEnded = false;

      async function decide(): Promise<InboxDecision | undefined> {
        const body = await bodyOf(ask, run);
        for (let delay = times.first; !isEnded && !signal.aborted; delay = Math.min(2 * delay, times.longest)) {
          try {
            const hub = await findHub({ role: "asker", env, hubUrl, tokenFile, start: true, hubCommand, signal });
            if (isEnded) return undefined;
            held = hub;
            heldSince = performance.now();
            const reply = await requestHub(hub, { method: "POST", path, body, timeout: 0, signal });
            held = undefined;
            const refused = textAt(own(reply, "refused"), "message");
            if (refused !== undefined) return void onAway(refused, true);
            const decision = readDecision(reply);
            return decision && { ...decision, attached: attachedTo(reply, hub) };
          } catch (error) {
            const now = performance.now();
            // A hub that loses it again and again isn't merely restarting.
            if (held !== undefined && (lostAt === undefined || now - heldSince > times.restart)) lostAt = now;
            held = undefined;
            if (signal.aborted || isEnded) return undefined;
            const { code, message } = toAskboxError(error);
            if (!passing.includes(code)) return void onAway(message, true);
            // A hub that restarts is back in a moment, with the question as it was.
            if (lostAt === undefined || now - lostAt > times.restart) onAway(message);
          }
          await pause(delay, undefined, { signal }).catch(() => {});
        }
        return undefined;
      }

      async function end(reason: string, how: { isOverruled?: boolean; decided?: EditorDecision | undefined } = {}): Promise<void> {
        isEnded = true;
        if (held === undefined) {
          stop.abort();
          return;
        }
        const event = { type: "over", conversation: ask.session, run, reason, ...how };
        await requestHub(held, { method: "POST", path, body: event, signal: AbortSignal.timeout(times.end) }).catch(() => {});
      }

      const decided = decide().catch((error: unknown) => {
        log("debug", "A request could not be asked in the inbox", { error: String(error) });
        return undefined;
      });
      return {
        decided,
        isHeld: () => held !== undefined,
        end: (reason, decided) => void end(reason, { decided }),
        drop: (reason, how) => end(reason, how).finally(() => stop.abort()),
      };
    },
  };
}

/** The event for the hub, with the agent's exact arguments. */
async function bodyOf({ kind, session, agent, cwd: named, request, calls }: AcpAsk, run: string): Promise<object> {
  const cwd = named === undefined ? undefined : await projectFolder(named);
  const { params } = parseExact(request.toString("utf8")) as { params: unknown };
  const updates = calls.map((line) => own(own(parseExact(line.toString("utf8")), "params"), "update"));
  const subject = own(params, "subject");
  const asked = own(params, "toolCall") ?? own(subject, "toolCall");
  // Version 2 names a command that is no tool call.
  const command =
    own(subject, "command") === undefined
      ? undefined
      : { kind: "execute", rawInput: { command: own(subject, "command"), cwd: own(subject, "cwd") } };
  const told = command === undefined ? {} : { title: textAt(params, "title") };
  return {
    type: kind,
    conversation: session,
    run,
    agent,
    cwd,
    askbox: { ...(await gitPlace(cwd)), folder: cwd },
    ...(kind === "form"
      ? { message: own(params, "message"), schema: own(params, "requestedSchema") }
      : { toolCall: merged([...updates, told, command, asked]), description: own(params, "description"), options: own(params, "options") }),
  };
}

/** The decision in the hub's reply; undefined for anything else. */
function readDecision(reply: unknown): InboxDecision | undefined {
  const result = own(reply, "result");
  if (isObject(result)) return { kind: "form", result };
  const isAllowed = own(reply, "isAllowed");
  if (typeof isAllowed !== "boolean") return undefined;
  return { kind: "permission", isAllowed, reason: textAt(reply, "reason"), optionId: textAt(reply, "optionId") };
}

function attachedTo(reply: unknown, hub: FoundHub): Attached | undefined {
  const files = own(reply, "files");
  if (!Array.isArray(files) || files.length === 0) return undefined;
  const shown = async (file: unknown) => {
    const key = { sessionId: textAt(file, "session") ?? "", sha256: textAt(file, "sha256") ?? "", fit: "agent" } as const;
    const { bytes, type } = await downloadFile(hub, key);
    return { mimeType: type, data: bytes.toString("base64") };
  };
  return {
    names: files.flatMap((file) => textAt(file, "name") ?? []),
    async pictures() {
      const found: Awaited<ReturnType<typeof shown>>[] = [];
      for (const file of files) {
        if (found.length === maxPictures) break;
        // Other files can't be shown.
        await shown(file).then(
          (picture) => found.push(picture),
          () => {},
        );
      }
      return found;
    },
  };
}
