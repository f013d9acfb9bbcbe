import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { OutboxStorage } from "@askbox/notify";

/** An outbox in a file that only its owner can read, written atomically in the background. */
export function outboxFile(path: string): OutboxStorage {
  return {
    async read() {
      try {
        return await readFile(path, "utf8");
      } catch (error) {
        if ((error as { code?: string }).code === "ENOENT") return undefined;
        throw error;
      }
    },
    async write(text) {
      const temporary = `${path}.${randomBytes(4).toString("hex")}`;
      try {
        await writeFile(temporary, text, { mode: 0o600, flush: true });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
  };
}
