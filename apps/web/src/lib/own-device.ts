/*
 * Whether a tutor said 'This is my own device' here, and which one: the random id that `GET /api/me` has. Small, because
 * every page asks; the switch is in `own-device-switch.ts`, what is kept and how it goes in `kept-book.ts`.
 */
export const OWN_DEVICE_KEY = 'lessonbook-own-device';

/** Storage that is closed to us is nobody's own. */
export function ownerOfDevice(): string | null {
  try {
    return localStorage.getItem(OWN_DEVICE_KEY);
  } catch {
    return null;
  }
}
