import { createHmac } from 'node:crypto';

/** `t` is checked against the receiver's clock, so it is the real time even when ours is turned. */
export function signatureHeader(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

export function realTimeSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
