/** The parts of a worker's global scope that a page's doesn't have; TypeScript only knows one of the two at a time. */
interface WorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
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
const view = /^\/(?:$|(?:s|history|agents|numbers|settings)(?:\/|$))/;
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
  if (response.ok) await cache.put(request, response.clone());
  return response;
}
