/** Whether a path is this folder or inside it. Both are POSIX or Windows paths. */
export function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [segmentsOf(path), segmentsOf(folder)];
  return outer.every((segment, index) => segment === inner[index]);
}

const segmentsOf = (path: string): string[] => path.split(/[\\/]/).filter((segment, index) => segment !== "" || index === 0);
