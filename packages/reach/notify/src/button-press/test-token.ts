import { randomBytes } from "node:crypto";

const prefix = "test.";

/** The token of a test's button, which answers nothing. */
export const testToken = (): string => `${prefix}${randomBytes(12).toString("base64url")}`;

/** Whether it is one: a hub that reads along ignores it. */
export const isTestToken = (token: string): boolean => token.startsWith(prefix);
