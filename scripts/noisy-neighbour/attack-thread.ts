/** The thread that attack.ts starts: reports that it is ready, then repeats the salvos that it receives until terminated. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { RawClient } from '../security-fuzz/raw-client.ts';
import type { AttackData, AttackProgress, Salvo, StatusCounts } from './attack.ts';

const PAUSE_MS = 100;

const counts: StatusCounts = {};
let [pending, answeredSalvos] = [0, 0];

async function send(client: RawClient, { requests }: Salvo, number: number): Promise<void> {
  const request = requests[number % requests.length];
  if (!request) return;
  pending += 1;
  const status = await client.send(request).then(
    (response) => response.status,
    () => 0,
  );
  pending -= 1;
  counts[status] = (counts[status] ?? 0) + 1;
}

async function repeat(url: string, salvo: Salvo): Promise<void> {
  const client = new RawClient(url, salvo.size);
  for (let sent = 0; ; sent += salvo.size) {
    await Promise.all(
      Array.from({ length: salvo.size }, (_, index) => send(client, salvo, sent + index)),
    );
    answeredSalvos += 1;
    await sleep(PAUSE_MS);
  }
}

function post(message: AttackProgress): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
  parentPort?.postMessage(message);
}

const progress = (): AttackProgress => ({
  counts: { ...counts, 0: (counts[0] ?? 0) + pending },
  isAnswered: answeredSalvos > 0,
});

parentPort?.on('message', (message: AttackData | 'progress') => {
  if (message === 'progress') post(progress());
  else for (const salvo of message.salvos) void repeat(message.url, salvo);
});
post(progress());
