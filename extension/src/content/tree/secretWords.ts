// Words that name a secret, in an attribute or in a label.

const WORDS = /(?:^|[^a-z])(?:otp|totp|mfa|2fa|cvv2?|cvc2?|csc|pin|pins|ssn|secret|token|passcode|passwd|password|passphrase|pwd|iban)(?:$|[^a-z])/;
/** Two words with anything, or nothing, between them. */
const PAIRS = /(?:^|[^a-z])(?:(?:card|cc|credit ?card|debit ?card)[^a-z0-9]*(?:number|num|no)|(?:security|verification|one[^a-z]?time|authentication|auth|access|recovery|confirmation|sms|login)[^a-z]*(?:code|pin|key)|pin[^a-z]*code|(?:api|private|secret|access)[^a-z]*key|social[^a-z]*security[^a-z]*(?:number|no)?|account[^a-z]*password)(?:$|[^a-z])/;
/** Sentences speak of passwords without asking for one. */
const LONGEST = 60;

/** Whether a name, an id or a label asks for a secret: `cardCvv`, `otp_1`, `ccnum`, "Security code". */
export function namesSecret(text: string): boolean {
  if (text === "" || text.length > LONGEST) return false;
  const words = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return WORDS.test(words) || PAIRS.test(words);
}
