import { createLazyRoute } from "@tanstack/react-router";
import { PageHeader } from "../../ui/page-header.tsx";

export const scorecardPage = createLazyRoute("/signed-in/why/$signature")({ component: ScorecardPage });

function ScorecardPage() {
  return <PageHeader title="Why" />;
}
