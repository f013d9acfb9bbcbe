import { runInbox } from "./tui-here.ts";

// The terminal inbox in a separate process: argv[2] contains its options as JSON.
process.exit(await runInbox(JSON.parse(process.argv[2] ?? "{}")));
