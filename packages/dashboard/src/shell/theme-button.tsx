import { Kbd } from "../ui/badges.tsx";
import { toggleTheme } from "./theme.ts";

/** Switches between the light and the dark theme. */
export function ThemeButton({ className }: { className: string }) {
  return (
    <button type="button" title="Switch between light and dark" className={className} onClick={toggleTheme}>
      <svg
        aria-hidden="true"
        viewBox="0 0 14 14"
        className="size-3.5 shrink-0 fill-none stroke-current stroke-[1.4]"
      >
        <circle cx="7" cy="7" r="5.5" />
        <path d="M7 1.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
      </svg>
      Theme
      <span className="ml-auto max-md:hidden">
        <Kbd>t</Kbd>
      </span>
    </button>
  );
}
