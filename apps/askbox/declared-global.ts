import type { Plugin } from "rolldown";

/** Declares the global that sixel's quantizer assigns without declaring it, which throws in a module of the bundle. */
export function declaredGlobal(): Plugin {
  return {
    name: "declared-global",
    transform: {
      filter: { id: /[\\/]sixel[\\/]upng\.js$/ },
      handler: (code) => ({ code: `var UPNG;${code}`, map: null }),
    },
  };
}
