import type { Clock, Desk } from "@askbox/core";
import { createContext, createElement, type ReactNode, useContext } from "react";
import type { Forms } from "../form/forms.ts";
import type { Inbox } from "../inbox/inbox.ts";

/** What the hooks work on; made once by the surface, outside React. */
export interface SurfaceParts {
  desk: Desk;
  inbox: Inbox;
  forms: Forms;
  clock: Clock;
}

const SurfaceContext = createContext<SurfaceParts | undefined>(undefined);

/** Provides the parts of a surface to the hooks below it. */
export function SurfaceProvider({ parts, children }: { parts: SurfaceParts; children?: ReactNode }): ReactNode {
  return createElement(SurfaceContext.Provider, { value: parts }, children);
}

/** Throws outside a `SurfaceProvider`. */
export function useSurface(): SurfaceParts {
  const parts = useContext(SurfaceContext);
  if (parts === undefined) throw new Error("Put a SurfaceProvider around what uses askbox's hooks.");
  return parts;
}

/** The desk of the surrounding `SurfaceProvider`. Throws outside one. */
export function useDesk(): Desk {
  return useSurface().desk;
}
