export { decodePng } from "./decode-png.ts";
export { encodePng } from "./encode-png.ts";
export { fitted, type Pixels } from "./pixels.ts";
