import { onTestFinished } from "vitest";

/** Counts what is on its way, so that a virtual clock only moves when nothing is. */
export function countedNetwork() {
  const counts = { inFlight: 0, held: 0 };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    counts.inFlight += 1;
    try {
      const response = await globalThis.fetch(url, init);
      const body = await response.arrayBuffer();
      return new Response(body.byteLength === 0 ? null : body, { status: response.status, headers: response.headers });
    } finally {
      counts.inFlight -= 1;
    }
  };
  const isQuiet = () =>
    counts.inFlight === counts.held && !process.getActiveResourcesInfo().some((name) => /^(?:FSReq|CloseReq)/.test(name));
  const settle = async () => {
    for (let calm = 0; calm < 4; calm = isQuiet() ? calm + 1 : 0) await new Promise((resolve) => setImmediate(resolve));
  };
  return { counts, fetch, settle };
}
export type Network = ReturnType<typeof countedNetwork>;

export const afterwards = (end: () => unknown) => onTestFinished(() => void end());
