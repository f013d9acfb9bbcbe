import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const name = /ajvProvider-[\w-]+\.mjs$/;

/** Without what the SDK's build puts a hash of the package into. */
const contentOf = (path: string): string => readFileSync(path, "utf8").replaceAll(/-[\w-]{8}\.mjs/g, ".mjs");

/**
 * Bundles the JSON Schema validator that the MCP SDK's server and client packages both contain only once: the client's. Fails if they are
 * no longer the same.
 */
export function oneValidator(): Plugin {
  const folder = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/client")));
  const file = readdirSync(folder).find((entry) => name.test(entry));
  return {
    name: "one-validator",
    resolveId: {
      filter: { id: name },
      handler(id, importer) {
        if (file === undefined || importer === undefined) throw new Error(`The SDK's client has no validator in ${folder}.`);
        const [own, ofClient] = [join(dirname(importer), id), join(folder, file)];
        if (contentOf(own) !== contentOf(ofClient)) throw new Error("The validators of the SDK's server and client differ.");
        return ofClient;
      },
    },
  };
}
