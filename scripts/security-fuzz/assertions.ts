import type { Attack } from './attacks.ts';
import { CANARY } from './canaries.ts';
import { decodeResponse, encodedForms } from './decode-response.ts';
import type { RawResponse } from './raw-client.ts';

export interface Fault {
  kind:
    | 'leak'
    | 'server error'
    | 'slow'
    | 'succeeded'
    | 'no answer'
    | 'changed'
    | 'undescribed'
    | 'stopped early';
  operation: string;
  detail: string;
}

/** An answer that takes longer than this, on a quiet machine, is a fault. */
export const SLOW_MS = 1000;

/** What stands in files that no page is made of. */
const NOT_SERVED = [
  /root:[x*]?:0:0:/,
  /"workspaces"\s*:/,
  /DATABASE_URL=/,
  /\[core\]\s+repositoryformatversion/,
];

const ENCODED_CANARIES = encodedForms(CANARY);

export interface KnownSecrets {
  places: ReadonlyMap<string, string>;
  secrets: ReadonlySet<string>;
}

/** What is wrong with an answer, whoever asked; being slow is judged by the caller, who may ask again. */
export async function checkResponse(
  attack: Attack,
  response: RawResponse,
  knowledge: KnownSecrets,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const add = (kind: Fault['kind'], detail: string) =>
    faults.push({
      kind,
      operation: attack.operation.name,
      detail: `${detail}; ${describeAttack(attack)}`,
    });
  if (response.status >= 500) add('server error', `answered ${response.status}`);
  if (attack.mustFail && response.status < 300) add('succeeded', `answered ${response.status}`);
  const file = NOT_SERVED.find((pattern) => pattern.test(response.body.toString('latin1')));
  if (file) add('leak', `shows a file of the machine (${file.source})`);
  for (const leak of findLeaks(await decodeResponse(response.headers, response.body), knowledge))
    add('leak', leak);
  return faults;
}

export function findLeaks(text: string, { places, secrets }: KnownSecrets): string[] {
  const leaks: string[] = [];
  const seen = text.toLowerCase().indexOf(CANARY);
  if (seen !== -1) {
    const canary = text.slice(seen, seen + CANARY.length + 4).toLowerCase();
    leaks.push(`shows ${places.get(canary) ?? text.slice(seen, seen + 40)}`);
  }
  const coded = ENCODED_CANARIES.find((form) => text.includes(form));
  if (coded) leaks.push(`shows a canary in another writing (${coded})`);
  for (const [word] of text.matchAll(/[\w-]{20,}/g))
    if (secrets.has(word)) leaks.push(`shows the secret ${word}`);
  return leaks;
}

/** Enough to send it again by hand. */
export function describeAttack({ what, caller, request: rawRequest }: Attack): string {
  const body = rawRequest.body === undefined ? '' : ` ${String(rawRequest.body).slice(0, 400)}`;
  return `${what}; by ${caller}: ${rawRequest.method} ${rawRequest.path.slice(0, 300)}${body}`;
}
