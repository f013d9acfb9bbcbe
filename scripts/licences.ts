/** The entry of a package in a software bill of materials, in CycloneDX format. */
export interface Component {
  type: "library";
  group?: string;
  name: string;
  version: string;
  purl?: string;
  licenses?: ({ license: { id?: string; name?: string } } | { expression: string })[];
}

/** Licences that allow redistribution as part of this package, with their notice. */
const allowed = new Set(["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "Unlicense"]);

/** The packages in the list of licences next to a bundle, from headings such as `## zod 4.1.0 (MIT)`. */
export function bundledPackages(list: string): Component[] {
  return [...list.matchAll(/^## (?:(@[^\s/]+)\/)?(\S+)(?: -)? (\d\S*) \((.+)\)$/gm)].map(
    ([, group, name = "", version = "", licence = ""]) => ({
      type: "library",
      ...(group !== undefined && { group }),
      name,
      version,
      purl: `pkg:npm/${group === undefined ? "" : `${encodeURIComponent(group)}/`}${name}@${version}`,
      licenses: [
        /^[\w.-]+$/.test(licence)
          ? { license: allowed.has(licence) ? { id: licence } : { name: licence } }
          : { expression: licence.replace(/^\((.+)\)$/, "$1") },
      ],
    }),
  );
}

/** One message for each package whose licence is unknown or not allowed. `A OR B` is a choice. */
export function licenceProblems(components: readonly Component[]): string[] {
  return components.flatMap(({ group, name, version, licenses = [] }) => {
    const named = licenses.map((one) => ("expression" in one ? one.expression : (one.license.id ?? one.license.name ?? "")));
    const isAllowed = named.some((expression) =>
      expression
        .replace(/[()]/g, "")
        .split(" OR ")
        .some((licence) => allowed.has(licence.trim())),
    );
    const who = `${group === undefined ? "" : `${group}/`}${name} ${version}`;
    return isAllowed
      ? []
      : [named.length === 0 ? `${who} names no licence.` : `${who} is under ${named.join(", ")}, which is not among the allowed ones.`];
  });
}
