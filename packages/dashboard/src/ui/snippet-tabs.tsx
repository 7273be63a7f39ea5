import { useState } from "react";
import { Code } from "./code.tsx";
import { CopyButton } from "./controls/copy-button.tsx";
import { Tabs } from "./controls/tabs.tsx";

interface Snippet {
  id: string;
  label: string;
  about: string;
  text: string;
}

interface SnippetTabsProps {
  label: string;
  /** The first one is shown first. */
  snippets: readonly Snippet[];
  copyLabel: string;
  codeLabel: (label: string) => string;
}

/** Texts to copy, one at a time. */
export function SnippetTabs({ label, snippets, copyLabel, codeLabel }: SnippetTabsProps) {
  const [chosen, setChosen] = useState(snippets[0]?.id ?? "");
  const snippet = snippets.find(({ id }) => id === chosen);
  return (
    <div className="rounded-md border border-line">
      <Tabs
        label={label}
        tabs={snippets.map(({ id: tab, label: name }) => ({ tab, label: name }))}
        value={chosen}
        onChange={setChosen}
      >
        {snippet && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <div className="flex items-start justify-between gap-3 max-sm:flex-col">
              <p className="max-w-prose text-muted">{snippet.about}</p>
              <CopyButton text={snippet.text} label={copyLabel} />
            </div>
            <Code label={codeLabel(snippet.label)} text={snippet.text} />
          </div>
        )}
      </Tabs>
    </div>
  );
}
