// Copies a text from a page.

/**
 * Copies a text, and shows on `label` for two seconds whether it was copied. A page from a file, and one without TLS from
 * another machine, may have no access to the clipboard: then `source` is selected, so that the user can copy it.
 */
export async function copyText(label: Node, text: string, source?: Element): Promise<void> {
  const before = label.textContent;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (source) getSelection()?.selectAllChildren(source);
    isCopied = source !== undefined && document.execCommand('copy');
  }
  label.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => {
    label.textContent = before;
  }, 2000);
}
