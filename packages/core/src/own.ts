/**
 * What an object has under a name that comes from outside, such as the id of a question. A plain index would find `constructor` and
 * `toString`, which every object has.
 */
export function own<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
