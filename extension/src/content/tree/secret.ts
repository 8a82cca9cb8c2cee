// Fields whose content never leaves the page.

const WORDS = /(?:^|[^a-z])(?:otp|cvv2?|cvc2?|csc|pin|pins|secret|token|passcode|passwd|password|passphrase|pwd)(?:$|[^a-z])/;
const FIELD = "input,textarea";

/** Password, one-time code, card: by type, autocomplete or name. Remembered: a password shown in clear (type text) stays one. */
const known = new WeakSet<Element>();

export function isSecret(element: Element): boolean {
  if (known.has(element)) return true;
  const input = element instanceof HTMLInputElement;
  if (!input && !(element instanceof HTMLTextAreaElement)) return false;
  const secret = (input && element.type === "password") || byAutocomplete(element.autocomplete) || (holdsText(element) && namedSecret(element));
  if (secret) known.add(element);
  return secret;
}

function byAutocomplete(words: string): boolean {
  return words !== "" && words.toLowerCase().split(/\s+/).some((word) => word.startsWith("cc-") || word === "one-time-code" || word.endsWith("-password"));
}

function holdsText(element: HTMLInputElement | HTMLTextAreaElement): boolean {
  return element instanceof HTMLTextAreaElement || ["text", "tel", "number", "search", "url", "email"].includes(element.type);
}

/** `cardCvv`, `otp_1`, `PIN`: words inside the name, the id or the label attribute. */
export function namedSecret(element: Element): boolean {
  for (const attribute of ["name", "id", "aria-label", "placeholder"]) {
    const text = element.getAttribute(attribute);
    if (text !== null && text !== "" && WORDS.test(text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase())) return true;
  }
  return false;
}

/** Long enough to be told from ordinary words. */
const TELLING = 4;

/** Current contents of all secret fields under the roots, longest first. */
export function secretsIn(roots: Iterable<Document | ShadowRoot>): string[] {
  const values = new Set<string>();
  for (const root of roots) {
    for (const field of root.querySelectorAll(FIELD)) {
      if ((field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value.length >= TELLING && isSecret(field)) values.add(field.value);
    }
  }
  return [...values].sort((a, b) => b.length - a.length);
}

/** Text in which no known secret stands: pages like to mirror what was typed. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= TELLING && clean.includes(secret)) clean = clean.split(secret).join("•".repeat(8));
  return clean;
}
