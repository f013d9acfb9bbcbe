import type { Desk, SessionView } from "@askbox/core";
import { requestHub } from "@askbox/home";
import type { FaultHome } from "../../faults/support/home.ts";
import { until } from "./until.ts";

/** A person's side of the hub of a home. It starts no command, since that takes longer than most steps of a test. */
export interface Inbox {
  desk: Desk;
  pending(): Promise<readonly SessionView[]>;
  /** Called before something asks; the result resolves with the id of the session once it is there. */
  next(): Promise<() => Promise<string>>;
  /** Creates a one-time login link. */
  loginUrl(): Promise<string>;
}

/** The inbox of a home whose hub is running. */
export async function inboxOf(home: FaultHome): Promise<Inbox> {
  const { desk } = await home.connect({ role: "desk" });
  const pending = async () => (await desk.list()).items;
  return {
    desk,
    pending,
    async next() {
      const known = new Set((await pending()).map(({ id }) => id));
      return () => until(async () => (await pending()).find(({ id }) => !known.has(id))?.id, "the session");
    },
    async loginUrl() {
      const made = await requestHub(await home.found("desk"), { method: "POST", path: "/auth/codes" });
      return (made as { url: string }).url;
    },
  };
}
