import { dirname, join, resolve } from "node:path";
import { createBroker, type SessionStore, type SessionView } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { folderBlobs, hubFiles } from "@askbox/files";
import { createHub, createToken, hashToken, nodePlatform, tokenVerifier } from "@askbox/hub";
import { mountMcp } from "@askbox/mcp-http";
import { openRedisShared, openRedisStore } from "@askbox/store-redis";
import { openSqliteStore } from "@askbox/store-sqlite";

/** A hub in a process of its own that can be asked what it costs and when it accepted an answer. Its parent talks to it over IPC. */
export interface HubReady {
  url: string;
  askerToken: string;
  deskToken: string;
}

/** What the parent may ask. */
export interface HubQuestions {
  /** Bytes of live heap, after collecting garbage. */
  heap: number;
  /** The most bytes of live heap and buffers, sampled since it was last asked; the first time, what there is. */
  peak: number;
  /** Microseconds of CPU since the process began. */
  cpu: number;
  /** When each outcome was given to the store, by session id; nanoseconds of the machine's monotonic clock, which all processes share. */
  answeredAt: Record<string, string>;
  /** When each was durable. */
  accepted: Record<string, string>;
  /** A link that logs one browser in. */
  login: string;
  /** Answers each session as soon as it is there, from now on. */
  answerEverything: true;
}

/** A file for SQLite, or the URL of a Redis that other hubs may use too. */
const place = process.argv[2];
if (place === undefined || process.send === undefined) throw new Error("This hub is started by a benchmark.");

const answeredAt: Record<string, string> = {};
const accepted: Record<string, string> = {};

/** Notes the moments around the commit of an outcome, before anybody is told. */
function noting(store: SessionStore): SessionStore {
  const replace: SessionStore["replace"] = async (record, ...rest) => {
    const isSettled = record.state !== "pending";
    if (isSettled) answeredAt[record.id] ??= String(process.hrtime.bigint());
    const done = await store.replace(record, ...rest);
    if (done && isSettled) accepted[record.id] ??= String(process.hrtime.bigint());
    return done;
  };
  return new Proxy(store, {
    get(target, property) {
      if (property === "replace") return replace;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const platform = nodePlatform();
const isShared = place.startsWith("redis:");
const store = await (isShared ? openRedisStore({ url: place }) : openSqliteStore({ path: place }));
const shared = isShared ? await openRedisShared({ url: place }) : undefined;
const files = isShared
  ? undefined
  : hubFiles({ blobs: folderBlobs({ folder: join(dirname(place), "files") }), store, clock: platform.clock });
const broker = await createBroker({
  ...platform,
  store: noting(store),
  hubs: shared && severalHubs(shared),
  files: files?.check,
  images: files?.images,
});
const [askerToken, deskToken] = [createToken(), createToken()];
const hub = createHub({
  broker,
  platform,
  version: "0.0.0",
  instance: `bench-${process.pid}`,
  web: resolve(import.meta.dirname, "../../apps/web/dist"),
  tokens: tokenVerifier([
    { hash: hashToken(askerToken), access: { owner: "local", scopes: ["asker"] } },
    { hash: hashToken(deskToken), access: { owner: "local-desk", scopes: ["desk"] } },
  ]),
  limits: { asksPerMinute: Number.MAX_SAFE_INTEGER, requestsPerMinute: Number.MAX_SAFE_INTEGER, pending: Number.MAX_SAFE_INTEGER },
  control: { status: async () => ({}), stop: async () => {} },
  mounts: [mountMcp({ version: "0.0.0", defaultTimeout: 300_000 }), ...(files === undefined ? [] : [files.mount])],
});

const used = () => {
  // What the first one finds is freed beside it, and counted as used until the second.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
let most = 0;

const answers: { [Question in keyof HubQuestions]: () => HubQuestions[Question] } = {
  heap() {
    globalThis.gc?.();
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  },
  peak() {
    const sample = () => {
      most = Math.max(most, used());
    };
    if (most === 0) setInterval(sample, 50).unref();
    const seen = most || used();
    most = used();
    return seen;
  },
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  answeredAt: () => answeredAt,
  accepted: () => accepted,
  login: () => hub.createLogin().url,
  answerEverything() {
    const desk = broker.desk({ surface: "api" });
    const answered = new Set<string>();
    const settle = ({ id, status, questions }: SessionView) => {
      // A pending session is shown again when its asker's presence changes. A person answers once.
      if (status !== "pending" || answered.has(id)) return;
      answered.add(id);
      const answers = questions.map((question) => ({ questionId: question.id, values: ["yes"] }));
      desk.answer(id, { answers }).catch(() => {});
    };
    void desk.watch({ presence: true }, (event) => {
      if (event.type === "session") settle(event.session);
    });
    return true;
  },
};
process.on("message", (question: keyof HubQuestions) => process.send?.(answers[question]()));
process.on("disconnect", () => process.exit());

const url = await hub.listen();
process.send({ url, askerToken, deskToken } satisfies HubReady);
