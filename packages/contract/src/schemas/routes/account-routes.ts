import type {
  changedPassword,
  credentials,
  deletedAccount,
  forgottenPassword,
  message,
  newAccount,
  registration,
  renamedUser,
  resetPassword,
  session,
  signedInUser,
  signInList,
  verifiedEmail,
  verifiedToken,
} from "../accounts.ts";
import type { cliAnswer, cliCode, cliSession, newCliCode } from "../sign-in/cli.ts";
import type {
  addedPasskey,
  confirmation,
  factors,
  identityList,
  linkedProvider,
  loginResult,
  newPasskey,
  passkeyList,
  passkeyOptions,
  passkeySignIn,
  providerUrl,
  recoveryCodeList,
  renamedPasskey,
  secondStep,
  signInMethods,
  startedTotp,
  totpCode,
} from "../sign-in/sign-in.ts";
import type { successSchema } from "../success.ts";
import type { joinableList } from "../workspaces/domains.ts";
import type { joinedWorkspace, ownInvitationList } from "../workspaces/invitations.ts";

/** Signing in, and what belongs to a person. */
export interface AccountRoutes {
  "DELETE /api/account": { body: typeof deletedAccount; response: typeof successSchema };
  "PATCH /api/account": { body: typeof renamedUser; response: typeof signedInUser };
  "GET /api/account/factors": { response: typeof factors };
  "GET /api/account/identities": { response: typeof identityList };
  "POST /api/account/identities": { body: typeof linkedProvider; response: typeof providerUrl };
  "DELETE /api/account/identities/:id": { response: typeof successSchema };
  "GET /api/account/invitations": { response: typeof ownInvitationList };
  "GET /api/account/joinable": { response: typeof joinableList };
  "POST /api/account/joinable/:id": { response: typeof joinedWorkspace };
  "GET /api/account/passkeys": { response: typeof passkeyList };
  "POST /api/account/passkeys": { body: typeof newPasskey; response: typeof addedPasskey };
  "DELETE /api/account/passkeys/:id": { response: typeof successSchema };
  "PATCH /api/account/passkeys/:id": { body: typeof renamedPasskey; response: typeof successSchema };
  "POST /api/account/passkeys/options": { response: typeof passkeyOptions };
  "POST /api/account/password": { body: typeof changedPassword; response: typeof successSchema };
  "POST /api/account/recovery-codes": { response: typeof recoveryCodeList };
  "DELETE /api/account/sessions": { response: typeof successSchema };
  "GET /api/account/sessions": { response: typeof signInList };
  "DELETE /api/account/sessions/:id": { response: typeof successSchema };
  "DELETE /api/account/totp": { response: typeof successSchema };
  "POST /api/account/totp": { response: typeof startedTotp };
  "POST /api/account/totp/confirm": { body: typeof totpCode; response: typeof recoveryCodeList };
  "POST /api/auth/cli": { body: typeof cliAnswer; response: typeof cliSession };
  "POST /api/auth/confirm": { body: typeof confirmation; response: typeof successSchema };
  "POST /api/auth/forgot-password": { body: typeof forgottenPassword; response: typeof message };
  "POST /api/auth/login": { body: typeof credentials; response: typeof loginResult };
  "POST /api/auth/login/second-factor": { body: typeof secondStep; response: typeof signedInUser };
  "POST /api/auth/logout": { response: typeof successSchema };
  "GET /api/auth/methods": { response: typeof signInMethods };
  "POST /api/auth/passkey": { body: typeof passkeySignIn; response: typeof signedInUser };
  "POST /api/auth/passkey/options": { response: typeof passkeyOptions };
  "POST /api/auth/register": { body: typeof newAccount; response: typeof message };
  "GET /api/auth/registration": { response: typeof registration };
  "POST /api/auth/resend-verification": { response: typeof successSchema };
  "POST /api/auth/reset-password": { body: typeof resetPassword; response: typeof successSchema };
  "GET /api/auth/session": { response: typeof session };
  "POST /api/auth/verify-email": { body: typeof verifiedToken; response: typeof verifiedEmail };
  "POST /api/cli-codes": { body: typeof newCliCode; response: typeof cliCode };
}
