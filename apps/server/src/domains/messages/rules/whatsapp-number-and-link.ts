/** The digits of the number, as required by wa.me; null if the number has no country code. */
export function whatsAppDigits(phone: string): string | null {
  const compact = phone.replaceAll(/\(0\)|[\s().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact.slice(1) : null;
}

/** A link that opens the draft in the tutor's WhatsApp. */
export function whatsAppUrl(phone: string, text: string): string | null {
  const digits = whatsAppDigits(phone);
  return digits && `https://wa.me/${digits}?text=${encodeURIComponent(text)}`;
}

/**
 * Returns the same key for every format of a phone number. In Mexico, Argentina and Brazil, the number in a reply can differ
 * from the one we sent to: the extra mobile digit may be added or missing.
 */
export function normalizeNumber(digits: string): string {
  return digits
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1')
    .replace(/^55(\d{2})9(\d{8})$/, '55$1$2');
}
