// Usage: node fakes/src/run-fake-google.ts [port]
// The client id and secret come from GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.
import { startGoogle } from './google.ts';

const [port = '0'] = process.argv.slice(2);
const {
  GOOGLE_CLIENT_ID: id,
  GOOGLE_CLIENT_SECRET: secret,
  GOOGLE_HOST: host,
  GOOGLE_PUBLIC_URL: publicUrl,
} = process.env;

const google = await startGoogle({
  port: Number(port),
  ...(id && secret ? { client: { id, secret } } : {}),
  ...(host ? { host } : {}),
  ...(publicUrl ? { publicUrl } : {}),
});
console.log(`Fake Google listening at ${google.url}`);

async function stop(): Promise<void> {
  await google.close();
  process.exit(0);
}
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
