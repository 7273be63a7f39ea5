/** Whether the packages are on the npm registry. The release sets it; see CONTRIBUTING.md. */
const IS_PUBLISHED: boolean = false;

/** The shell commands that install the SDK into a project; before the release, from a checkout next to it. */
export const INSTALL_SDK = IS_PUBLISHED
  ? "npm install @whytrace/sdk"
  : `# Not on the npm registry yet: from a checkout beside your project.
npm --prefix ../whytrace run pack sdk
npm install ../whytrace/artifacts/whytrace-sdk.tgz`;

/** The shell commands that start the command line; before the release, only in a checkout. */
export const RUN_CLI = IS_PUBLISHED
  ? "npx whytrace dev"
  : `# Not on the npm registry yet: in a checkout, after npm ci && npm run build.
npx whytrace dev`;

/** The shell commands that let `npx whytrace` run in any project; before the release, from a checkout next to it. */
export const INSTALL_CLI = IS_PUBLISHED
  ? "npx whytrace --version"
  : `# Not on the npm registry yet: from a checkout beside your project.
npm --prefix ../whytrace run pack
npm install --global ../whytrace/artifacts/*.tgz`;
