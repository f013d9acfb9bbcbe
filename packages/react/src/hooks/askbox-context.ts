import { createContext, useContext } from "react";
import type { Askbox } from "../askbox.ts";

/** For programs that create the value themselves with `createAskbox`: `<AskboxContext value={askbox}>`. */
export const AskboxContext = createContext<Askbox | undefined>(undefined);

/** The value of the surrounding `AskboxProvider`. Throws outside one. */
export function useAskbox(): Askbox {
  const askbox = useContext(AskboxContext);
  if (askbox === undefined) throw new Error("Put an AskboxProvider around the components that use askbox's hooks.");
  return askbox;
}
