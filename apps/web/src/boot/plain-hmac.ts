import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

// For pages over plain HTTP from other machines, where browsers offer no Web Crypto.

export const sha256Hex = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));
export const hmacHex = (key: string, bytes: Uint8Array): string => bytesToHex(hmac(sha256, hexToBytes(key), bytes));
