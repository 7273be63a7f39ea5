import { type ReactNode, useEffect, useId, useRef } from "react";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The native modal dialog: it traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (isOpen && !dialog?.open) dialog?.showModal();
    if (!isOpen && dialog?.open) dialog.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape
    <dialog
      ref={ref}
      aria-labelledby={id}
      // Closed by its owner, so that a key that opens it again a moment later finds it closed.
      onCancel={(event) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => !ref.current?.open && onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
      className="w-[min(32rem,calc(100vw-2rem))] rounded-lg border border-line bg-bg p-0 text-text shadow-xl"
    >
      <div className="grid gap-4 p-5">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {isOpen && children}
      </div>
    </dialog>
  );
}
