import { Denials } from "@askbox/approvals";
import { approvalSources } from "@askbox/clients";
import { createBroker, type Log, memoryStore, type SessionStore, type SessionView } from "@askbox/core";
import { keptRan, sharedMemory } from "@askbox/core/stores";
import { testPlatform } from "@askbox/core/testing";
import { createHub, type HubOptions, hashToken, tokenVerifier } from "@askbox/hub";
import { type MountApprovalsOptions, mountApprovals } from "@askbox/hub-process";
import { expect, onTestFinished } from "vitest";

interface HubParts {
  store?: SessionStore;
  platform?: ReturnType<typeof testPlatform>;
}

/** A hub with the approvals' endpoints, and a hook at one of them. */
export async function openHub(
  path = "/hooks/claude-code",
  {
    replace,
    hold = 0,
    store = memoryStore(),
    platform = testPlatform(),
    ...options
  }: Partial<SessionStore> & Partial<Pick<MountApprovalsOptions, "folder" | "hold">> & Pick<HubOptions, "allowedHosts"> & HubParts = {},
) {
  const { clock } = platform;
  const ran = keptRan(sharedMemory(clock).open(), { now: () => clock.now(), keep: 7 * 86_400_000 });
  const broker = await createBroker({ store: { ...store, replace: replace?.bind(store) ?? store.replace }, ran, ...platform });
  let isWatched = true;
  const warnings: string[] = [];
  const logged: string[] = [];
  const log: Log = (level, message, details) => {
    if (level !== "debug") logged.push(message);
    if (level === "warn") warnings.push(`${message} ${details?.["session"]}`);
  };
  const marks: boolean[] = [];
  const denials = new Denials({ store, broker, platform, log, onAllowed: (isAny) => marks.push(isAny) });
  const hub = createHub({
    broker,
    platform,
    version: "1.0.0",
    instance: "one",
    tokens: tokenVerifier([
      { hash: hashToken("abx_asker"), access: { owner: "one", scopes: ["asker"] } },
      { hash: hashToken("abx_desk"), access: { owner: "desk", scopes: ["desk"] } },
      { hash: hashToken("abx_build7"), access: { owner: "token:7", scopes: ["asker"], machine: "build-7" } },
    ]),
    control: { status: async () => ({}), stop: async () => {} },
    allowedHosts: options.allowedHosts,
    mounts: [mountApprovals({ sources: approvalSources, denials, hold, isWatched: () => isWatched, folder: options.folder, log })],
  });
  const url = await hub.listen();
  const desk = broker.desk({ surface: "web", name: "ada" });
  onTestFinished(async () => {
    await hub.close();
    denials.close();
    await broker.close();
  });
  const send = async (
    event: unknown,
    {
      token = "abx_asker",
      signal,
      headers = {},
      path: at = path,
    }: { token?: string; signal?: AbortSignal; headers?: Record<string, string>; path?: string } = {},
  ) => {
    const body = typeof event === "string" ? event : JSON.stringify(event);
    const how = { method: "POST", headers: { authorization: `Bearer ${token}`, ...headers }, body, signal };
    const response = await fetch(`${url}${at}`, how);
    const text = await response.text();
    const answered = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, decision: answered?.hookSpecificOutput?.decision ?? answered };
  };
  const follow = (sessions: readonly string[], signal: AbortSignal, follower?: string) =>
    fetch(`${url}/hooks/codex/socket`, {
      method: "POST",
      headers: { authorization: "Bearer abx_asker" },
      body: JSON.stringify({ type: "follows", sessions, follower }),
      signal,
    }).catch(() => {});
  const only = async (status: SessionView["status"]): Promise<SessionView> => {
    const find = async () => (await desk.list({ statuses: [status] })).items[0];
    await expect.poll(find).toBeDefined();
    return (await find()) as SessionView;
  };
  const answer = async (values: string[], more: { customText?: string; input?: Record<string, unknown> } = {}) => {
    const { id, questions } = await only("pending");
    return desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values, ...more }] });
  };
  const unwatch = () => {
    isWatched = false;
  };
  return { broker, denials, marks, clock: platform.clock, desk, follow, hub, send, only, answer, unwatch, url, warnings, logged };
}
