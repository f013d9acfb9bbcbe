const paths = {
  back: "M15 5l-7 7 7 7",
  search: "M11 17a6 6 0 100-12 6 6 0 000 12zM15.5 15.5L20 20",
  keys: "M4 7h16v10H4zM8 13.5h8M7.5 10.5h.01M12 10.5h.01M16.5 10.5h.01",
  cross: "M6 6l12 12M18 6L6 18",
  chevron: "M9 6l6 6-6 6",
  filter: "M4 6h16l-6.5 7v5l-3 1.5V13z",
  calendar: "M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7",
  text: "M5 6h14M5 11h14M5 16h9",
  line: "M4 8h16v8H4zM8 11v2",
  choice: "M6.5 9a2 2 0 100-4 2 2 0 000 4zM12 7h8M6.5 19a2 2 0 100-4 2 2 0 000 4zM12 17h8",
  yesNo: "M3.5 13l3 3 5-6.5M14.5 10l5.5 6M20 10l-5.5 6",
  star: "M12 4.5l2.3 4.8 5.2.7-3.8 3.7.9 5.2-4.6-2.5-4.6 2.5.9-5.2L4.5 10l5.2-.7z",
  order: "M8 5v14M8 19l-3.5-3.5M8 5L4.5 8.5M13 7h7M13 12h5M13 17h3",
  shield: "M12 4l7 2.5v5c0 4.5-3 7.5-7 8.5-4-1-7-4-7-8.5v-5z",
  command: "M4 5h16v14H4zM7.5 9.5L10 12l-2.5 2.5M12.5 14.5H16",
  edit: "M5 19l1-4L16 5l3 3L9 18zM13.5 7.5l3 3",
  globe: "M12 20a8 8 0 100-16 8 8 0 000 16zM4 12h16M12 4c5 5 5 11 0 16M12 4c-5 5-5 11 0 16",
  tool: "M20 7.5l-3 3-3.5-3.5 3-3a5 5 0 00-6 6.5L4.5 16.5l3 3 6-6a5 5 0 006.5-6z",
  plan: "M4.5 6.5L6 8l2.5-3M4.5 15.5L6 17l2.5-3M12 6.5h8M12 15.5h8",
  document: "M6 4h8l4 4v12H6zM9.5 12h5M9.5 15.5h5",
  number: "M9.5 5L8 19M16 5l-1.5 14M5 9.5h14.5M4.5 14.5H19",
  unknown: "M12 16.5h.01M9.5 9.5a2.5 2.5 0 115 0c0 2-2.5 2-2.5 4",
  clip: "M8 12.5l6-6a3 3 0 014.3 4.2l-7.6 7.6a4.8 4.8 0 01-6.8-6.8L11 4.4",
  several: "M4 5h12v9H4zM8 18h12V9",
} as const;

export type IconName = keyof typeof paths;

/** One that isn't part of the first paint; `later-icons.ts` has them. */
interface LaterIcon {
  path: string;
}

/** Decorative: the text next to it, or the control's own name, has the meaning. */
export function Icon({ name }: { name: IconName | LaterIcon }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={typeof name === "string" ? paths[name] : name.path} />
    </svg>
  );
}
