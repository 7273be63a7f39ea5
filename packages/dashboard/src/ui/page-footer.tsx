import type { ReactNode } from "react";

interface PageFooterProps {
  /** Stays at the bottom of the window, except on phones. */
  isSticky?: boolean;
  children: ReactNode;
}

/**
 * The last line of a page: how its figures are counted, and its keys. Where it is not sticky, it is invisible while a part of
 * the page loads, because what takes the place of a skeleton pushes it away.
 */
export function PageFooter({ isSticky = false, children }: PageFooterProps) {
  return (
    <footer
      className={`flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-bg px-4 py-2 text-xs text-muted ${isSticky ? STICKY : STATIC}`}
    >
      {children}
    </footer>
  );
}

const STATIC = "[main:has([data-skeleton])_&]:invisible";
const STICKY = "md:sticky md:bottom-0 md:z-2 max-md:[main:has([data-skeleton])_&]:invisible";
