import { createHash } from "node:crypto";
import { type Answerer, AskboxError, type Log, type Platform, type SessionStore, silentLog } from "@askbox/core";
import type { Blobs, CheckFiles, TakeImages } from "@askbox/core/stores";
import { isFileId } from "@askbox/core/stores";
import type { Access, MountContext, MountService } from "@askbox/hub";
import * as z from "zod";
import { checkedFiles, storedType } from "./checked-files.ts";
import type { FileLimits } from "./limits.ts";
import { cleanName, disposition, extensionOf, isPicture } from "./name-and-type.ts";
import { pictures, type ShownPicture, type ShowPicture } from "./picture/picture.ts";
import { answeredFiles, draftFiles, removeFilesOf, shownFiles, storageRoom, sweepFiles } from "./storage-room.ts";
import { check, takeAskedImages, takeUploads, type Uploaded } from "./uploads.ts";

/** How often files that nothing names are looked for, in ms. */
const sweepEvery = 3_600_000;
/** How long a new hub waits with that, in ms. */
const firstSweep = 60_000;
/** How long a file is kept for an answer that names it, in ms: until that is stored, and the record says so. */
const answerTime = 10_000;

/** What `hubFiles` works on. */
export interface HubFilesOptions {
  blobs: Blobs;
  /** The broker's own. */
  store: SessionStore;
  clock: Platform["clock"];
  limits?: FileLimits | undefined;
  log?: Log | undefined;
}

/** The files of a hub's sessions. */
export interface HubFiles {
  /** For `BrokerOptions.files`. */
  check: CheckFiles;
  /** For `BrokerOptions.images`. */
  images: TakeImages;
  /** For `HubOptions.mounts`: `/api/files`. */
  mount: MountService;
  /** Stores a whole file for a pending session, as an upload over HTTP would. Throws `SESSION_CLOSED` and `PAYLOAD_TOO_LARGE`. */
  put(
    file: { sessionId: string; upload: string; bytes: Uint8Array<ArrayBuffer> },
    by: Answerer,
  ): Promise<Extract<Uploaded, { sha256: string }>>;
  /** A file as a picture for an agent. */
  picture(sessionId: string, id: string): Promise<ShownPicture>;
  /** Removes what nothing names; also done every hour. Resolves with the number of files. */
  sweep(): Promise<number>;
  /** Stops sweeping. It does not close the blobs. */
  close(): void;
}

/**
 * Lets agents show pictures and people attach files: `images` and `check` make sure that those of an ask and of an answer are stored before it is,
 * `mount` takes and gives them over HTTP, and they are removed with their session.
 */
export function hubFiles({ blobs, store, clock, limits = {}, log = silentLog }: HubFilesOptions): HubFiles {
  const room = storageRoom(blobs, store, limits);
  const shownPicture = pictures(blobs);
  const quietly = (work: Promise<unknown>) =>
    work.catch((error: unknown) => log("warn", "Files that are no longer needed could not be removed", { error: String(error) }));
  const sweep = () => sweepFiles({ blobs, store, now: clock.now() });
  const unsubscribe = store.subscribe(({ id, revision }) => {
    if (revision === 0) void quietly(removeFilesOf(blobs, id));
  });
  /** When an answer last named a file, by session and file. */
  const answered = new Map<string, number>();
  const answeredKey = (sessionId: string, id: string) => `${sessionId} ${id}`;
  const checkStored = checkedFiles(blobs, room);
  const checked: CheckFiles = (session, answers) => {
    const now = clock.monotonic();
    for (const [key, at] of answered) if (now - at > answerTime) answered.delete(key);
    for (const { files = [] } of answers) for (const { sha256 } of files) answered.set(answeredKey(session.id, sha256), now);
    return checkStored(session, answers);
  };
  const isAnswered = (sessionId: string, id: string) =>
    clock.monotonic() - (answered.get(answeredKey(sessionId, id)) ?? Number.NEGATIVE_INFINITY) <= answerTime;
  let upload: ReturnType<typeof takeUploads> | undefined;
  let cancel = () => {};
  const arm = (delay: number) => {
    cancel = clock.setTimer(delay, () => {
      void quietly(sweep());
      arm(sweepEvery);
    });
  };
  arm(firstSweep);

  return {
    check: checked,
    images: takeAskedImages(blobs, room),
    mount: (context) => {
      const taking = takeUploads({ broker: context.broker, blobs, room, clock });
      upload = taking;
      return {
        paths: ["/api/files"],
        async fetch(request) {
          switch (request.method) {
            case "GET":
              return download(context, blobs, { request, shownPicture });
            case "POST":
            case "PUT":
            case "PATCH": {
              const isForAnswer = new URL(request.url).searchParams.has("session");
              const { owner, device, name, person } = await context.authorize(request, isForAnswer ? "desk" : "asker");
              const surface = device === undefined ? "api" : "web";
              const by = { surface, name: person ?? device?.name ?? name } as const;
              const done = await taking(request, isForAnswer ? { by } : { owner });
              return Response.json(done, { status: "sha256" in done ? 201 : 200 });
            }
            case "DELETE":
              await context.authorize(request, "desk");
              return discard({ store, blobs, isAnswered }, request);
            default:
              throw new AskboxError("VALIDATION", "Send a file with POST, go on with PATCH, read it with GET or remove it with DELETE.");
          }
        },
        close: async () => {},
      };
    },
    async put({ sessionId, upload: name, bytes }, by) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      // A repeated one must not count twice.
      const stored = await blobs.touch({ sessionId, id: sha256 });
      if (stored !== undefined) return { sha256, size: stored.size, mimeType: await storedType(blobs, stored) };
      const query = new URLSearchParams({ session: sessionId, upload: name, size: String(bytes.byteLength) });
      const done = await upload?.(new Request(`http://hub/api/files?${query}`, { method: "POST", body: bytes }), { by });
      if (done === undefined || !("sha256" in done)) throw new AskboxError("STORE_UNAVAILABLE", "The file could not be stored; try again.");
      return done;
    },
    picture: (sessionId, id) => shownPicture({ sessionId, id }),
    sweep,
    close() {
      unsubscribe();
      cancel();
    },
  };
}

const keySchema = z.object({
  session: z.string().min(1).max(100),
  id: z.string().refine(isFileId, "must be the SHA-256 of the file, in hex"),
  name: z.string().max(1_000).optional(),
  inline: z.string().optional(),
  /** Reduced to a size that agents' clients pass on to their models, or with `png` to a PNG for terminals. */
  fit: z.string().optional(),
});

const keyOf = (request: Request) => check(keySchema, Object.fromEntries(new URL(request.url).searchParams));

async function download(
  context: MountContext,
  blobs: Blobs,
  { request, shownPicture }: { request: Request; shownPicture: ShowPicture },
): Promise<Response> {
  const access = await context.authorize(request, "desk", "asker");
  const { session, id, name, inline, fit } = keyOf(request);
  if (!access.scopes.includes("desk")) await mustBeItsOwn(context, access, session);
  const key = { sessionId: session, id };
  if (fit !== undefined) {
    const picture = await shownPicture(key, fit === "png" ? "image/png" : "image/jpeg", { owner: access.owner, signal: request.signal });
    if (typeof picture === "string") throw new AskboxError("VALIDATION", picture);
    return new Response(Uint8Array.from(picture.data), { headers: { "content-type": picture.mimeType } });
  }
  const [stored, bytes] = [await blobs.stat(key), await blobs.read(key)];
  if (stored === undefined || bytes === undefined) throw new AskboxError("SESSION_NOT_FOUND", "This session has no such file.");
  const type = await storedType(blobs, key);
  return new Response(streamOf(bytes), {
    headers: {
      "content-type": type === "text/plain" ? "text/plain; charset=utf-8" : isPicture(type) ? type : safeType(type),
      "content-length": String(stored.size),
      "content-disposition": disposition(cleanName(name ?? "", `file.${extensionOf(type)}`), inline !== undefined && isPicture(type)),
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  });
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await pieces.return?.()),
    },
    { highWaterMark: 0 },
  );
}

/** What a browser could run is not even called so. */
const safeType = (type: string): string => (/svg|html|xml/.test(type) ? "application/octet-stream" : type);

/** Throws `SESSION_NOT_FOUND` unless the session is the asker's. */
async function mustBeItsOwn(context: MountContext, access: Access, sessionId: string): Promise<void> {
  const asker = context.asker(access);
  try {
    const { nack } = await asker.resume(sessionId, { maxWait: 0, earlier: false });
    await nack();
  } finally {
    asker.close();
  }
}

interface Discarding {
  store: SessionStore;
  blobs: Blobs;
  /** Whether an answer has named the file a moment ago, which may not be stored yet. */
  isAnswered(sessionId: string, id: string): boolean;
}

async function discard({ store, blobs, isAnswered }: Discarding, request: Request): Promise<Response> {
  const { session, id } = keyOf(request);
  const key = { sessionId: session, id };
  const before = await blobs.stat(key);
  const record = await store.get(session);
  if (record?.state !== "pending") throw new AskboxError("SESSION_CLOSED", "These questions are settled; their files stay with them.");
  // It is the same file, and stays.
  if (shownFiles(record).includes(id) || answeredFiles(record).includes(id)) return new Response(null, { status: 204 });
  const draft = await store.getDraft(session);
  if (draft !== undefined && draftFiles({ ...draft, scheduled: undefined }).includes(id)) {
    throw new AskboxError("CONFLICT", "A draft still names this file; take it out of the draft first.");
  }
  const isOnItsWay = isAnswered(session, id) || (draft !== undefined && draftFiles(draft).includes(id));
  // An answer that is given meanwhile, at any hub, touches its files first.
  if (isOnItsWay || (before !== undefined && !(await blobs.remove(key, { storedBefore: before.storedAt + 1 })))) {
    throw new AskboxError("CONFLICT", "An answer that is on its way names this file; undo it first.");
  }
  return new Response(null, { status: 204 });
}
