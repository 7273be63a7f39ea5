import { createLazyRoute } from "@tanstack/react-router";
import { useState } from "react";
import { providerErrorText } from "../../shell/provider-errors.ts";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SettingsLayout } from "../settings-layout.tsx";
import { AuthenticatorSection } from "./authenticator-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { ProvidersSection } from "./providers-section.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { RecoverySection } from "./recovery-section.tsx";
import { useConfirmed } from "./use-confirmed.tsx";

export const signInPage = createLazyRoute("/signed-in/settings/sign-in")({ component: SignInPage });

function SignInPage() {
  const { error } = signInPage.useSearch();
  const { run, dialog } = useConfirmed();
  const [codes, setCodes] = useState<string[]>([]);
  return (
    <SettingsLayout>
      {error && <Notice tone="error">{providerErrorText(error)}</Notice>}
      <PasskeysSection run={run} onCodes={setCodes} />
      <AuthenticatorSection run={run} onCodes={setCodes} />
      <RecoverySection run={run} onCodes={setCodes} />
      <ProvidersSection run={run} />
      <p className="text-muted">
        Owners and admins of your workspaces see in the audit log when you sign in and by which method.
      </p>
      {dialog}
      <Dialog title="Store your recovery codes" isOpen={codes.length > 0} onClose={() => {}}>
        <RecoveryCodes codes={codes} onStored={() => setCodes([])} />
      </Dialog>
    </SettingsLayout>
  );
}
