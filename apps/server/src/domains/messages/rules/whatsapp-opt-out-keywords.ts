const STOP_KEYWORDS = new Set(['stop', 'stopp', 'unsubscribe']);
const START_KEYWORDS = new Set(['start']);

/** Parses a message sent to our WhatsApp number. Anything other than a single keyword is ignored. */
export function parseOptOutKeyword(text: string): 'stop' | 'start' | null {
  const keyword = text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  if (STOP_KEYWORDS.has(keyword)) return 'stop';
  return START_KEYWORDS.has(keyword) ? 'start' : null;
}

/**
 * Returns the same key for every format of a number. In Mexico, Argentina and Brazil the sender's number may include or omit
 * the extra mobile digit, unlike the number we send to.
 */
export function normalizeNumber(digits: string): string {
  return digits
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1')
    .replace(/^55(\d{2})9(\d{8})$/, '55$1$2');
}
