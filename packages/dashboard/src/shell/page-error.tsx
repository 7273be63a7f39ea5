import { useRouter } from "@tanstack/react-router";
import { MissingPageError } from "../client/import-page.ts";
import { LoadError } from "../ui/notice.tsx";

/** Replaces a page that could not be loaded. Browsers may remember that an import failed, until the tab is reloaded. */
export function PageError({ title, error }: { title: string; error: unknown }) {
  const router = useRouter();
  return (
    <>
      <h1 className="px-6 text-lg font-semibold">{title}</h1>
      <LoadError
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => (error instanceof MissingPageError ? location.reload() : void router.invalidate())}
      />
    </>
  );
}
