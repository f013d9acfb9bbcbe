import { type StoreQuery, searchWords } from "@askbox/core/stores";
import type { Row } from "./row.ts";

/** Whether a session matches a query. */
export function matcherOf(query: StoreQuery): (row: Row) => boolean {
  const { states, owner, scope, digest, key, project, agentId, clientName, machine, undelivered, closedSince, idPrefix } = query;
  const words = searchWords(query.text ?? "");
  const wanted: [value: (row: Row) => unknown, is: unknown][] = [
    [({ record }) => record.owner, owner],
    [({ record }) => record.scope, scope],
    [({ record }) => record.digest, digest],
    [({ record }) => record.key, key],
    [({ record }) => record.asker.project, project],
    [({ record }) => record.asker.agentId, agentId],
    [({ record }) => record.asker.client.name, clientName],
    [({ record }) => record.asker.machine, machine],
    [(row) => row.undelivered, undelivered],
  ];
  const conditions = wanted.filter(([, is]) => is !== undefined);
  return (row) =>
    conditions.every(([value, is]) => value(row) === is) &&
    (states === undefined || states.includes(row.record.state)) &&
    (closedSince === undefined || (row.closedAt !== undefined && row.closedAt >= closedSince)) &&
    (idPrefix === undefined || row.id.startsWith(idPrefix)) &&
    words.every((word) => row.search.includes(word));
}
