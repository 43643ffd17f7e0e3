import { CANARY } from './canaries.ts';
import { decodeResponse, encodedForms } from './decode-response.ts';
import type { Attack } from './generate-attacks.ts';
import type { RawResponse } from './raw-client.ts';

export interface Fault {
  kind:
    | 'leak'
    | 'server error'
    | 'slow'
    | 'succeeded'
    | 'no response'
    | 'changed'
    | 'undocumented'
    | 'not reached';
  operation: string;
  detail: string;
}

/** On an idle machine, a response that takes longer is a fault. */
export const SLOW_MS = 1000;

/** Text from files that must never be served. */
const PRIVATE_FILE_CONTENTS = [
  /root:[x*]?:0:0:/,
  /"workspaces"\s*:/,
  /DATABASE_URL=/,
  /\[core\]\s+repositoryformatversion/,
];

const ENCODED_CANARIES = encodedForms(CANARY);

export interface KnownSecrets {
  canaryColumns: ReadonlyMap<string, string>;
  secrets: ReadonlySet<string>;
}

/** Finds faults in a response, except for slowness, which sendBatch checks because it can retry the request. */
export async function checkResponse(
  attack: Attack,
  response: RawResponse,
  known: KnownSecrets,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const add = (kind: Fault['kind'], detail: string) =>
    faults.push({
      kind,
      operation: attack.operation.name,
      detail: `${detail}; ${describeAttack(attack)}`,
    });
  if (response.status >= 500) add('server error', `returned ${response.status}`);
  if (attack.mustFail && response.status < 300) add('succeeded', `returned ${response.status}`);
  const file = PRIVATE_FILE_CONTENTS.find((pattern) =>
    pattern.test(response.body.toString('latin1')),
  );
  if (file) add('leak', `exposes a file from the server (${file.source})`);
  for (const leak of findLeaks(await decodeResponse(response.headers, response.body), known))
    add('leak', leak);
  return faults;
}

export function findLeaks(text: string, { canaryColumns, secrets }: KnownSecrets): string[] {
  const leaks: string[] = [];
  const index = text.toLowerCase().indexOf(CANARY);
  if (index !== -1) {
    const canary = text.slice(index, index + CANARY.length + 4).toLowerCase();
    leaks.push(`shows ${canaryColumns.get(canary) ?? text.slice(index, index + 40)}`);
  }
  const encoded = ENCODED_CANARIES.find((form) => text.includes(form));
  if (encoded) leaks.push(`shows an encoded canary (${encoded})`);
  for (const [token] of text.matchAll(/[\w-]{20,}/g))
    if (secrets.has(token)) leaks.push(`shows the secret ${token}`);
  return leaks;
}

/** Describes an attack in enough detail to repeat the request by hand. */
export function describeAttack({ description, caller, request: rawRequest }: Attack): string {
  const body = rawRequest.body === undefined ? '' : ` ${String(rawRequest.body).slice(0, 400)}`;
  return `${description}; by ${caller}: ${rawRequest.method} ${rawRequest.path.slice(0, 300)}${body}`;
}
