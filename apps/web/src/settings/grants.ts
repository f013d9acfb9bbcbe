import type { Grants } from "@askbox/core";
import { createContext, useContext } from "react";

/** The grants that people have given, as far as the page needs them. */
export type PageGrants = Pick<Grants, "list" | "remove">;

const GrantsContext = createContext<PageGrants | undefined>(undefined);
export const GrantsProvider = GrantsContext.Provider;

export function useGrants(): PageGrants {
  const grants = useContext(GrantsContext);
  if (grants === undefined) throw new Error("There is no GrantsProvider around this component.");
  return grants;
}
