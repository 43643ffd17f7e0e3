import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { type SignInProvider, startSignInProvider } from '@lessonbook/fakes/google-sign-in';

export interface ConfiguredSignIn extends SignInProvider {
  /** What the API must know to send browsers there. */
  env: Record<string, string>;
}

/** A stand-in for Google's sign-in, which sends browsers back to the book at this public address. */
export async function startGoogleSignIn(publicUrl: string, port = 0): Promise<ConfiguredSignIn> {
  const returnTo = [`${publicUrl}${googleSignIn.callback.path}`];
  const provider = await startSignInProvider({ port, returnTo });
  return {
    ...provider,
    env: {
      GOOGLE_SIGN_IN_ISSUER: provider.url,
      GOOGLE_SIGN_IN_CLIENT_ID: provider.client.id,
      GOOGLE_SIGN_IN_CLIENT_SECRET: provider.client.secret,
    },
  };
}
