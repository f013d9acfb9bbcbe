import { describe, expect, test } from "vitest";
import type { Link } from "../src/link.ts";
import { ConnectionLost, Unconfirmed } from "../src/redis-error.ts";
import { scripts } from "../src/scripts.ts";
import { type Confirmation, Writer } from "../src/writer.ts";

/** A server as seen by the writer: what was sent, in order, and its pending replies. */
function fake({
  disk = false,
  replicas = 0,
  onDisk = 1,
  onReplicas = 1,
  now = () => 0,
}: Partial<Confirmation> & { onDisk?: number; onReplicas?: number; now?: () => number }) {
  const sent: string[] = [];
  const replies: (() => Promise<unknown>)[] = [];
  let release: (() => void) | undefined;
  const link = {
    isUp: true,
    awayFor: 0,
    lastError: undefined,
    serverTime: () => 1_000,
    untilUp: async () => true,
    readClock: async () => void sent.push("TIME"),
    run: async (_: unknown, args: readonly string[]) => {
      sent.push(String(args[0]));
      return (await replies.shift()?.()) ?? ["done", 1];
    },
    send: async (args: readonly string[]) => {
      sent.push(args.slice(0, 3).join(" "));
      if (release !== undefined) await new Promise<void>((resolve) => (release = resolve));
      if (args[0] === "WAITAOF") return [onDisk, 0];
      return onReplicas;
    },
  };
  const confirmation = { disk, replicas };
  const enough: Confirmation[] = [];
  const writer = new Writer({
    link: link as unknown as Link,
    timeout: 1_000,
    now,
    confirmation: () => confirmation,
    isEnough: async (had) => {
      enough.push(had);
      return had.replicas >= confirmation.replicas && (had.disk || !confirmation.disk);
    },
  });
  const run = (name: string) => writer.run<["done", number]>(scripts.insert, [name]);
  return {
    sent,
    replies,
    enough,
    confirmation,
    run,
    writer,
    hold: () => {
      release = () => {};
      return () => {
        const held = release;
        release = undefined;
        held?.();
      };
    },
  };
}

describe("confirming a write", () => {
  test("waits for nothing if nothing is configured", async () => {
    const { run, sent } = fake({});
    await Promise.all([run("a"), run("b")]);
    expect(sent).toEqual(["a", "b"]);
  });

  // promise: redis-same-guarantees
  test("waits for the disk with WAITAOF, and for replicas with WAIT, after the write and on its connection", async () => {
    const { run, sent } = fake({ disk: true, replicas: 2, onReplicas: 2 });
    expect(await run("a")).toEqual(["done", 1]);
    expect(sent).toEqual(["a", "WAITAOF 1 0", "WAIT 2 500"]);
  });

  test("lets everything that arrives meanwhile share the next wait", async () => {
    const { run, sent, hold } = fake({ disk: true });
    const release = hold();
    const first = run("a");
    const others = ["b", "c", "d"].map(run);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual(["a", "WAITAOF 1 0"]);
    release();
    await Promise.all([first, ...others]);
    expect(sent).toEqual(["a", "WAITAOF 1 0", "b", "c", "d", "WAITAOF 1 0"]);
  });

  test("fails if the disk or the replicas did not confirm it", async () => {
    const noDisk = fake({ disk: true, onDisk: 0 });
    await expect(noDisk.run("a")).rejects.toBeInstanceOf(Unconfirmed);
    expect(noDisk.enough).toEqual([{ disk: false, replicas: 0 }]);
    await expect(fake({ replicas: 2, onReplicas: 1 }).run("a")).rejects.toBeInstanceOf(Unconfirmed);
  });

  test("succeeds if the server has fewer replicas by now", async () => {
    const { run, confirmation, enough, replies } = fake({ replicas: 1, onReplicas: 0 });
    replies.push(async () => {
      confirmation.replicas = 1;
      return ["done", 1];
    });
    enough.push = (had: Confirmation) => {
      confirmation.replicas = 0;
      return Array.prototype.push.call(enough, had);
    };
    expect(await run("a")).toEqual(["done", 1]);
  });

  test("is retried under the same name if its reply was lost, and waited for again", async () => {
    const { run, sent, replies } = fake({ disk: true });
    replies.push(async () => {
      throw new ConnectionLost("cut", true);
    });
    expect(await run("a")).toEqual(["done", 1]);
    expect(sent).toEqual(["a", "a", "WAITAOF 1 0"]);
  });

  test("reads the server's clock again after a write that arrived too late", async () => {
    const { run, sent, replies } = fake({});
    replies.push(async () => ["late"]);
    expect(await run("a")).toEqual(["done", 1]);
    expect(sent).toEqual(["a", "TIME", "a"]);
  });

  test.each([
    [950, ["a", "a"]],
    [951, ["a"]],
  ])("is retried where the server has moved while 50 of its 1,000 ms are left: after %s ms", async (passed, expected) => {
    let now = 0;
    const { run, sent, replies } = fake({ now: () => now });
    replies.push(async () => {
      now = passed;
      throw new Error("READONLY You can't write against a read only replica.");
    });
    const result = run("a");
    if (expected.length === 1) await expect(result).rejects.toThrow("READONLY");
    else expect(await result).toEqual(["done", 1]);
    expect(sent).toEqual(expected);
  });

  test("is not retried if the server rejects it", async () => {
    const { run, sent, replies } = fake({});
    replies.push(async () => {
      throw new Error("OOM command not allowed when used memory > 'maxmemory'.");
    });
    await expect(run("a")).rejects.toThrow("OOM");
    expect(sent).toEqual(["a"]);
  });
});
