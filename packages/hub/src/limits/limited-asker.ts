import type { Asker, AskerInfo, Broker } from "@askbox/core";
import type { Grant } from "../auth/tokens.ts";
import type { AskLimits } from "./ask-limits.ts";

/** The broker's asker of one token, held to the hub's limits. */
export type LimitedAsker = Asker & Pick<ReturnType<Broker["asker"]>, "close">;

/**
 * Every ask comes through here, whichever way it came to the hub. A token that was given to one agent asks in that agent's name alone,
 * whatever the agent says of itself.
 */
export function limitedAsker(broker: Broker, limits: AskLimits, { owner, agentId }: Pick<Grant, "owner" | "agentId">): LimitedAsker {
  const port = broker.asker(owner);
  const named = (info: AskerInfo): AskerInfo => (agentId === undefined ? info : { ...info, agentId });
  return {
    async open(request, options) {
      const asker = named(options.asker);
      const asking = { owner, agentId: asker.agentId, bytes: Buffer.byteLength(JSON.stringify(request)) };
      const leave = limits.admit(asking);
      try {
        await limits.countEverywhere(asking);
        return await port.open(request, { ...options, asker });
      } finally {
        leave();
      }
    },
    wait: (id, options) => port.wait(id, options),
    withdraw: (id, options) => port.withdraw(id, options),
    delivered: (id, options) => port.delivered(id, options),
    release: (id) => port.release(id),
    earlier: (asker) => port.earlier(named(asker)),
    ...(port.forms === undefined ? {} : { forms: port.forms }),
    close: (how) => port.close(how),
  };
}
