import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import type { Log } from "@askbox/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { startHub, type TestHub } from "./support.ts";

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

describe.skipIf(!hasIpv6)("a hub on 127.0.0.1", { meta: { needs: "IPv6 on the loopback interface" } }, () => {
  // promise: both-loopbacks
  it("also listens on ::1 at the same port, which a browser may try first for localhost", async () => {
    const hub = await startHub({});
    const { port } = new URL(hub.hub.url);
    expect((await fetch(`http://[::1]:${port}/healthz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await hub.hub.close();
    await expect(fetch(`http://[::1]:${port}/healthz`)).rejects.toThrow();
  });

  it("logs a warning if another program has the port there", async () => {
    const warnings: string[] = [];
    const log: Log = (level, message) => void (level === "warn" && warnings.push(message));
    const onPortOfAnother = async (): Promise<[TestHub, number]> => {
      const other = createServer().listen(0, "::1");
      await once(other, "listening");
      onTestFinished(() => void other.close());
      const { port } = other.address() as { port: number };
      try {
        return [await startHub({ log, port }), port];
      } catch (error) {
        // A third program may have that port on 127.0.0.1.
        if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return onPortOfAnother();
        throw error;
      }
    };
    const [hub, port] = await onPortOfAnother();
    expect(new URL(hub.hub.url).port).toBe(String(port));
    expect(warnings).toEqual([expect.stringContaining("[::1]")]);
  });
});
