export { routes } from "./protocol/routes.ts";
