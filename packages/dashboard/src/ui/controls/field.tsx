import { type InputHTMLAttributes, type Ref, useId } from "react";

export const inputStyle =
  "min-h-9 w-full rounded-md border border-control bg-bg px-2.5 text-base text-text placeholder:text-muted max-sm:min-h-11";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled input. Screen readers announce the hint with it. */
export function Field({ label, hint, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input id={id} className={inputStyle} {...(hint && { "aria-describedby": `${id}-hint` })} {...rest} />
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
