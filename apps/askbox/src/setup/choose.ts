import type { Checklist, PreviewLine } from "@askbox/tui";
import { type Candidate, effectsOf, shortPath } from "./candidates.ts";

const verbs = { create: "create", change: "change", remove: "remove", none: "leave" } as const;

/** The one screen of `askbox setup`: which clients, and what that changes. */
export function setupChecklist(candidates: readonly Candidate[], home: string): Checklist {
  const free = candidates.filter((candidate) => candidate.state === "new").map(({ client }) => client);
  const isAnyReady = candidates.some(({ state }) => state === "ready");
  return {
    title: "askbox setup",
    intro:
      free.length > 0
        ? "These clients are on this machine. askbox is added to the selected ones, and a first question is asked through one of them."
        : "askbox is set up in every client here that it can be. A first question is asked through one of them.",
    choices: candidates.map((candidate) => ({
      id: candidate.client,
      label: candidate.title,
      isFixed: candidate.state !== "new",
      ...(candidate.state === "ready" && { note: `set up: ${shortPath(candidate.file, { home })}` }),
      ...(candidate.state === "blocked" && { note: "can't be set up, see below" }),
    })),
    selected: free,
    preview: (selected, whole) => previewLines(candidates, selected, whole),
    confirm(selected) {
      if (selected.size > 0) return `set up ${selected.size}`;
      return isAnyReady ? "ask a first question" : undefined;
    },
  };
}

/** What the selected clients' files would become, and what is in the way of others. */
export function previewLines(candidates: readonly Candidate[], selected: ReadonlySet<string>, whole: boolean): PreviewLine[] {
  const changes = candidates.flatMap((candidate): PreviewLine[] => {
    if (candidate.state !== "new" || !selected.has(candidate.client)) return [];
    const { plan, modeNotes } = candidate.prepared;
    const files = effectsOf(candidate.prepared).flatMap(({ path, action, added, removed, diff }): PreviewLine[] => {
      const counts: PreviewLine["spans"] = [
        { text: `+${added}`, token: "success" },
        { text: removed > 0 ? ` -${removed}` : "", token: "error" },
      ];
      return [{ indent: 2, spans: [{ text: `${verbs[action]}  ${path}  ` }, ...counts] }, ...(whole ? diff.map(diffLine) : [])];
    });
    const notes = [...plan.notes, ...modeNotes].map((text): PreviewLine => ({ indent: 2, spans: [{ text, token: "dim" }] }));
    return [{ spans: [{ text: candidate.title, token: "heading" }] }, ...files, ...notes];
  });
  const problems = candidates.flatMap((candidate): PreviewLine[] => {
    if (candidate.state !== "blocked") return [];
    return [{ spans: [{ text: candidate.title, token: "heading" }] }, { indent: 2, spans: [{ text: candidate.problem, token: "error" }] }];
  });
  const head = changes.length === 0 ? "Nothing is changed." : "What is changed; `askbox uninstall CLIENT` restores it:";
  return [{ spans: [{ text: head, token: "dim" }] }, ...changes, ...problems];
}

const tokens = { "+": "success", "-": "error", "@": "accent" } as const;

const diffLine = (text: string): PreviewLine => ({
  indent: 4,
  spans: [{ text, token: tokens[text.charAt(0) as keyof typeof tokens] ?? "dim" }],
});
