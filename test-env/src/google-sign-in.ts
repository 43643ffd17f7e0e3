import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { type SignInProvider, startSignInProvider } from '@lessonbook/fakes/google-sign-in';

export interface ConfiguredSignIn extends SignInProvider {
  /** Environment variables for the API. */
  env: Record<string, string>;
}

/** A fake Google sign-in that redirects browsers back to this public address. */
export async function startGoogleSignIn(publicUrl: string, port = 0): Promise<ConfiguredSignIn> {
  const redirectUris = [`${publicUrl}${googleSignIn.callback.path}`];
  const provider = await startSignInProvider({ port, redirectUris });
  return {
    ...provider,
    env: {
      GOOGLE_SIGN_IN_ISSUER: provider.url,
      GOOGLE_SIGN_IN_CLIENT_ID: provider.client.id,
      GOOGLE_SIGN_IN_CLIENT_SECRET: provider.client.secret,
    },
  };
}
