import { folderName } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { useEffect, useState } from "react";
import { settledPages } from "./history-query.ts";

/** The number of recent sessions that are searched for names to filter by. */
const bound = 1_000;

export interface Names {
  projects: readonly string[];
  clients: readonly string[];
}

/** The projects and agents in the history. */
export function useNames(): Names {
  const { desk } = useAskbox();
  const [names, setNames] = useState<Names>({ projects: [], clients: [] });

  useEffect(() => {
    let left = false;
    const projects = new Set<string>();
    const clients = new Set<string>();
    const read = async () => {
      for await (const { items } of settledPages(desk, { bound })) {
        if (left) return;
        for (const { asker } of items) {
          clients.add(asker.client.name);
          if (asker.project !== undefined) projects.add(asker.project);
        }
      }
      setNames({ projects: sorted(projects, folderName), clients: sorted(clients, (name) => name) });
    };
    // The filters work without names, too.
    read().catch(() => {});
    return () => {
      left = true;
    };
  }, [desk]);
  return names;
}

function sorted(names: ReadonlySet<string>, shown: (name: string) => string): string[] {
  return [...names].sort((a, b) => shown(a).localeCompare(shown(b)) || a.localeCompare(b));
}
