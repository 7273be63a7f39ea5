export interface EditorSnippet {
  id: "claude-code" | "cursor" | "vs-code" | "codex";
  label: string;
  /** Where the text goes. */
  about: string;
  text: string;
}

const VARIABLE = "WHYTRACE_READ_KEY";

/** How to connect an assistant to `/mcp`. The key stays in an environment variable or in the editor's own store. */
export function editorSnippets(origin: string): EditorSnippet[] {
  const url = `${origin}/mcp`;
  return [
    {
      id: "claude-code",
      label: "Claude Code",
      about: "Run this in a terminal. Then ask, for example: why did the last run of my agent fail?",
      text: `claude mcp add --transport http whytrace ${url} --header "Authorization: Bearer $${VARIABLE}"`,
    },
    {
      id: "cursor",
      label: "Cursor",
      about: "Add this to .cursor/mcp.json in a project, or to ~/.cursor/mcp.json.",
      text: toJson({
        mcpServers: { whytrace: { url, headers: { Authorization: `Bearer \${env:${VARIABLE}}` } } },
      }),
    },
    {
      id: "vs-code",
      label: "VS Code",
      about: "Add this to .vscode/mcp.json. VS Code asks for the key once and stores it.",
      text: toJson({
        inputs: [
          { type: "promptString", id: "whytrace-key", description: "Whytrace API key", password: true },
        ],
        servers: {
          // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code replaces it
          whytrace: { type: "http", url, headers: { Authorization: "Bearer ${input:whytrace-key}" } },
        },
      }),
    },
    {
      id: "codex",
      label: "Codex",
      about: `Run this in a terminal. Codex reads the key from ${VARIABLE} when it starts.`,
      text: `codex mcp add whytrace --url ${url} --bearer-token-env-var ${VARIABLE}`,
    },
  ];
}

const toJson = (value: unknown) => JSON.stringify(value, null, 2);
