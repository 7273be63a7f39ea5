import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { workspaceSlug } from "../client/base-path.ts";
import { useSession } from "../client/session.ts";
import { paths } from "../paths.ts";
import { PageHeader } from "../ui/page-header.tsx";

const GROUPS = [
  {
    name: "Workspace",
    pages: [
      { to: paths.general, label: "General" },
      { to: paths.members, label: "Members" },
      { to: paths.apiKeys, label: "API keys" },
      { to: paths.outcomes, label: "Outcomes" },
      { to: paths.masking, label: "Masking" },
      { to: paths.links, label: "Links" },
      { to: paths.prices, label: "Prices" },
      { to: paths.billing, label: "Billing" },
      { to: paths.audit, label: "Audit log" },
    ],
  },
  {
    name: "You",
    pages: [
      { to: paths.account, label: "Account" },
      { to: paths.signIn, label: "Sign-in" },
    ],
  },
] as const;

const isPersonal = (pathname: string) => GROUPS[1].pages.some(({ to }) => pathname.endsWith(to));

/** The settings of the workspace and those of the person, with a column of pages, which is a strip where it would take too much room. */
export function SettingsLayout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const { workspaces } = useSession();
  // The sample has settings without a workspace of one's own.
  const workspace = workspaces.find(({ slug }) => slug === workspaceSlug) ?? workspaces[0];
  return (
    <>
      <PageHeader title="Settings" count={isPersonal(pathname) ? "You" : workspace?.name} />
      <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[10.5rem_minmax(0,1fr)] lg:gap-x-6 lg:px-4">
        <Pages pathname={pathname} />
        <div className="grid w-full max-w-3xl grid-cols-[minmax(0,1fr)] content-start gap-8 p-4 pb-16 lg:px-0 lg:pt-1">
          {children}
        </div>
      </div>
    </>
  );
}

function Pages({ pathname }: { pathname: string }) {
  const nav = useRef<HTMLElement>(null);
  // The strip may begin far from the page that is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another place in the strip
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [pathname]);
  return (
    <nav
      ref={nav}
      aria-label="Settings"
      className="flex gap-4 overflow-x-auto border-line px-4 [scrollbar-width:none] max-lg:border-b lg:sticky lg:top-0 lg:flex-col lg:self-start lg:px-0 lg:pb-4"
    >
      {GROUPS.map(({ name, pages }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
        <div
          key={name}
          role="group"
          aria-label={name}
          className="flex shrink-0 items-center gap-4 max-lg:not-first:border-l max-lg:not-first:border-line max-lg:not-first:pl-4 lg:flex-col lg:items-stretch lg:gap-0.5"
        >
          <span
            aria-hidden="true"
            className="text-xs font-semibold text-muted max-sm:hidden lg:px-2 lg:py-1.5"
          >
            {name}
          </span>
          {pages.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className="flex min-h-10 items-center whitespace-nowrap font-medium text-muted hover:text-text max-lg:border-b-2 max-lg:border-transparent max-sm:min-h-11 lg:min-h-8 lg:rounded-md lg:px-2"
              activeProps={{ className: "text-text! max-lg:border-accent! lg:bg-sunken" }}
            >
              {label}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
