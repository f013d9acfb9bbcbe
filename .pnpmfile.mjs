export const hooks = {
  /** What others install says nothing of what only our own tests and builds need. */
  beforePacking({ devDependencies: _devDependencies, scripts: _scripts, ...manifest }) {
    return manifest;
  },
};
