import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@whytrace/contract";
import { Field } from "../ui/controls/field.tsx";

/** A field for a new password, with the server's length limits. */
export function NewPasswordField({ label, consequence = "" }: { label: string; consequence?: string }) {
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={MAX_PASSWORD_LENGTH}
      hint={`At least ${MIN_PASSWORD_LENGTH} characters${consequence}`}
      required
    />
  );
}
