/** Copies a text that is created asynchronously. Safari only allows this if it gets the promise during the click. */
export async function copyText(createText: () => Promise<string>): Promise<void> {
  // The clipboard API does not exist on pages that are served over plain HTTP.
  if (!navigator.clipboard) return copySelection(await createText());
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await createText());
  const blob = createText().then((text) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** Selects the text in a field outside the viewport and copies the selection. */
function copySelection(text: string) {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "fixed -top-full";
  // In a modal dialog, only elements inside it can get the focus.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error("The browser did not allow copying");
}
