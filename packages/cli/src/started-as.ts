/** npm links the commands of a project here, from where npx starts them; the shell finds only installed ones by their name. */
const LINKED = /[\\/]node_modules[\\/]\.bin[\\/]whytrace$/;

/** What starts this program again. */
export const WHYTRACE = LINKED.test(process.argv[1] ?? "") ? "npx whytrace" : "whytrace";

/** Makes the quoted commands of a text ones that work here. */
export const asStarted = (text: string): string => text.replaceAll("`whytrace ", `\`${WHYTRACE} `);
