/** A line that rises or falls: the share of an option changes. */
export function DriftIcon({ isUp }: { isUp: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 14 14"
      className={`size-3.5 shrink-0 fill-none stroke-current stroke-[1.6] ${isUp ? "" : "-scale-y-100"}`}
    >
      <path d="M1.5 10.5 5 7l2.5 2 5-5.5M9 3.5h3.5V7" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
