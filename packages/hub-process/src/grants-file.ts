import type { Grant, Grants } from "@askbox/core";
import { grantSchema } from "@askbox/core/schemas";
import { keptGrants, memoryList } from "@askbox/core/stores";
import { isPrivate, readJsonFile, writePrivateFile } from "@askbox/home";

/** Grants in a file of this home that only its owner can read. A file that others could have written is ignored. */
export function grantsFile(path: string): Grants {
  const save = async (grants: Grant[]) => writePrivateFile(path, `${JSON.stringify({ grants }, undefined, 2)}\n`);
  return keptGrants(memoryList(readGrants(path), save));
}

function readGrants(path: string): Grant[] {
  const { grants } = (isPrivate(path) ? readJsonFile(path) : undefined) ?? {};
  return (Array.isArray(grants) ? grants : []).flatMap((grant) => grantSchema.safeParse(grant).data ?? []);
}
