import type { Grant, Grants } from "../ports/grants.ts";
import type { Clock, Log } from "../ports/platform.ts";

/** Milliseconds by which the clocks of several hubs may differ. */
const maxSkew = 60_000;

/**
 * The grants that have not expired. A grant lasts no longer than it was made for, however the wall clock is set in the meantime: an expired
 * one is removed, and one that was made in the future is stored with the time that it has left.
 */
export function standingGrants(stored: Grants, clock: Clock, log: Log): Grants {
  /** When grants end by monotonic time, by id. It only ever gets earlier. */
  const ends = new Map<string, number>();
  /** The grants that are being removed or replaced, by id. */
  const changing = new Map<string, Promise<void>>();

  const leftOf = ({ id, createdAt, expiresAt }: Grant): number => {
    const now = clock.monotonic();
    const left = Math.min(expiresAt - clock.now(), expiresAt - createdAt, (ends.get(id) ?? Number.POSITIVE_INFINITY) - now);
    ends.set(id, now + left);
    return left;
  };

  const change = async (grants: readonly Grant[]): Promise<void> => {
    for (const grant of grants) {
      if (changing.has(grant.id)) continue;
      const done = Promise.withResolvers<void>();
      changing.set(grant.id, done.promise);
      try {
        const isThere = await stored.remove(grant.id);
        const [left, now] = [leftOf(grant), clock.now()];
        // Revoked since, or expired.
        if (isThere && left > 0) await stored.add({ ...grant, createdAt: now, expiresAt: now + left });
      } catch (error) {
        log("warn", "A grant could not be updated", { grant: grant.id, error: String(error) });
      } finally {
        changing.delete(grant.id);
        done.resolve();
      }
    }
  };

  return {
    async list() {
      const before = [...ends.keys()];
      const known = await stored.list();
      const ids = new Set(known.map(({ id }) => id));
      for (const id of before) if (!ids.has(id) && !changing.has(id)) ends.delete(id);
      const standing = known.filter((grant) => leftOf(grant) > 0);
      const now = clock.now();
      void change(known.filter((grant) => leftOf(grant) <= 0 || grant.createdAt > now + maxSkew));
      return standing;
    },
    async add(grant) {
      const added = await stored.add(grant);
      leftOf(added);
      return added;
    },
    async remove(id) {
      // One that is being replaced is missing for a moment, and would come back.
      await changing.get(id);
      return stored.remove(id);
    },
  };
}
