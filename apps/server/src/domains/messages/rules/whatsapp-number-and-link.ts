/** Digits only, as wa.me requires; null when the number has no country code. */
export function whatsAppDigits(phone: string): string | null {
  const compact = phone.replaceAll(/\(0\)|[\s().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact.slice(1) : null;
}

/** A link that opens the draft in the tutor's WhatsApp. */
export function whatsAppUrl(phone: string, text: string): string | null {
  const digits = whatsAppDigits(phone);
  return digits && `https://wa.me/${digits}?text=${encodeURIComponent(text)}`;
}
