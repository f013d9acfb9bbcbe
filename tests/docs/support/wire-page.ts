import { operations, type Role } from "@askbox/wire";
import * as z from "zod";
import { linkedType } from "./shapes.ts";
import type { JsonSchema } from "./type-text.ts";

const roles: Record<Role, string> = { asker: "An asker may call", desk: "A desk may call" };

/** A list of the methods for each role. */
export function methodsText(): string {
  return Object.entries(roles)
    .map(([role, title]) => {
      const items = Object.entries(operations)
        .filter(([, operation]) => operation.role === role)
        .map(([name, { params, result, repeat }]) => {
          const [input, output] = [z.toJSONSchema(params, { io: "input" }), z.toJSONSchema(result)] as JsonSchema[];
          return `- **\`${name}\`** (${repeat})\n  - takes ${linkedType(input ?? {})}\n  - gives ${linkedType(output ?? {})}`;
        });
      return [`### ${title}`, "", ...items].join("\n");
    })
    .join("\n\n");
}
