const paths = {
  back: "M15 5l-7 7 7 7",
  keys: "M4 7h16v10H4zM8 13.5h8M7.5 10.5h.01M12 10.5h.01M16.5 10.5h.01",
  preferences: "M4 8h9m4 0h3M4 16h3m4 0h9M15 6v4M9 14v4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6L6 18",
  withdrawn: "M9 14l-4-4 4-4M5 10h9a5 5 0 010 10h-3",
  download: "M12 4v11m-4-4l4 4 4-4M5 20h14",
  clock: "M12 7v5l3 2M12 21a9 9 0 100-18 9 9 0 000 18z",
  chevron: "M9 6l6 6-6 6",
  view: "M4 6h16M4 12h10M4 18h6",
  calendar: "M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7",
} as const;

/** Decorative: the text next to it, or the control's own name, has the meaning. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
