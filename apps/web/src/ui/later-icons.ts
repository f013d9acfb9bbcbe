/** Icons that nothing in the first paint shows. */
export const laterIcons = {
  check: { path: "M5 12.5l4.5 4.5L19 7.5" },
  withdrawn: { path: "M9 14l-4-4 4-4M5 10h9a5 5 0 010 10h-3" },
  download: { path: "M12 4v11m-4-4l4 4 4-4M5 20h14" },
  clock: { path: "M12 7v5l3 2M12 21a9 9 0 100-18 9 9 0 000 18z" },
  view: { path: "M4 6h16M4 12h10M4 18h6" },
  more: { path: "M4 7h16M4 12h16M4 17h16" },
  open: { path: "M12 20a8 8 0 100-16 8 8 0 000 16z" },
} as const;
