import type { Attack } from './attacks.ts';
import { CANARY } from './canaries.ts';
import type { Hit } from './client.ts';
import { codedForms, readings } from './decode.ts';

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

const CODED = codedForms(CANARY);

export interface Knowledge {
  places: ReadonlyMap<string, string>;
  secrets: ReadonlySet<string>;
}

/** What is wrong with an answer, whoever asked; being slow is judged by the caller, who may ask again. */
export async function judge(attack: Attack, hit: Hit, knowledge: Knowledge): Promise<Fault[]> {
  const faults: Fault[] = [];
  const add = (kind: Fault['kind'], detail: string) =>
    faults.push({
      kind,
      operation: attack.operation.name,
      detail: `${detail}; ${inWords(attack)}`,
    });
  if (hit.status >= 500) add('server error', `answered ${hit.status}`);
  if (attack.mustFail && hit.status < 300) add('succeeded', `answered ${hit.status}`);
  const file = NOT_SERVED.find((pattern) => pattern.test(hit.body.toString('latin1')));
  if (file) add('leak', `shows a file of the machine (${file.source})`);
  for (const leak of leaksIn(await readings(hit.headers, hit.body), knowledge)) add('leak', leak);
  return faults;
}

export function leaksIn(text: string, { places, secrets }: Knowledge): string[] {
  const leaks: string[] = [];
  const seen = text.toLowerCase().indexOf(CANARY);
  if (seen !== -1) {
    const canary = text.slice(seen, seen + CANARY.length + 4).toLowerCase();
    leaks.push(`shows ${places.get(canary) ?? text.slice(seen, seen + 40)}`);
  }
  const coded = CODED.find((form) => text.includes(form));
  if (coded) leaks.push(`shows a canary in another writing (${coded})`);
  for (const [word] of text.matchAll(/[\w-]{20,}/g))
    if (secrets.has(word)) leaks.push(`shows the secret ${word}`);
  return leaks;
}

/** Enough to send it again by hand. */
export function inWords({ what, caller, shot }: Attack): string {
  const body = shot.body === undefined ? '' : ` ${String(shot.body).slice(0, 400)}`;
  return `${what}; by ${caller}: ${shot.method} ${shot.path.slice(0, 300)}${body}`;
}
