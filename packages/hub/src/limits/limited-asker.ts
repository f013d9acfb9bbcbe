import type { AskerInfo, Broker } from "@askbox/core";
import type { Grant } from "../auth/tokens.ts";
import type { AskLimits } from "./ask-limits.ts";

/** The broker's asker of one token, held to the hub's limits. */
export type LimitedAsker = ReturnType<Broker["asker"]>;

/**
 * Every ask comes through here, whichever way it came to the hub. A token that was given to one agent asks in that agent's name alone,
 * whatever the agent says of itself.
 */
export function limitedAsker(broker: Broker, limits: AskLimits, { owner, agentId }: Pick<Grant, "owner" | "agentId">): LimitedAsker {
  const port = broker.asker(owner);
  const named = (info: AskerInfo): AskerInfo => (agentId === undefined ? info : { ...info, agentId });
  const admitted = async (asking: Parameters<AskLimits["admit"]>[0]) => {
    const leave = limits.admit(asking);
    await limits.countEverywhere(asking).catch((error: unknown) => {
      leave();
      throw error;
    });
    return leave;
  };
  return {
    ask(request, { onOpened, ...options }) {
      const asker = named(options.asker);
      const { key, idempotencyKey } = options;
      const bytes = Buffer.byteLength(JSON.stringify({ request, asker, key, idempotencyKey }));
      // Not awaited, so that the request is not in memory for as long as the wait.
      return admitted({ owner, agentId: asker.agentId, bytes }).then((leave) => {
        const opened: typeof onOpened = (one) => {
          leave();
          onOpened?.(one);
        };
        return port.ask(request, { ...options, asker, onOpened: opened }).finally(leave);
      });
    },
    resume: (id, options) => port.resume(id, options),
    withdraw: (id, options) => port.withdraw(id, options),
    collect: (asker) => port.collect(named(asker)),
    acknowledge: (given, options) => port.acknowledge(given, options),
    release: (given) => port.release(given),
    ...(port.forms === undefined ? {} : { forms: port.forms }),
    close: (how) => port.close(how),
  };
}
