import { useQuery } from "@tanstack/react-query";
import { createLazyRoute } from "@tanstack/react-router";
import type { MaskingAfterSave } from "@whytrace/contract/schemas/masking/settings";
import { useState } from "react";
import { maskingQuery } from "../client/masking-query.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { SettingsLayout } from "../settings/settings-layout.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { ApplySection } from "./apply-section.tsx";
import { MaskingEditor } from "./masking-editor.tsx";

export const maskingPage = createLazyRoute("/signed-in/settings/masking")({ component: MaskingPage });

/** What is removed from values before they are stored. */
function MaskingPage() {
  const query = useQuery(maskingQuery);
  const isAdmin = useRoleRefusal("admin") === undefined;
  const [saved, setSaved] = useState<MaskingAfterSave | null>(null);
  return (
    <SettingsLayout>
      <QueryResult query={query} skeleton={<SkeletonList count={6} />}>
        {(settings) => (
          <>
            <MaskingEditor
              key={settings.version}
              settings={settings}
              saved={saved?.version === settings.version ? saved : null}
              onSaved={setSaved}
            />
            {isAdmin && <ApplySection job={settings.job} version={settings.version} />}
          </>
        )}
      </QueryResult>
    </SettingsLayout>
  );
}
