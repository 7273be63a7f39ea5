import { useRef, useState } from "react";
import { copyText } from "../format/copy-text.ts";
import { buttonStyle } from "./button.tsx";
import { MenuButton, type MenuItem } from "./menu-button.tsx";

export interface Copy {
  label: string;
  note?: string;
  createText: () => Promise<string>;
}

/** What to know about a copied link. */
export const LINK_NOTE = "Opens in your account only";

interface CopyMenuProps {
  copies: readonly Copy[];
  /** Items below the copies. */
  others?: readonly MenuItem[];
}

/** Copies what is shown in one of several forms. */
export function CopyMenu({ copies, others = [] }: CopyMenuProps) {
  const [status, setStatus] = useState("");
  const timer = useRef(0);
  const onCopy = (createText: Copy["createText"]) => {
    // The end of the last copy's message must not remove this one's.
    clearTimeout(timer.current);
    setStatus("Copying…");
    copyText(createText).then(
      () => setStatus("Copied"),
      () => setStatus("Copy failed"),
    );
    timer.current = setTimeout(() => setStatus(""), 2_500);
  };
  return (
    <MenuButton
      label="Copy"
      items={[
        ...copies.map(({ label, note, createText }) => ({
          label,
          note,
          onSelect: () => onCopy(createText),
        })),
        ...others,
      ]}
      className={buttonStyle()}
      menuClassName="right-0 min-w-48"
    >
      <span aria-live="polite">{status || "Copy"}</span> <span aria-hidden="true">▾</span>
    </MenuButton>
  );
}
