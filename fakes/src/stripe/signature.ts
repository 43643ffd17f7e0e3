import { createHmac } from 'node:crypto';

/** `seconds` is the real time, not the fake's clock, because the receiver checks it against its own clock. */
export function signatureHeader(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

export function realTimeSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
