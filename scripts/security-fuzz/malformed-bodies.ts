import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { MEGABYTE } from './malformed-values.ts';

const nest = (open: string, close: string) => open.repeat(2000) + close.repeat(2000);

export interface MalformedBody {
  type: string;
  text: string | Buffer;
}

/** Returns a malformed variant of the valid body. */
export function malformedBody(random: Random, valid: unknown): MalformedBody {
  const json = 'application/json';
  const text = JSON.stringify(valid ?? {});
  const first = text.slice(1, -1).split(',')[0] ?? '';
  return random.pick<() => MalformedBody>([
    () => ({ type: json, text: text.slice(0, -1) }),
    () => ({ type: json, text: nest('[', ']') }),
    () => ({ type: json, text: `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}` }),
    () => ({
      type: json,
      text: text.replace(/}$/, `${first ? `,${first}` : '"a":1'},"id":1000001}`),
    }),
    () => ({ type: json, text: text.replace(/^\{/, '{"__proto__":{"tutorId":"x"},') }),
    () => ({
      type: json,
      text: text.replace(/^\{/, '{"constructor":{"prototype":{"admin":true}},'),
    }),
    () => ({ type: json, text: `\uFEFF${text}` }),
    () => ({ type: json, text: text.replaceAll(/:\s*\d+/g, ':NaN') }),
    () => ({ type: json, text: text.replaceAll(/:\s*\d+/g, ':1e999') }),
    () => ({
      type: json,
      text: Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
    }),
    () => ({ type: json, text: Buffer.from(text, 'utf16le') }),
    () => ({ type: json, text: 'null' }),
    () => ({ type: json, text: '"x"' }),
    () => ({ type: json, text: '[]' }),
    () => ({ type: `${json}; charset=utf-7`, text }),
    () => ({ type: 'text/plain', text }),
    () => ({ type: 'application/x-www-form-urlencoded', text: 'tutorId=1&id=1000001' }),
    () => ({ type: 'multipart/form-data; boundary=x', text: '--x\r\n\r\n1\r\n--x--' }),
    () => ({
      type: 'application/xml',
      text: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    }),
    () => ({ type: 'application/vnd.api+json', text }),
    () => ({ type: '', text }),
    ...(random.chance(0.05)
      ? [() => ({ type: json, text: `{"x":"${'y'.repeat(MEGABYTE)}"}` })]
      : []),
  ])();
}
