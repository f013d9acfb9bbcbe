import type { AskerInfo, Broker, Claimed } from "@askbox/core";
import type { Access } from "../auth/tokens.ts";
import type { AskLimits } from "./ask-limits.ts";

/** The part of an access that determines how its agents ask. */
export type AskerAccess = Pick<Access, "owner" | "agentId" | "shared">;

/** The broker's asker for one token, with the hub's limits applied. */
export type LimitedAsker = ReturnType<Broker["asker"]>;

/**
 * Every ask goes through here, over any transport. A token that is bound to one agent always asks as that agent, whatever id the agent
 * sends.
 */
export function limitedAsker(broker: Broker, limits: AskLimits, { owner, agentId, shared }: AskerAccess): LimitedAsker {
  const port = broker.asker(owner, { shared });
  const named = (info: AskerInfo): AskerInfo => (agentId === undefined ? info : { ...info, agentId });
  /** The resuming agent, with the token's agent id applied. */
  const claimed = <Options extends Claimed>(options: Options | undefined): Options | undefined =>
    options?.asker === undefined ? options : { ...options, asker: named(options.asker) };
  const { forms } = port;
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
      // Not awaited, so that the request does not stay in memory during the wait.
      return admitted({ owner, agentId: asker.agentId, bytes }).then((leave) => {
        const opened: typeof onOpened = (one) => {
          leave();
          onOpened?.(one);
        };
        return port.ask(request, { ...options, asker, onOpened: opened }).finally(leave);
      });
    },
    resume: (id, options) => port.resume(id, claimed(options)),
    withdraw: (id, options) => port.withdraw(id, claimed(options)),
    collect: (asker) => port.collect(named(asker)),
    acknowledge: (outcomes, options) => port.acknowledge(outcomes, claimed(options)),
    release: (outcomes) => port.release(outcomes),
    ...(forms && { forms: { ...forms, answered: (id, set, options) => forms.answered(id, set, claimed(options)) } }),
    get waiting() {
      return port.waiting;
    },
    close: (how) => port.close(how),
  };
}
