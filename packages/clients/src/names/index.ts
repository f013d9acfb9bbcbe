export { clientTitle, clientTitles } from "./client-title.ts";
