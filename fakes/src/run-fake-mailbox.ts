// Usage: node fakes/src/run-fake-mailbox.ts [smtp port] [web port]
import { startMailbox } from './mailbox.ts';

const [smtpPort = '1025', webPort = '1080'] = process.argv.slice(2);

const mailbox = await startMailbox({ smtpPort: Number(smtpPort), webPort: Number(webPort) });
console.log(`Mailbox listening at ${mailbox.smtpUrl}, web page at ${mailbox.webUrl}`);

async function stop(): Promise<void> {
  await mailbox.stop();
  process.exit(0);
}
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
