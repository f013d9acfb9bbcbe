import type { Desk } from "@askbox/core";

/** A desk whose calls wait for the connection, so that the screen can appear before the hub is reachable. */
export function deskToCome(connecting: Promise<{ desk: Desk }>): Desk {
  const ready = async () => (await connecting).desk;
  return {
    list: async (...args) => (await ready()).list(...args),
    get: async (...args) => (await ready()).get(...args),
    tally: async (...args) => (await ready()).tally(...args),
    watch: async (...args) => (await ready()).watch(...args),
    answer: async (...args) => (await ready()).answer(...args),
    recall: async (...args) => (await ready()).recall(...args),
    cancel: async (...args) => (await ready()).cancel(...args),
    extend: async (...args) => (await ready()).extend(...args),
    getDraft: async (...args) => (await ready()).getDraft(...args),
    saveDraft: async (...args) => (await ready()).saveDraft(...args),
    askBack: async (...args) => (await ready()).askBack(...args),
    reply: async (...args) => (await ready()).reply(...args),
    attend: async (...args) => (await ready()).attend(...args),
  };
}
