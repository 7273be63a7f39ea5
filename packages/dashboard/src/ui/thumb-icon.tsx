/** A thumb up or down, in the colour of the text. */
export function ThumbIcon({ isUp }: { isUp: boolean }) {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`shrink-0 ${isUp ? "" : "rotate-180"}`}
    >
      <path
        d="M5 7v6.5H2.5V7zM5 7l3-5c1 0 1.8.8 1.8 1.8V6h2.7c.8 0 1.4.7 1.2 1.5l-1 4.8c-.2.7-.8 1.2-1.5 1.2H5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
