import { useMemo } from "react";
import { qrCode } from "./qr-code.ts";

/** The light border that readers need, in modules. */
const BORDER = 4;

/** A QR code as SVG, dark on white in both themes: readers expect it. Nothing if the text is too long for one. */
export function QrImage({ text }: { text: string }) {
  const { path, size } = useMemo(() => {
    const modules = qrCode(text) ?? [];
    const dark = modules.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x + BORDER} ${y + BORDER}h1v1h-1z`] : [])),
    );
    return { path: dark.join(""), size: modules.length + 2 * BORDER };
  }, [text]);
  if (path === "") return null;
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code with the secret"
      className="size-40 shrink-0 rounded-md border border-line"
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
