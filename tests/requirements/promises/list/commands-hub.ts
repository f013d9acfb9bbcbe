import type { PromisedPage } from "../promise.ts";

export const commandsHubPage: PromisedPage = {
  page: "docs/commands.md",
  promises: [
    {
      id: "commands.askbox-hub-run-hub",
      says: "`askbox hub`: Run the hub in the foreground, or see and stop the one that runs.",
      tests: [
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > leaves the field to the hub that is there: silently in the background, with a sentence in the foreground",
        "tests/command/hub-and-config.test.ts > askbox hub > stop says how many calls still wait, who do not start it again, and are joined to the hub that a person starts",
      ],
    },
    {
      id: "commands.askbox-hub-host-address",
      says: "`askbox hub --host <address>` | the address to listen on (default: 127.0.0.1); any but loopback needs hosts in the config",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox hub > refuses %j with exit code 2, a sentence, and with --json a document",
        "packages/home/test/config.test.ts > the settings > have a default each",
      ],
    },
    {
      id: "commands.askbox-hub-port-n",
      says: "`askbox hub --port <n>` | the port, 0 to let the system choose (default: the one it used last)",
      tests: [
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > takes another port when its last one is taken, but not when it was told which",
        "tests/command/hub-and-config.test.ts > askbox hub > refuses %j with exit code 2, a sentence, and with --json a document",
      ],
    },
    {
      id: "commands.askbox-hub-store-store",
      says: "`askbox hub --store <store>` | memory, sqlite, sqlite:PATH or redis://HOST:PORT for several hubs; with a password, set ASKBOX_STORE instead (default: sqlite)",
      tests: [
        "packages/home/test/config.test.ts > the settings > take %s=%s",
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
      ],
    },
    {
      id: "commands.askbox-hub-space-name",
      says: "`askbox hub --space <name>` | the team whose inbox it is, where several share a Redis",
      tests: ["tests/cluster/redis-faults.test.ts > teams that share a Redis see nothing of each other"],
    },
    {
      id: "commands.askbox-hub-idle-exit-s",
      says: "`askbox hub --idle-exit <s>` | leave after so many seconds without anybody and anything pending, 0 for never",
      tests: [
        "apps/mcp-http/test/idle-exit.test.ts > an idle hub > leaves once nobody has been there for long enough",
        "apps/mcp-http/test/idle-exit.test.ts > an idle hub > never leaves when it was told so",
      ],
    },
    {
      id: "commands.askbox-hub-tls-cert-file",
      says: "`askbox hub --tls-cert <file>` | serve over TLS with this certificate, a PEM file; read again when it changes",
      tests: [
        "tests/command/tokens.test.ts > a hub over TLS > serves its own home's commands, and those elsewhere that trust its certificate",
        "apps/mcp-http/test/tls.test.ts > a hub with a certificate > takes up another certificate when its files change, keeps the one it has while they do not fit, and needs no restart",
      ],
    },
    {
      id: "commands.askbox-hub-tls-key-file",
      says: "`askbox hub --tls-key <file>` | the certificate's private key, a PEM file",
      tests: [
        "tests/command/tokens.test.ts > a hub over TLS > serves its own home's commands, and those elsewhere that trust its certificate",
        "apps/mcp-http/test/tls.test.ts > a hub that is to serve over TLS > %s says so in one sentence",
      ],
    },
    {
      id: "commands.askbox-hub-json-print",
      says: "`askbox hub --json` | print a JSON object when it is ready: url, pid, version",
      tests: ["apps/mcp-http/test/lifecycle.test.ts > the hub's process > prints one JSON document when it is ready, if asked"],
    },
    {
      id: "commands.askbox-hub-status-say",
      says: "`askbox hub status`: Say where the hub runs, and what is going on.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox hub > stop says how many calls still wait, who do not start it again, and are joined to the hub that a person starts",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > tells of itself, and stops when a desk says so",
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
      ],
    },
    {
      id: "commands.askbox-hub-status-json",
      says: "`askbox hub status --json` | print a JSON object",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
      ],
    },
    {
      id: "commands.askbox-hub-stop-stop",
      says: "`askbox hub stop`: Stop the hub.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox hub > stop says how many calls still wait, who do not start it again, and are joined to the hub that a person starts",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > tells of itself, and stops when a desk says so",
      ],
    },
    {
      id: "commands.askbox-token-create-make",
      says: "`askbox token create`: Make a token, and print it this once.",
      tests: [
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "commands.askbox-token-create-name",
      says: "`askbox token create name` | letters, digits, dots, dashes, underlines and @; at most 60",
      tests: ["tests/command/tokens.test.ts > askbox token > refuses %j with exit code 2 and a sentence"],
    },
    {
      id: "commands.askbox-token-create-scope",
      says: "`askbox token create --scope <scope>` | asker, desk or metrics",
      tests: ["tests/command/tokens.test.ts > askbox token > refuses %j with exit code 2 and a sentence"],
    },
    {
      id: "commands.askbox-token-create-expires",
      says: "`askbox token create --expires <time>` | how long it is good for, such as 30d or 12h (default: until it is revoked)",
      tests: [
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
        "tests/command/tokens.test.ts > askbox token > refuses %j with exit code 2 and a sentence",
      ],
    },
    {
      id: "commands.askbox-token-create-agent",
      says: "`askbox token create --agent <ID>` | the agent id of all that is asked with it",
      tests: [
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "commands.askbox-token-create-json",
      says: "`askbox token create --json` | print a JSON object: token, id, name, scope and so on",
      tests: ["tests/command/tokens.test.ts > askbox token > outlives the hub, and prints JSON for scripts"],
    },
    {
      id: "commands.askbox-token-list-list",
      says: "`askbox token list`: List tokens, without the tokens themselves.",
      tests: [
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "commands.askbox-token-list-json",
      says: "`askbox token list --json` | print a JSON array",
      tests: [
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "commands.askbox-token-revoke-take",
      says: "`askbox token revoke`: Take a token back; what runs with it ends at once.",
      tests: [
        "packages/hub/test/tokens.test.ts > a token that is revoked > is worth nothing at once, by name or id, and is told of once",
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "commands.askbox-token-revoke-token",
      says: "`askbox token revoke token` | its name or id",
      tests: ["packages/hub/test/tokens.test.ts > a token that is revoked > is worth nothing at once, by name or id, and is told of once"],
    },
    {
      id: "commands.askbox-agent-add-register",
      says: "`askbox agent add`: Register an agent, or replace what is known of it.",
      tests: ["apps/askbox/test/agents.test.ts > askbox agent > registers, lists and forgets agents"],
    },
    {
      id: "commands.askbox-agent-add-agent",
      says: "`askbox agent add agent` | the id that the agent is given and asks under",
      tests: [
        "apps/askbox/test/agents.test.ts > askbox agent > registers, lists and forgets agents",
        "apps/askbox/test/agents.test.ts > askbox agent > refuses an id that is none",
      ],
    },
    {
      id: "commands.askbox-agent-add-name",
      says: "`askbox agent add --name <text>` | what people call it",
      tests: ["apps/askbox/test/agents.test.ts > askbox agent > registers, lists and forgets agents"],
    },
    {
      id: "commands.askbox-agent-add-resume",
      says: "`askbox agent add --resume <command>` | a command line that takes its conversation up again; shown, never run",
      tests: ["apps/askbox/test/agents.test.ts > askbox show, of an agent that has left > prints the command that it was registered with"],
    },
    {
      id: "commands.askbox-agent-add-json",
      says: "`askbox agent add --json` | print a JSON object",
      tests: ["apps/askbox/test/agents.test.ts > askbox agent > registers, lists and forgets agents"],
    },
    {
      id: "commands.askbox-agent-list-list",
      says: "`askbox agent list`: List the registered agents.",
      tests: ["apps/askbox/test/agents.test.ts > askbox agent > registers, lists and forgets agents"],
    },
    {
      id: "commands.askbox-agent-list-json",
      says: "`askbox agent list --json` | print a JSON array",
      tests: ["apps/askbox/test/agents.test.ts > askbox agent > registers, lists and forgets agents"],
    },
    {
      id: "commands.askbox-agent-remove-forget",
      says: "`askbox agent remove`: Forget an agent.",
      tests: ["apps/askbox/test/agents.test.ts > askbox agent > registers, lists and forgets agents"],
    },
    {
      id: "commands.askbox-agent-remove-agent",
      says: "`askbox agent remove agent` | its id",
      tests: ["apps/askbox/test/agents.test.ts > askbox agent > registers, lists and forgets agents"],
    },
    {
      id: "commands.askbox-config-see-change",
      says: "`askbox config`: See and change the settings.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-get-print",
      says: "`askbox config get`: Print one setting or all.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-get-key",
      says: "`askbox config get key` | the setting, such as timeout or limits.pending",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-get-json",
      says: "`askbox config get --json` | print JSON",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-set-write",
      says: "`askbox config set`: Write one setting to config.json.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-set-key",
      says: "`askbox config set key` | the setting",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-set-value",
      says: "`askbox config set value` | its value: a word, a number, or JSON",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-unset-take",
      says: "`askbox config unset`: Take one setting out of config.json.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-unset-key",
      says: "`askbox config unset key` | the setting",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-path-print",
      says: "`askbox config path`: Print where config.json is.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "commands.askbox-config-schema-print",
      says: "`askbox config schema`: Print the JSON Schema of config.json.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: [
        "`askbox token`: Make, list and revoke tokens for agents, people and monitors.",
        "`askbox agent`: Register the agents that may ask under an id.",
      ],
    },
  ],
};
