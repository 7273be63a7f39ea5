/** Copies a text that is created asynchronously. Safari only allows this if it gets the promise during the click. */
export async function copyText(createText: () => Promise<string>): Promise<void> {
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await createText());
  const blob = createText().then((text) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}
