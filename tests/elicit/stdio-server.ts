import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { somebodysServer } from "./somebodys-server.ts";

serveStdio(somebodysServer);
