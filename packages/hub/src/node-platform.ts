import { hash } from "node:crypto";
import { type Platform, standardPlatform } from "@askbox/core";

/** `standardPlatform(globalThis)` with Node's own SHA-256, which is synchronous for a few kilobytes. */
export const nodePlatform = (): Platform => ({ ...standardPlatform(globalThis), digest: async (text) => hash("sha256", text) });
