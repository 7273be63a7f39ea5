import { createLazyRoute } from "@tanstack/react-router";
import { PageHeader } from "../ui/page-header.tsx";

export const whyPage = createLazyRoute("/signed-in/why")({ component: WhyPage });

function WhyPage() {
  return <PageHeader title="Why" />;
}
