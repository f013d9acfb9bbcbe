import type { HubInboxOptions } from "./hub-inbox.ts";
import type { AcpInbox, Asking } from "./inbox.ts";

/** The hub's inbox, loaded with the first request: until then, a pass-through needs little memory. */
export function lazyInbox(options: HubInboxOptions): AcpInbox {
  let loading: Promise<AcpInbox> | undefined;
  return {
    ask(ask, onAway): Asking {
      loading ??= import("./hub-inbox.ts").then(({ hubInbox }) => hubInbox(options));
      let asking: Asking | undefined;
      let isEnded = false;
      const decided = loading.then((inbox) => {
        if (isEnded) return undefined;
        asking = inbox.ask(ask, onAway);
        return asking.decided;
      });
      return {
        decided,
        isHeld: () => asking?.isHeld() ?? false,
        end(...how) {
          isEnded = true;
          asking?.end(...how);
        },
        async drop(reason, how) {
          isEnded = true;
          await asking?.drop(reason, how);
        },
      };
    },
  };
}
