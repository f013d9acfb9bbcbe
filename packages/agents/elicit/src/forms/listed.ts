/** A node of a JSON Schema. */
export type Node = Readonly<Record<string, unknown>>;

/** A node with its `$ref` resolved. */
export type Resolve = (node: unknown) => Node;

/** How many references lead to a node, and how deep unions nest. */
export const maxDepth = 8;

/** Resolves references to the definitions of this schema. A reference that leads nowhere stays. */
export function resolver(schema: unknown): Resolve {
  const { $defs, definitions } = Object(schema) as Node;
  const known = new Map<string, unknown>([
    ...Object.entries(Object(definitions) as Node).map(([name, node]) => [`#/definitions/${name}`, node] as const),
    ...Object.entries(Object($defs) as Node).map(([name, node]) => [`#/$defs/${name}`, node] as const),
    ["#", schema],
  ]);
  return (node) => {
    let read = { ...Object(node) } as Node;
    for (let depth = 0; depth < maxDepth && known.has(String(read["$ref"])); depth += 1) {
      const { $ref, ...own } = read;
      read = { ...Object(known.get(String($ref))), ...own };
    }
    return read;
  };
}

/** A value that a schema lists. */
export interface ListedValue {
  value: string | number | boolean;
  title?: string | undefined;
}

/** The values that a node lists: literals, an enum, or a union of such; undefined if it allows others. */
export function listed(node: Node, resolve: Resolve, depth = 0): ListedValue[] | undefined {
  const { title, enumNames, enum: values } = node;
  if (depth > maxDepth) return undefined;
  if (Array.isArray(values)) return valuesOf(values, Array.isArray(enumNames) ? enumNames : []);
  if ("const" in node) return valuesOf([node["const"]], [title]);
  const branches = branchesOf(node)?.map((branch) => listed(resolve(branch), resolve, depth + 1));
  return branches?.every((branch) => branch !== undefined) ? branches.flat() : undefined;
}

function valuesOf(values: readonly unknown[], titles: readonly unknown[]): ListedValue[] | undefined {
  const plain = values.flatMap((value, index): ListedValue[] => {
    const title = titles[index];
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return isPlain ? [{ value, title: typeof title === "string" ? title : undefined }] : [];
  });
  return plain.length === values.length && plain.length > 0 ? plain : undefined;
}

/** The node without null among its values, and whether it had it. */
export function withoutNull(node: Node, resolve: Resolve): { node: Node; isNullable: boolean } {
  const { type, enum: values, default: proposed, ...rest } = node;
  const kept = proposed === null || proposed === undefined ? rest : { ...rest, default: proposed };
  const types = [type].flat();
  const left = types.filter((one) => one !== "null");
  const branches = branchesOf(node)?.map(resolve);
  const others = branches?.filter((branch) => branch["type"] !== "null" && branch["const"] !== null);
  const isNullable =
    left.length < types.length || (Array.isArray(values) && values.includes(null)) || (others ?? []).length < (branches ?? []).length;
  if (!isNullable) return { node, isNullable };
  const { anyOf: _, oneOf: __, ...own } = kept;
  const [only] = others?.length === 1 ? others : [];
  return {
    isNullable,
    node: {
      ...(others === undefined ? kept : only === undefined ? { ...own, anyOf: others } : { ...only, ...own }),
      ...(left.length === 0 || left[0] === undefined ? {} : { type: left.length === 1 ? left[0] : left }),
      ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
    },
  };
}

/** The branches of a union; undefined if the node is none. */
function branchesOf({ anyOf, oneOf }: Node): unknown[] | undefined {
  if (anyOf !== undefined && oneOf !== undefined) return undefined;
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) && branches.length > 0 ? branches : undefined;
}

/** Whether an object can be valid for the node. */
export function admitsObject(node: Node, resolve: Resolve, depth = 0): boolean {
  const { type } = node;
  if (depth > maxDepth || "const" in node || "enum" in node) return false;
  if (type !== undefined) return [type].flat().includes("object");
  return branchesOf(node)?.some((branch) => admitsObject(resolve(branch), resolve, depth + 1)) ?? true;
}

/** What a node is made of: the branches of its unions, and the parts that it must fit all of. */
export const unionOf = ({ anyOf, oneOf, allOf }: Node): unknown[] =>
  [anyOf, oneOf, allOf].flatMap((nodes) => (Array.isArray(nodes) ? nodes : []));
