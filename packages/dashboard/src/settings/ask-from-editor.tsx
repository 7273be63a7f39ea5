import { SnippetTabs } from "../ui/snippet-tabs.tsx";
import { editorSnippets } from "./editor-snippets.ts";
import { SettingsSection } from "./settings-layout.tsx";

/** The lines that connect an assistant in an editor or terminal to this server. */
export function AskFromEditor() {
  return (
    <SettingsSection title="Ask from your editor">
      <p className="text-muted">
        Let an assistant find out why a run failed. Create a key with the scope <code>read</code>, or{" "}
        <code>review</code> if it may also record verdicts, and put it into the environment variable{" "}
        <code>WHYTRACE_READ_KEY</code>.
      </p>
      <SnippetTabs
        label="Editor"
        snippets={editorSnippets(location.origin)}
        copyLabel="Copy"
        codeLabel={(label) => `Configuration for ${label}`}
      />
    </SettingsSection>
  );
}
