import type { FormEvent, ReactNode } from "react";
import { SampleLink } from "../shell/sample-link.tsx";
import { Logo } from "../shell/shell.tsx";
import { Button } from "../ui/controls/button.tsx";
import { ErrorNotice } from "../ui/notice.tsx";

interface AuthLayoutProps {
  title: string;
  /** Leaves out what is for people without an account. */
  isSignedIn?: boolean;
  children: ReactNode;
}

/** The layout of the pages about signing in. */
export function AuthLayout({ title, isSignedIn = false, children }: AuthLayoutProps) {
  return (
    <main className="mx-auto grid w-full max-w-sm content-start gap-6 px-4 py-12 sm:py-20">
      <div className="flex items-center gap-2 text-lg font-semibold">
        <Logo />
        Whytrace
      </div>
      <h1 className="text-xl font-semibold">{title}</h1>
      {children}
      {!isSignedIn && <SampleLink className={linkStyle}>Look at a sample, without an account</SampleLink>}
    </main>
  );
}

interface AuthFormProps {
  action: string;
  /** The button is as wide as its label instead of the form. */
  isCompact?: boolean;
  isPending: boolean;
  error: Error | null;
  onSubmit: (fields: Record<string, string>) => void;
  children: ReactNode;
}

/** A form that submits its fields by name, shows the server's error, and ignores submits while one is pending. */
export function AuthForm({ action, isCompact = false, isPending, error, onSubmit, children }: AuthFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    onSubmit(Object.fromEntries(entries));
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      {children}
      {error && <ErrorNotice error={error} />}
      <Button
        type="submit"
        kind="primary"
        disabled={isPending}
        className={isCompact ? "sm:justify-self-start" : ""}
      >
        {action}
      </Button>
    </form>
  );
}

export const linkStyle = "font-medium text-accent underline underline-offset-2";
