#!/usr/bin/env node
// Plain, old JavaScript: this file must still run where Node is too old for the rest, to say so.
var version = process.versions.node.split(".").map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 13)) {
  console.error(
    "askbox needs Node 22.13 or newer; this is Node " +
      process.versions.node +
      ". Get one from https://nodejs.org or your version manager.",
  );
  process.exitCode = 1;
} else {
  // The cache keeps Node from compiling the same files at every start.
  void import("node:module").then((nodeModule) => {
    nodeModule.enableCompileCache();
    return import("../dist/main.js");
  });
}
