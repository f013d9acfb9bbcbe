import { createStore } from "@askbox/inbox";
import type { Grouping, Narrowing } from "@askbox/inbox/list";
import { useSyncExternalStore } from "react";

/** Words to find, and the groups to which the list is narrowed. */
export type ListFilter = Narrowing & { readonly text?: string };

/** The filter with another value, or with none for an empty one. */
export function narrowed(filter: ListFilter, by: Grouping, value: string): ListFilter {
  const { [by]: _, ...rest } = filter;
  return value === "" ? rest : { ...rest, [by]: value };
}

const store = createStore<ListFilter>({});

/** What the list of questions shows only; the palette sets it, too. */
export const setFilter = (filter: ListFilter): void => store.setState(filter);
export const useFilter = (): ListFilter => useSyncExternalStore(store.subscribe, store.getState);
