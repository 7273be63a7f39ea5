import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "@whytrace/contract";
import { Field } from "../ui/field.tsx";

/** A field for a new password, with the server's length limits. */
export function NewPasswordField({ label, consequence = "" }: { label: string; consequence?: string }) {
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      minLength={PASSWORD_MIN_LENGTH}
      maxLength={PASSWORD_MAX_LENGTH}
      hint={`At least ${PASSWORD_MIN_LENGTH} characters${consequence}`}
      required
    />
  );
}
