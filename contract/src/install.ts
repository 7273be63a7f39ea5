/** Whether the packages can be had from the npm registry. Release day sets it; see CONTRIBUTING.md. */
const IS_PUBLISHED: boolean = false;

/** The shell lines that install the SDK into a project; before the release, from a checkout beside that project. */
export const INSTALL_SDK = IS_PUBLISHED
  ? "npm install @whytrace/sdk"
  : `# Not on the npm registry yet: from a checkout beside your project.
npm --prefix ../whytrace run pack sdk
npm install ../whytrace/packages/whytrace-sdk.tgz`;
