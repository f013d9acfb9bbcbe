/**
 * The page while it isn't open, or its hub is away: a cache of the page, and pushes.
 *
 * The page itself always comes from the hub, so that it is never older than it, and from the cache only if the hub is away; the page then says so.
 * Its assets are named after their content, and come from the cache. A build has a cache of its own, and the former is deleted.
 *
 * A push is a notification with the question and its buttons. A pressed button goes to the hub, which pushes how the question ended under the same
 * tag; that takes the question's place for a second, without a sound.
 *
 * What can go wrong, and what happens then:
 * - a push can't be read, such as one of another version: something is shown all the same, since browsers wake a page for nothing less;
 * - the end comes before its question is on the screen: pushes are shown one after the other, as they came;
 * - a press can't be sent, or the hub refuses it: the notification comes back and says why, with its buttons only if pressing again may help.
 */
/** The parts of a worker's global scope that a page's doesn't have; TypeScript only knows one of the two at a time. */
interface WorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "push", listener: (event: Lasting & { data: { json(): unknown } | null }) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Lasting & NotificationClick) => void): void;
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(query: { type: "window"; includeUncontrolled: true }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface NotificationClick {
  notification: Notification;
  /** Empty if it isn't one of the buttons. */
  action: string;
}
interface WindowClient {
  url: string;
  visibilityState: DocumentVisibilityState;
  focus(): Promise<WindowClient>;
  postMessage(message: unknown): void;
}
interface FetchEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

/** The files of the first paint and their digest; filled in by the build. */
declare const __SHELL__: { version: string; files: readonly string[] };

const worker = globalThis as unknown as WorkerScope;
const prefix = "askbox-shell-";
const cacheName = `${prefix}${__SHELL__.version}`;
/** The prefix of the page's paths; the worker is in its root. */
const basePath = new URL(".", location.href).pathname.slice(0, -1);
/** The page itself, at any of its addresses. */
const shell = `${basePath}/`;
const files = __SHELL__.files.map((file) => basePath + file);
/** A view of the page: neither a file nor one of the hub's API paths. */
const view = /^\/(?:$|(?:s|history|agents|ran|numbers|settings)(?:\/|$))/;
const isAsset = (path: string) => path.startsWith(`${basePath}/assets/`) || files.includes(path);

worker.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(cacheName);
      await cache.addAll([shell, ...files].map((path) => new Request(path, { cache: "reload" })));
      await worker.skipWaiting();
    })(),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)));
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && view.test(pathname.slice(basePath.length))) event.respondWith(openPage(request));
  else if (isAsset(pathname)) event.respondWith(openAsset(request));
});

/** From the hub, so that the page is never older than it; if the hub is away, the cached page, which says so. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(shell, { cacheName });
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Assets are named after their content, so a cached one is always right. */
async function openAsset(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  // Another program on the hub's port may answer every path with its own page.
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  if (response.ok && !isPage) await cache.put(request, response.clone());
  return response;
}

/** A message of the hub. */
interface PushMessage {
  /** The session's id. */
  id: string;
  /** This browser's id. */
  to: string;
  title: string;
  body: string;
  /** The path of the page to open, below the base path. */
  page: string;
  buttons?: readonly { label: string; token: string }[];
  /** The question is settled. */
  ended?: true;
}

/** Milliseconds that a notification says how its question ended. */
const endShownFor = 1_000;
/** Browsers only let a page be woken that then shows something. */
const unreadable: PushMessage = { id: "askbox", to: "", title: "askbox", body: "A question is waiting.", page: "/" };

worker.addEventListener("push", (event) => event.waitUntil(showPush(messageOf(event.data))));
worker.addEventListener("notificationclick", (event) => event.waitUntil(clicked(event)));

function messageOf(data: { json(): unknown } | null): PushMessage {
  try {
    const { id, to, title, body, page, ...rest } = Object(data?.json());
    if ([id, to, title, body, page].every((text) => typeof text === "string")) return { id, to, title, body, page, ...rest };
  } catch {
    // Not a message of this version's hub.
  }
  return unreadable;
}

/** The end of what is being shown or closed. */
let turn: Promise<unknown> = Promise.resolve();

/** One after the other, as they came: how a question ended may come before the question is on the screen, which must not stay then. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

/** `isQuiet`: without sound or vibration. */
async function showPush(message: PushMessage, isQuiet = message.ended === true): Promise<void> {
  const { id, title, body, buttons = [], ended } = message;
  const { maxActions = 0 } = Notification as { maxActions?: number };
  const answers = buttons.map(({ label }, index) => ({ action: String(index), title: label }));
  // With one answer, there is room to say what a tap does.
  const actions = [...answers, ...(answers.length === 1 ? [{ action: "open", title: "Open" }] : [])];
  const more = { actions: actions.length <= maxActions ? actions : [], ...(isQuiet ? { silent: true } : { renotify: true }) };
  const icon = `${basePath}/icons/192.png`;
  await inTurn(() => worker.registration.showNotification(title, { body, tag: id, icon, data: message, ...more }));
  // Not awaited: when a push has been handled, something must be shown.
  if (ended) setTimeout(() => void inTurn(() => closeNotification(id)), endShownFor);
}

async function closeNotification(tag: string): Promise<void> {
  for (const notification of await worker.registration.getNotifications({ tag })) {
    if (notification.data?.ended) notification.close();
  }
}

async function clicked({ notification, action }: NotificationClick): Promise<void> {
  const message: PushMessage = notification.data ?? unreadable;
  notification.close();
  const button = /^\d$/.test(action) ? message.buttons?.[Number(action)] : undefined;
  if (button === undefined) await openView(message.page);
  else await press(message, button.token);
}

/** The hub pushes how the question ended; only what went wrong is said here. */
async function press(message: PushMessage, token: string): Promise<void> {
  const say = (sentence: string, rest: Partial<PushMessage>) =>
    showPush({ ...message, body: `${sentence}\n${message.body}`, ...rest }, true);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ to: message.to, token });
  try {
    const response = await fetch(`${basePath}/push/press`, { method: "POST", headers, body });
    const { status, isRepeated, why } = await response.json();
    if (status === "taken") {
      if (isRepeated) await say("This button was pressed before; nothing has changed.", { buttons: [] });
    } else if (typeof why === "string") await say(why, { buttons: [] });
    else throw new Error("The hub could not take it.");
  } catch {
    await say("Not sent: the inbox could not be reached. Press again.", {});
  }
}

/** In a window of the inbox, if there is one. */
async function openView(page: string): Promise<void> {
  const path = basePath + (view.test(page) ? page : "/");
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const own = windows.filter(({ url }) => new URL(url).pathname.startsWith(`${basePath}/`));
  const shown = own.find(({ visibilityState }) => visibilityState === "visible") ?? own[0];
  if (shown === undefined) return void (await worker.clients.openWindow(path));
  shown.postMessage({ open: path.slice(basePath.length) });
  await shown.focus();
}
