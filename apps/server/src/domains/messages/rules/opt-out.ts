const STOP = new Set(['stop', 'stopp', 'unsubscribe']);
const START = new Set(['start']);

/** What a person wants who writes to the server's number; anything but the one word is a letter to nobody. */
export function parseOptOut(text: string): 'stop' | 'start' | null {
  const word = text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  if (STOP.has(word)) return 'stop';
  return START.has(word) ? 'start' : null;
}

/**
 * One key for a number, however WhatsApp spells it. In Mexico, Argentina and Brazil a phone may write to us under another
 * number than the one we write to: with a digit more for mobiles, or without the one that was added to them.
 */
export function normalizeNumber(digits: string): string {
  return digits
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1')
    .replace(/^55(\d{2})9(\d{8})$/, '55$1$2');
}
