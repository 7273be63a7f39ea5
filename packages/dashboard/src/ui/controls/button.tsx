import type { ButtonHTMLAttributes } from "react";

export type ButtonKind = "primary" | "plain" | "danger";

const KINDS: Record<ButtonKind, string> = {
  primary: "border-accent bg-accent text-bg hover:opacity-90",
  plain: "border-line bg-bg text-text hover:bg-panel",
  danger: "border-error bg-bg text-error hover:bg-panel",
};

/** Exported for links that look like buttons. They are no narrower than their longest word. */
export const buttonStyle = (kind: ButtonKind = "plain") =>
  `inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-3 text-sm font-medium wrap-break-word motion-safe:transition-colors motion-safe:duration-150 disabled:opacity-50 max-sm:min-h-11 ${KINDS[kind]}`;

/** For a button that is pressed, beside its style. */
export const pressedStyle =
  "border-accent! text-accent! bg-[color-mix(in_oklab,var(--color-accent)_10%,var(--color-bg))]!";

export function Button({
  kind = "plain",
  className = "",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: ButtonKind }) {
  return <button type="button" {...rest} className={`${buttonStyle(kind)} ${className}`} />;
}
