/** Copying, on plain HTTP as well, where the clipboard API is not there. */

/**
 * Copies the text of a field, or leaves it selected for who copies by hand.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyFrom(field) {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
