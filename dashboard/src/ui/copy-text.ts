/** Copies a text that is still being made; some browsers want the promise itself while the click is fresh. */
export async function copyText(make: () => Promise<string>): Promise<void> {
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await make());
  const blob = make().then((text) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}
