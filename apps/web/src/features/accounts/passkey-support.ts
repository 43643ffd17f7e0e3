export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** Loaded on first use, because few tutors have passkeys. */
export const loadWebauthn = () => import('./webauthn.ts');
