/** What of TypeDoc's JSON is looked at. */
export interface Reflection {
  id: number;
  name: string;
  /** Of a re-export: the id of what is exported. */
  target?: number;
  comment?: { summary?: readonly unknown[] };
  signatures?: readonly Reflection[];
  children?: readonly Reflection[];
}

/** The exports of all modules that have no docstring, such as `core/src: ask`. */
export function undocumented(project: Reflection): string[] {
  const modules = project.children ?? [];
  const byId = new Map(modules.flatMap(({ children = [] }) => children).map((one) => [one.id, one]));
  // What is exported from elsewhere is looked at there.
  const has = (one: Reflection | undefined): boolean =>
    one === undefined ||
    (one.comment?.summary?.length ?? 0) > 0 ||
    (one.signatures ?? []).some(has) ||
    (one.target !== undefined && has(byId.get(one.target)));
  return modules.flatMap(({ name, children = [] }) => children.filter((one) => !has(one)).map((one) => `${name}: ${one.name}`));
}
